#!/usr/bin/env bash
# The real program: exit codes, pipes, full disks. Usage: binary_test.sh ATTN.
source "$(dirname "$0")/checks.sh"

check "no file, empty folder, no stdin" 0 "$(code "$attn" explain)"
check "nothing on stderr" "" "$(cat err)"
check "unknown command" 2 "$(code "$attn" explian)"
check "unknown option" 2 "$(code "$attn" explain --msk causal)"
check "no such file" 4 "$(code "$attn" explain nowhere.json)"
echo '{"embeddings": [[1]], ' >broken.json
check "broken JSON" 3 "$(code "$attn" explain broken.json)"
check "nothing on stdout with an error" "" "$(cat out)"

one_column() { # more output than a pipe holds
  awk 'BEGIN { printf "{\"q\": ["; for (i = 0; i < 200; ++i) printf "%s[%d]", i ? "," : "", i % 7; print "]," }'
}
{ one_column; one_column | sed 's/{"q"/"k"/'; one_column | sed 's/{"q"/"v"/; s/],$/]}/'; } >big.json
"$attn" explain big.json | head -n 1 >out
check "a closed pipe is not an error" "0 0" "${PIPESTATUS[*]}"
"$attn" explain big.json --format ndjson | head -n 2 >out
check "nor is one between two lines" "0 0" "${PIPESTATUS[*]}"
check "the first two lines arrive" "2" "$(wc -l <out | tr -d ' ')"
"$attn" convert -o layer.safetensors 2>err
mkfifo pipe.safetensors
cat layer.safetensors >pipe.safetensors &
check "a checkpoint from a pipe" 0 "$(code "$attn" explain pipe.safetensors)"
rm pipe.safetensors layer.safetensors
truncate -s 3G huge.json
check "a file of 3 GiB" 4 "$(code "$attn" explain huge.json)"
grep -q 'huge.json" is larger than 2 GiB' err || check "says how large" "larger than 2 GiB" "$(cat err)"
rm huge.json
if [ -w /dev/full ]; then
  "$attn" explain >/dev/full 2>err
  check "a full disk" 4 $?
  grep -q "No space left" err || check "says why" "No space left" "$(cat err)"
  grep -q "The disk is full" err || check "says what to do" "The disk is full" "$(cat err)"
else
  echo "not tested: /dev/full"
fi
"$attn" explain >&- 2>err
check "a closed standard output" 4 $?
grep -q "leave out >&-" err || check "says that it is closed" "leave out >&-" "$(cat err)"
check "the same file twice, by redirection" 2 "$("$attn" explain -o same --also - >same 2>err; echo $?)"
grep -q "standard output goes to a file that is also named" err || check "says so" "standard output" "$(cat err)"
rm -f same
check "a folder is not a file" 4 "$(code "$attn" explain "$scratch")"
mkdir locales
if command -v localedef >/dev/null && localedef -i de_DE -f UTF-8 locales/de_DE.UTF-8 2>/dev/null; then # commas in numbers, if somebody asks for them
  in_german() { LOCPATH=$PWD/locales LC_ALL=de_DE.UTF-8 "$@"; }
  check "the locale is there" "1,5" "$(in_german bash -c 'printf %.1f 1,5')"
  for format in text markdown latex html json ndjson csv; do
    check "bytes of $format do not depend on the locale" "$(LC_ALL=C "$attn" explain --format $format | cksum)" \
      "$(in_german "$attn" explain --format $format | cksum)"
  done
else
  echo "not tested: localedef"
fi
rm -r locales
check "standard input closed" "0 $("$attn" explain | cksum)" "$("$attn" explain <&- >out 2>err; echo $?) $(cksum <out)"
check "nothing to say about it" "" "$(cat err)"
check "a closed standard input cannot be read" 4 "$("$attn" explain - <&- >out 2>err; echo $?)"
grep -q "standard input cannot be read" err || check "says so" "standard input cannot be read" "$(cat err)"
within() { (ulimit -v 250000; "$@" >out 2>err; echo $?); } # 250 MB, of which 64 MiB are allowed for the input
if [ "$(within "$attn" --version)" = 0 ]; then # not under a sanitizer, which needs more
  for command in "explain -" "check -" "compare --left - --right -,scale=none" "explain --embeddings -"; do
    check "$command: a stream without end is refused in time" 3 "$(yes '[' 2>/dev/null | tr -d '\n' 2>/dev/null | within "$attn" $command --max-memory 64M)"
    grep -q "error\[too-large\]" err || check "says so" "too-large" "$(cat err)"
  done
  mkfifo endless.json
  (yes '[' | tr -d '\n') >endless.json 2>/dev/null &
  writer=$!
  check "the same from a pipe with a name" 3 "$(within "$attn" explain endless.json --max-memory 64M)"
  kill $writer 2>/dev/null || true
  rm endless.json
else
  echo "not tested: memory limit"
