#!/usr/bin/env bash
# What .ci/run says of steps that cannot run, and of what was not tested.
# Each script that looks for something says what it does not test without it. Usage: ci_test.sh ATTN SOURCE_DIR
source=$(realpath "$2")
source "$(dirname "$0")/checks.sh"
mkdir .ci
cp "$source/.ci/run" .ci
unset CI ATTN_ACCEPTED
run() { bash .ci/run "$@" 2>&1; echo "exit $?"; }

# A step without what it needs stops before any other begins.
for step in "fuzz sanitize" "packages build" "published build" "web build"; do
  read -r step first <<<"$step"
  check "$step alone" "$step needs what $first makes: bash .ci/run $first $step
exit 2" "$(run format "$step")"
done
mkdir -p build/tests
printf '#!/bin/sh\n' >build/tests/test_app
chmod +x build/tests/test_app
case $(run packages nonsense) in "no step nonsense;"*"exit 2") ;; *) check "after a build" "no step nonsense" "$(run packages nonsense)" ;; esac

# What was not tested is said; where CI is set, only what may be skipped is accepted.
eval "$(sed -n "/^usual[+]*=/p; /^untested()/,/^}/p" .ci/run)"
cat >log <<'END'
 3: not a part
  not tested: jq
	  4 - page (Skipped)
	  7 - app_long (Disabled)
not tested: full disk
END
accepted=$usual
check "what is not tested" "not tested: app_long
not tested: full disk
not tested: jq
not tested: page" "$(untested log)"
check "here it is enough to say so" 0 "$(code untested log)"
check "in CI it is not" 1 "$(CI=1 code untested log)"
check "says which" "app_long
jq
page
should be tested here" "$(tail -n 4 out)"
accepted+="|app_long|jq|page"
check "all of it accepted" 0 "$(CI=1 code untested log)"
tr '|' '\n' <<<"$usual" | while read -r name; do
  grep -rqiE "(attn_script\(|not tested: |foreach\(data.* )$name" "$source"/tests "$source/.ci/run" || echo "$name"
done >unknown
check "what may be skipped, and nothing skips" "" "$(cat unknown)"

# Between a place that looks for something (in a few lines) and the next one, a script says what it skips.
silent() {
  awk '
    function end() { if (place != "") print place; place = "" }
    FNR == 1 { end() }
    /^ *(#|\/\/)/ { next }
    /command -v|[^a-z]which\(|find_spec\(|find_program\(|find\(existsSync\)|spawnSync.*[.]error|\[ -w \/dev|>(\/dev\/null 2>&1|2>\/dev\/null); then|^except ImportError/ {
      if (place == "" || FNR > at + 4) { end(); at = FNR; place = FILENAME ":" FNR ": " $0 } }
    /not tested|skipped:|not tried/ { place = "" }
    END { end() }' "$@"
}
cat >loud.sh <<'END'
if command -v jq >/dev/null; then
  jq .
else
  echo "not tested: jq"
fi
command -v jq >/dev/null || echo "not tested: jq"
END
sed 's/echo.*/:/' loud.sh >silent.sh
check "a script that says so" "" "$(silent loud.sh)"
check "and one that does not" "silent.sh:1: silent.sh:6:" "$(silent silent.sh | cut -d ' ' -f 1 | xargs)"
mapfile -t scripts < <(find "$source/tests" -regex '.*\.\(sh\|py\|mjs\|cjs\|cmake\)' ! -path '*/bench/*' ! -name 'make_*' ! -name ci_test.sh ! -name scripts.cmake ! -name reword.py | sort)
[ ${#scripts[@]} -gt 50 ] || check "scripts" "more than 50" "${#scripts[@]}"
check "scripts that do not say what they skip" "" "$(silent "${scripts[@]}")"
exit $failed
