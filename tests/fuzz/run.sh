#!/usr/bin/env bash
# Runs fuzzers of a build with ATTN_FUZZ, two at a time, each until LIMIT, an option of libFuzzer.
#   tests/fuzz/run.sh BUILD -max_total_time=10 [NAME…]
# Inputs that reach something new stay in BUILD/fuzz/NAME for the next run; BUILD/fuzz/NAME-crash-… are findings.
set -euo pipefail
build=$(readlink -f "$1") limit=$2 attn=$build/attn
shift 2
cd "$(dirname "$0")/../.."
work=$build/fuzz
lines() { split -l 1 - "$work/$1/line-"; } # lines NAME: each becomes a seed
all() { for source in tests/fuzz/*.cpp; do basename "$source" .cpp; done; }
rm -rf "$work/exercise"
for name in $(all); do mkdir -p "$work/$name"; done

# Seeds: what the project has anyway, and what attn makes of small problems.
find samples tests/reference/models -maxdepth 1 -name '*.json' ! -name '*.expected.json' -size -13 \
  -exec cp -t "$work/problem" {} +
lines problem <tests/fuzz/problems.jsonl
lines answers <tests/fuzz/answers.txt
lines notations <tests/fuzz/notations.txt
lines tokenizer <tests/fuzz/tokenizers.jsonl
python3 tests/fuzz/seeds.py "$work"
cp samples/tokenizers/*.json "$work/tokenizer"
cp samples/lessons/*.md samples/lessons/mine/*.md "$work/lesson"
cp samples/answers/* "$work/answers"
"$attn" exercise make --preset softmax --seed 1 -o "$work/exercise" --quiet >/dev/null
cp "$work"/exercise/sheets/* "$work/answers"
cp "$work"/exercise/key/*.* "$work/classroom"
printf 'id;"name"\r\nbob;"B, ""b"""\n' >"$work/classroom/roster.csv"
for folder in tests/reference/models/hugging_face_*/; do
  for file in "$folder"*.json; do cp "$file" "$work/model/$(basename "$folder")-$(basename "$file")"; done
done
i=0
while read -r problem; do
  i=$((i + 1))
  "$attn" explain - --json --quiet <<<"$problem" | tr -d ' \n' >"$work/trace/$i.json"
  "$attn" explain - --format ndjson --quiet <<<"$problem" >"$work/trace/$i.ndjson"
  "$attn" convert - -o "$work/numpy/$i.npz" --quiet <<<"$problem"
  "$attn" convert - -o "$work/safetensors/$i.safetensors" --quiet <<<"$problem"
done <tests/fuzz/problems.jsonl
"$attn" explain --steps scores -o "$work/numpy/1.npy" --quiet
i=0
while read -ra words; do # then -, for the problem on standard input
  i=$((i + 1))
  printf '%s\n' "${words[@]}" - '' '{"q": [[1], [2]], "k": [[1], [0]], "v": [[3], [4]]}' >"$work/command_line/$i"
done < <(grep -hE '^\$ attn (explain|heatmap|compare|check|convert|help|schema) [^|]*$' README.md docs/*.md |
  grep -v samples/ | sed 's/^\$ attn //; s/  .*//')

# Words worth trying: the strings of the schemas, numbers at the ends of their types, and the options.
for schema in problem trace answers sheet; do "$attn" schema $schema; done |
  LC_ALL=C grep -oE '"[ !#-[^-~]{1,30}"' | sort -u | sed 's/"//g; s/.*/"\\"&\\""/' >"$work/json.dict"
printf '"%s"\n' 1e308 1e-320 -0.0 1e16 65504 2147483648 9007199254740993 >>"$work/json.dict"
grep -ohE -- '--[a-z-]+' <("$attn" completions bash) | sort -u | sed 's/.*/"&"/' >"$work/words.dict"

fuzz() { # fuzz NAME
  local dict=json
  [ "$1" = command_line ] && dict=words
  ASAN_OPTIONS=malloc_context_size=8:quarantine_size_mb=8 "$build/tests/fuzz/fuzz_$1" "$limit" -dict="$work/$dict.dict" \
    -max_len=1048576 -entropic=0 -timeout=10 -rss_limit_mb=1024 -artifact_prefix="$work/$1-" -print_final_stats=1 \
    "$work/$1" >"$work/$1.log" 2>&1 && return
  tail -n 60 "$work/$1.log"
  echo "FAILED: fuzz_$1"
  return 1
}
export -f fuzz
export build work limit
printf '%s\n' "${@:-$(all)}" | tr ' ' '\n' | xargs -P 2 -I{} bash -c 'fuzz {}'
grep -h 'stat::number_of_executed_units' "$work"/*.log
