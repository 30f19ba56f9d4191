#!/usr/bin/env bash
# Makes the packages, unpacks each into an empty folder, and uses what is in it.
# That is the program, the manual page, the samples and the library. Usage: packages_test.sh ATTN, a program to compare with.
set -euo pipefail
trap 'echo "FAILED: line $LINENO: $BASH_COMMAND"' ERR
attn=$(readlink -f "$1")
cd "$(dirname "$0")/../.."
cmake --preset package >/dev/null
cmake --build --preset package -j "$(nproc)"
cd build-package
rm -rf attn[-_]* unpacked
cpack >/dev/null
mkdir -p unpacked/deb unpacked/tar
dpkg-deb -x attn_*.deb unpacked/deb
tar -xzf attn-*.tar.gz -C unpacked/tar --strip-components 1
# The program runs on any Linux: it needs no library there.
if readelf -d unpacked/tar/bin/attn | grep NEEDED; then
  false "the program is not linked statically"
fi
# Vector instructions that not every processor has: only the C library has them, and asks first.
if objdump -d unpacked/tar/lib/libattn.a | grep -E '%[yz]mm' >/dev/null; then
  false "the library is for this machine"
fi
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' CMakeCache.txt)
for prefix in "$PWD/unpacked/deb/usr" "$PWD/unpacked/tar"; do
  [ "$("$prefix/bin/attn" --version | head -n 1)" = "attn $version" ]
  cmp <("$prefix/bin/attn" explain --mask causal) <("$attn" explain --mask causal)
  cmp <(cd "$prefix/share/doc/attn" && "$prefix/bin/attn" explain samples/06-translation.json) \
    <(cd .. && "$attn" explain samples/06-translation.json)
  man -l "$prefix/share/man/man1/attn.1" | grep "see attention computed" >/dev/null
  cmake -D BUILD="$PWD" -D PREFIX="$prefix" -D CXX=c++ -D CONSUMER="$PWD/../tests/consumer" \
    -P ../tests/consumer/install_test.cmake
done
ls -l attn[-_]*
