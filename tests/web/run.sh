#!/usr/bin/env bash
# Builds the program as WebAssembly and tests it through Node.js, beside a native build in build/:
#   sudo apt install emscripten node-acorn dpkg-dev && tests/web/run.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
tests/web/debian_source.sh zlib build-zlib
cmake --preset web -D FETCHCONTENT_SOURCE_DIR_ZLIB="$PWD/build-zlib" >/dev/null
cmake --build --preset web -j "$(nproc)"
node tests/web/npm_test.mjs build-web/npm build/attn
ATTN_PROGRAM="node $PWD/build-web/npm/cli.mjs" build/tests/test_app -tc='goldens*'
