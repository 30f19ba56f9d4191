#!/usr/bin/env bash
# Runs every line "$ attn …" of README.md and docs/*.md. A line that should fail ends with
# "# exit N". Usage: documentation_test.sh ATTN SOURCE_DIR
set -u
attn=$1
source=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin"
ln -s "$attn" "$scratch/bin/attn"
PATH="$scratch/bin:$PATH"
cp -r "$source/samples" "$scratch/samples"
cd "$scratch" || exit 1
failed=0
count=0
while IFS= read -r line; do
  command=$(sed -E 's/^ *\$ //; s/ {3,}.*//' <<<"$line")
  expected=0
  case $command in *"# exit "*) expected=${command##*# exit } ;; esac
  case $command in *"| jq"*) command -v jq >/dev/null || continue ;; esac
  case $command in *python3*) command -v python3 >/dev/null || continue ;; esac
  bash -c "set -o pipefail; $command" >out 2>err </dev/null
  found=$?
  count=$((count + 1))
  [ "$found" = "$expected" ] && continue
  echo "FAILED: $command: exit $found instead of $expected"
  cat err
  failed=1
done < <(cat "$source"/README.md "$source"/docs/*.md | grep -E '^ *\$ attn ')
echo "$count documented commands"
[ "$count" -gt 5 ] || failed=1
exit $failed
