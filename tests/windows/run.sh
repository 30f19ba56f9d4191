#!/usr/bin/env bash
# Builds attn.exe and its zip; where wine64 is installed, runs it beside a native build in build/.
#   sudo apt install g++-mingw-w64-x86-64-posix libz-mingw-w64-dev wine64 && tests/windows/run.sh [goldens [OPTION OF CMAKE …]]
set -euo pipefail
trap 'echo "FAILED: line $LINENO: $BASH_COMMAND"' ERR
cd "$(dirname "$0")/../.."
root=$PWD
if [ ! -f /usr/x86_64-w64-mingw32/lib/libz.a ] && [ ! -f build-zlib/zlib.h ]; then
  tests/web/debian_source.sh zlib build-zlib
fi
[ -f build-utf8proc/utf8proc.h ] || tests/web/debian_source.sh utf8proc build-utf8proc
cmake --preset windows -D ATTN_WERROR=ON -D FETCHCONTENT_SOURCE_DIR_ZLIB="$root/build-zlib" \
  -D FETCHCONTENT_SOURCE_DIR_UTF8PROC="$root/build-utf8proc" "${@:2}" >/dev/null
cmake --build --preset windows -j "$(nproc)"
(cd build-windows && rm -rf attn-*.zip unpacked && cpack >/dev/null && cmake -E tar xf attn-*.zip && mv attn-*/ unpacked)
exe=$root/build-windows/unpacked/attn.exe
foreign=$(x86_64-w64-mingw32-objdump -p "$exe" | sed -n 's/.*DLL Name: //p' | grep -viE '^(kernel32|msvcrt|advapi32|shell32)\.dll$' || true)
[ -z "$foreign" ] || { echo "attn.exe needs $foreign"; exit 1; }

wine=$(command -v wine64 || find /usr/lib/wine -name wine64 2>/dev/null | head -n 1)
[ -n "$wine" ] || { echo "not tested: wine64"; exit 0; }
[ -x "$root/build/attn" ] || { echo "there is no build/attn to compare with: bash .ci/run build"; exit 1; }
work=$(mktemp -d)
export WINEDEBUG=-all WINEPREFIX="$work/prefix" WINEDLLOVERRIDES="mscoree,mshtml=" LC_ALL=C.UTF-8
trap '"$(dirname "$wine")/wineserver" -k 2>/dev/null || true; rm -rf "$work"' EXIT
attn() { "$wine" "$exe" "$@"; }
native() { "$root/build/attn" "$@"; }
fails() { if "$@"; then false "$*"; fi; }
same() { cmp <(attn "$@" 2>&1 || echo "exit $?") <(native "$@" 2>&1 || echo "exit $?"); }
attn --version >/dev/null 2>&1  # makes the prefix
mkdir "$work/Übung 1"
cd "$work/Übung 1"

# The same bytes as elsewhere; no \r anywhere.
same explain --mask causal --heads 2 --color always
same explain --tokens "für zwei Äpfel" --cell weights:Äpfel,für
same lesson one-head
same explain --mask casual
same check "$root/samples/answers/one-head-no-scale.json"

# Names with spaces and umlauts; lines that end with \r\n.
native new --sample 04-causal -o "meine Lösung.json" 2>/dev/null
native explain "meine Lösung.json" --format csv >expected.csv
sed -i 's/$/\r/' "meine Lösung.json"
attn explain "meine Lösung.json" --format csv >"Größe 1.csv"
cmp "Größe 1.csv" expected.csv
cmp <(attn explain "Z:${PWD//\//\\}\\meine Lösung.json" --format csv) expected.csv
attn explain "meine Lösung.json" -o "Größe 1.html" 2>said
grep -q '^wrote Größe 1.html, ' said
native explain "meine Lösung.json" -o expected.html 2>/dev/null
cmp "Größe 1.html" expected.html
attn explain - --mask causal <"meine Lösung.json" | head -n 1 >/dev/null  # a closed pipe

# What Windows keeps for devices is no file.
attn explain -o NUL 2>said
attn explain --json -o nul 2>>said
[ ! -s said ]
[ -z "$(ls | grep -i nul)" ]

# -o replaces a file as a whole. While another program has one of two open, both stay as they were.
attn explain -o "Größe 1.html" --also other.json 2>/dev/null
cmp "Größe 1.html" <(native explain --format html)
cp "Größe 1.html" before.html
cp other.json before.json
x86_64-w64-mingw32-g++-posix -static "$root/tests/windows/holder.cpp" -o "$work/holder.exe"
coproc HOLDER { "$wine" "$work/holder.exe" other.json; }
read -r -u "${HOLDER[0]}" opened
fails attn explain --mask causal -o "Größe 1.html" --also other.json 2>said
grep -q '"other.json" is open in another program' said
cmp "Größe 1.html" before.html
cmp other.json before.json
eval "exec ${HOLDER[1]}>&-"
wait "$HOLDER_PID"
attn explain --mask causal -o "Größe 1.html" --also other.json 2>/dev/null
cmp other.json <(native explain --mask causal --json)
chmod a-w other.json
fails attn explain -o other.json 2>said
grep -q 'attrib -r other.json' said
[ -z "$(find . -name '.attn-*')" ]

# A class: sheets that were made here are graded there, and the other way round.
printf 'id,name\r\ns1,Jürgen\r\ns2,Zoë\r\n' >roster.csv
printf 'a salt for this test only' >salt
for make in attn native; do
  "$make" exercise make --preset causal --name week1 --roster roster.csv --salt-file salt --format json,html -o "Woche $make" >/dev/null 2>&1
done
diff -r "Woche attn" "Woche native"
[[ $(stat -c %a "Woche attn/key/exercise.json") = *0 ]]  # nobody else may read it
same check "Woche attn/key/answers" --key "Woche native/key"
[ -z "$(grep -rl --exclude=roster.lock.csv $'\r' "Woche attn" "Größe 1.csv" "Größe 1.html")" ]

if [ "${1:-}" = goldens ]; then
  cd "$root"
  ATTN_PROGRAM="$wine $exe" build/tests/test_app -tc='goldens*'
fi
