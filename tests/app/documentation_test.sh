#!/usr/bin/env bash
# Runs every line "$ attn …" of README.md and docs/*.md, and those of the readers "$ python3 …",
# "$ jq …", "$ node …", "$ Rscript …" where they are installed. A line that should fail ends with
# "# exit N". Usage: documentation_test.sh ATTN SOURCE_DIR
set -u
attn=$1
source=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin"
ln -s "$attn" "$scratch/bin/attn"
[ -x /usr/bin/python3 ] && ln -s /usr/bin/python3 "$scratch/bin/python3"  # has the packages' modules
PATH="$scratch/bin:$PATH"
cp -r "$source/samples" "$scratch/samples"
cd "$scratch" || exit 1
failed=0
count=0
skipped=0
can_run() { # can_run COMMAND: are the programs and Python modules that it names there?
  local name
  for name in python3 jq node Rscript; do
    grep -qw -- "$name" <<<"$1" && ! command -v "$name" >/dev/null && return 1
  done
  for name in numpy pandas torch; do
    grep -qw -- "$name" <<<"$1" && ! python3 -c "import $name" 2>/dev/null && return 1
  done
  return 0
}
while IFS= read -r line; do
  command=$(sed -E 's/^ *\$ //; s/ {3,}.*//' <<<"$line")
  expected=0
  case $command in *"# exit "*) expected=${command##*# exit } ;; esac
  can_run "$command" || { skipped=$((skipped + 1)); continue; }
  bash -c "set -o pipefail; $command" >out 2>err </dev/null
  found=$?
  count=$((count + 1))
  [ "$found" = "$expected" ] && continue
  echo "FAILED: $command: exit $found instead of $expected"
  cat err
  failed=1
done < <(cat "$source"/README.md "$source"/docs/*.md | grep -E '^ *\$ (attn|python3|jq|node|Rscript) ')
echo "$count documented commands, $skipped for programs that are not here"
[ "$count" -gt 5 ] || failed=1
exit $failed
