#!/usr/bin/env bash
# What goes wrong around the program: kills, little memory, files that are gone or may not be read.
# Usage: faults_test.sh ATTN
source "$(dirname "$0")/checks.sh"
chmod 755 .
ulimit -c 0
says() { tr -s '\n ' ' ' <err | grep -qF -- "$1" || check "the error" "$1" "$(cat err)"; }
"$attn" new --random --normal --tokens 100 --d-model 8 --heads 2 -o problem.json --quiet
"$attn" explain problem.json -o whole.json --quiet

# A kill at any moment: the old file or the new one, whole; after SIGTERM, nothing else. Writing takes
# so long that some kills come before its end.
mkdir killed
"$attn" new --random --normal --tokens 300 --d-model 8 --heads 4 -o long.json --quiet
"$attn" explain long.json -o long.trace.json --quiet
unfinished=0
for signal in TERM KILL; do
  for delay in 0 1 2 3 4 6 8 12 16 24; do
    echo old >killed/trace.json
    "$attn" explain long.json -o killed/trace.json --quiet &
    sleep 0.0$((10 + delay * 3))
    kill -s $signal $! 2>/dev/null
    wait $! 2>/dev/null || unfinished=$((unfinished + 1))
    cmp -s killed/trace.json long.trace.json ||
      check "the old file after SIG$signal at delay $delay" "old" "$(head -c 100 killed/trace.json)"
    [ $signal = KILL ] || check "nothing is left by SIG$signal" "trace.json" "$(ls killed)"
    rm killed/*
  done
done
[ $unfinished -gt 0 ] || check "some were killed" "at least 1" 0

# Streams that are closed or full: what goes to files is whole.
"$attn" explain problem.json -o a.json 2>&-
check "without a stream for messages" 0 $?
"$attn" explain problem.json -o b.json --also c.csv <&- >&- 2>&-
check "without any stream" 0 $?
cmp a.json whole.json && cmp b.json whole.json || failed=1
if [ -w /dev/full ]; then
  "$attn" explain -o a.json 2>/dev/full
  check "messages that nobody can read" 0 $?
  echo old >a.json
  check "one of two outputs on a full disk" 4 "$(code "$attn" explain --json -o a.json --also /dev/full)"
  check "the other stays as it was" "old" "$(cat a.json)"
  says "No space left on device"
else
  echo "not tested: /dev/full"
fi

# A disk that is full before all is written: what was there stays, and nothing is left beside it.
mkdir disk
if mount -t tmpfs -o size=64k none disk 2>/dev/null; then
  trap 'umount "$scratch/disk"; rm -rf "$scratch"' EXIT
  echo old >disk/trace.json
  check "a disk that becomes full" 4 "$(code "$attn" explain problem.json -o disk/trace.json)"
  says "No space left on device"
  check "and what is on it" "old trace.json" "$(cat disk/trace.json) $(ls disk)"
else
  echo "not tested: full disk" # no disk can be mounted
fi

# Pipes and links by their names.
mkfifo pipe
cat pipe >got &
check "a named pipe takes output" 0 "$(code "$attn" explain problem.json --json -o pipe)"
wait
cmp got whole.json || failed=1
head -c 10 pipe >/dev/null &
check "a named pipe whose reader stops" 4 "$(code "$attn" explain problem.json --json -o pipe)"
says "Broken pipe"
wait
head -c 1000 problem.json >pipe &
check "a pipe that ends too early" 3 "$(code "$attn" explain pipe)"
says "error[json-syntax]"
wait
ln -s nowhere/a.json no-folder
ln -s new.json dangling
ln -s loop loop
check "a link into no folder" 4 "$(code "$attn" explain --json -o no-folder)"
says 'Make the folder "nowhere" first'
if [ -d /proc/self ]; then
  check "a folder that takes no files" 4 "$(code "$attn" explain -o /proc/attn.txt)"
  says 'This folder takes no new files'
else
  echo "not tested: /proc"
fi
check "a link to a name that is free" "0 new.json" "$(code "$attn" explain --json -o dangling) $(readlink dangling)"
check "makes that file" "$("$attn" explain --json | cksum)" "$(cksum <new.json)"
check "a link to itself" 4 "$(code "$attn" explain --json -o loop)"
says "A link leads back to itself"
check "the same as input" 4 "$(code "$attn" explain loop)"
long=$(printf 'a%.0s' $(seq 5000))
check "a name that no disk takes" 4 "$(code "$attn" explain "$long")"
says "File name too long"
check "the same as a setting" 2 "$(code "$attn" compare --left "causal:$long" --right heads=1)"
check "the same as output" 4 "$(code "$attn" explain -o "$long")"
mkdir gone
(cd gone && rmdir ../gone && "$attn" exercise make --preset self --new-salt s -o d) >out 2>err </dev/null
check "an exercise in a folder that is gone" 4 $?
says "The folder that you are in was removed"

# What somebody else may not read. Root may read everything, so somebody else tries.
nobody=()
[ "$(id -u)" != 0 ] || nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
if "${nobody[@]}" "$attn" --version >/dev/null 2>&1; then
  mkdir closed
  cp problem.json secret.json
  chmod 0 closed secret.json
  check "a file that may not be read" 4 "$(code "${nobody[@]}" "$attn" explain secret.json)"
  says "Permission denied"
  check "a folder that may not be entered" 4 "$(code "${nobody[@]}" "$attn" explain closed/a.json)"
  says "Permission denied"
  check "nor written to" 4 "$(code "${nobody[@]}" "$attn" explain -o closed/a.json)"
  says "You may not write there"
  check "nor searched for sheets" 4 "$(code "${nobody[@]}" "$attn" check closed --key .)"
else
  echo "not tested: another user"
fi

# A file that a problem names, but that is not there.
echo '{"q": {"file": "a.npy"}, "k": [[1]], "v": [[1]]}' >names.json
check "a file that a problem names and that is gone" 4 "$(code "$attn" explain names.json)"
says 'a.npy" cannot be read'

# Too little memory at any point: an error of ours, the old file, nothing beside it. The limits begin
# a little above the least with which the program starts; a sanitizer needs more than any of them.
mkdir little
echo old >little/a.html
starts() { (ulimit -v "$1" && "$attn" --version) >/dev/null 2>&1; }
least=$(for limit in $(seq 8000 1000 60000); do starts $limit && echo $limit && break; done)
[ "$least" ] || echo "not tested: memory limit"
commands=("explain problem.json -o little/a.html --also little/b.json" "heatmap problem.json" "explain whole.json"
  "compare problem.json --left heads=1 --right heads=2" "check whole.json --problem problem.json"
  "explain many.json --threads 4 --steps output -o little/b.json")
echo '{"heads": 4, "embeddings": {"randn": [600, 64], "seed": 1}, "mask": "causal"}' >many.json
for ((i = 0; least && i < 36; ++i)); do
  command=${commands[i % 6]}
  (ulimit -v $((least + 400 + i * 400)); exec "$attn" $command) >out 2>err
  ended=$?
  [ $ended = 0 ] && rm -f little/b.json && echo old >little/a.html && continue
  check "$command, $((least + 400 + i * 400)) KiB" 3 $ended
  says "needs more memory than there is"
  check "no file is touched" "old a.html" "$(cat little/a.html) $(ls little)"
done
exit $failed
