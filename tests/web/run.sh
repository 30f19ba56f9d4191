#!/usr/bin/env bash
# Builds the program as WebAssembly and tests it through Node.js, Chromium and Firefox, beside a native build in build/.
#   sudo apt install emscripten node-acorn dpkg-dev && tests/web/run.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
[ -f build-zlib/zlib.h ] || tests/web/debian_source.sh zlib build-zlib
[ -f build-utf8proc/utf8proc.h ] || tests/web/debian_source.sh utf8proc build-utf8proc
cmake --preset web -D FETCHCONTENT_SOURCE_DIR_ZLIB="$PWD/build-zlib" -D FETCHCONTENT_SOURCE_DIR_UTF8PROC="$PWD/build-utf8proc" >/dev/null
cmake --build --preset web -j "$(nproc)"
node tests/web/npm_test.mjs build-web/npm build/attn
node tests/web/page_test.mjs build-web/attn.html build/attn ${ATTN_NODE_MODULES:+"$ATTN_NODE_MODULES/axe-core/axe.min.js"} ||
  { [ $? = 77 ] && echo "not tested: Chromium"; }
node tests/web/firefox_test.mjs build-web/attn.html || { [ $? = 77 ] && echo "not tested: Firefox"; }
if [ -x "${ATTN_NODE_MODULES:-}/.bin/eslint" ]; then
  build/attn explain -o build-web/explained.html
  build/attn convert tests/web/sheet.json -o build-web/sheet.html
  "$ATTN_NODE_MODULES/.bin/eslint" -c tests/web/eslint.config.mjs app tests build-web/*.html
else
  echo "not tested: eslint"
fi
ATTN_PROGRAM="node $PWD/build-web/npm/cli.mjs" build/tests/test_app -tc='goldens*'