fi
echo '{"embeddings": [[1, 2], [3, 4]]}' >small.json
check "a pipe is read once for both sides" 1 "$("$attn" compare --left - --right -,scale=none <small.json >out 2>err; echo $?)"
check "and for several answers" 0 "$("$attn" explain small.json -o a.npz --also b.csv 2>err && "$attn" check a.npz b.csv --problem - <small.json >out 2>err; echo $?)"
rm small.json a.npz b.csv
mkdir shards && mkfifo shards/held.safetensors && ln -s /dev/zero shards/endless.safetensors
echo '{"model_type": "gpt2", "n_head": 1}' >shards/config.json
for part in held endless; do # a part of a checkpoint may be a link, but not to a pipe or a device
  echo "{\"weight_map\": {\"wte.weight\": \"$part.safetensors\"}}" >shards/model.safetensors.index.json
  check "a part that is no file ($part)" 4 "$(timeout 10 "$attn" explain shards --ids 0 >out 2>err; echo $?)"
  grep -q "not a regular file" err || check "says so" "not a regular file" "$(cat err)"
done
rm -r shards
check "two runs are alike" "$("$attn" explain --json | cksum)" "$("$attn" explain --json | cksum)"
rm -f out err big.json
"$attn" explain --json --quiet -o trace.json
check "only the named file is written" "broken.json trace.json " "$(ls | tr '\n' ' ')"
if command -v jq >/dev/null; then
  check "jq reads the weights" 5 "$("$attn" explain --format json | jq '.steps.weights.data | length')"
else
  echo "not tested: jq"
fi

# A file that is cut off while it is written: the old one stays, and nothing is left beside it.
mkdir limited
echo old >limited/trace.json
(ulimit -f 1; "$attn" explain --json -o limited/trace.json 2>err)
check "a file larger than the system allows" 4 $?
check "the old file is whole" "old trace.json" "$(cat limited/trace.json) $(ls limited)"

check "one of two files cannot be written" 4 "$(code "$attn" explain --json -o limited/trace.json --also limited/no/x.csv)"
check "neither is replaced" "old trace.json" "$(cat limited/trace.json) $(ls limited)"
check "nor is there output" "4 " "$(code "$attn" explain --also limited/no/x.csv) $(cat out)"
chmod 640 limited/trace.json
(umask 027; "$attn" explain --quiet --json -o limited/trace.json --also limited/new.csv 2>/dev/null)
check "permissions stay, or are those of new files" "640 640" "$(stat -c %a limited/trace.json limited/new.csv | xargs)"

# A signal between writing a file and putting it in place, where a pipe without a reader holds it:
# nothing is left.
mkfifo held.csv
ulimit -c 0
set -m # or the shell would have SIGINT and SIGQUIT ignored
for signal in INT QUIT TERM HUP ALRM USR1 XCPU; do
  "$attn" explain -o interrupted.json --also held.csv &
  for _ in $(seq 300); do
    ls .attn-* >/dev/null 2>&1 && break
    sleep 0.01
  done
  ls .attn-* >/dev/null 2>&1 || check "a file begun" ".attn-…" "$(ls -a)"
  kill -s $signal $!
  wait $! 2>/dev/null
  ended=$?
  check "ended by SIG$signal" "$((128 + $(kill -l $signal)))" $ended
  check "nothing is left of it" "" "$(ls -a | grep -e interrupted -e '^\.attn')"
done
set +m
rm held.csv
echo before >stream.txt
"$attn" explain --steps x -o /dev/stdout >>stream.txt
check "/dev/stdout is the stream, not its file" "before $("$attn" explain --steps x | cksum)" \
  "$(head -n 1 stream.txt) $(tail -n +2 stream.txt | cksum)"
mkdir gone
check "a working folder that is gone" "4 4" \
  "$(cd gone && rmdir ../gone && "$attn" explain -o x.txt 2>/dev/null; printf '%s ' $?; "$attn" explain x.json 2>/dev/null; echo $?)"
check "a pipe by its name" "$("$attn" explain | cksum)" "$("$attn" explain -o /dev/stdout | cksum)"
ln -s trace.json limited/link.json
code "$attn" explain --json -o limited/link.json >/dev/null
check "what a link leads to is replaced" "limited/trace.json $("$attn" explain --json | cksum)" \
  "limited/$(readlink limited/link.json) $(cksum <limited/trace.json)"

# What the program asks the system for: the named files and its own libraries, nothing else.
if command -v strace >/dev/null && strace -o log true 2>/dev/null; then
  echo '{"q": [[1]], "k": [[1]], "v": [[1]]}' >problem.json
  # The leak checker of a sanitizer build is a process of its own.
  ASAN_OPTIONS=detect_leaks=0 strace -f -o log "$attn" explain problem.json -o named.txt 2>/dev/null
  opened=$(grep -E '^[0-9]+ +(open|openat|creat)\(' log | grep -v ' = -1 ' | grep -oE '"[^"]*"' |
    grep -vE '^"(/lib|/usr/lib|/lib64|/etc/ld\.so|/proc/self/|/sys/)' | sed -E 's/attn-[[:alnum:]]{6}/attn-N/' | sort -u | tr '\n' ' ')
  check "only the named files are opened" '".attn-N" "problem.json" ' "$opened"
  check "no sockets, no other programs" "" "$(grep -E '^[0-9]+ +(socket|connect|fork|vfork|clone|clone3|execve)\(' log | sed 1d)"
else
  echo "not tested: strace"
fi

# A terminal as standard input: a line says how to end what is typed.
if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1; then # a container may have no terminals
  said=$(printf '{"q": [[1]], "k": [[1]], "v": [[1]]}\n\004' |
    timeout 20 script -qec "'$attn' explain - --steps weights" /dev/null)
  case $said in *Ctrl-D*) ;; *) check "how to end the input" "Ctrl-D" "$said" ;; esac
else
  echo "not tested: script"
fi
exit $failed
