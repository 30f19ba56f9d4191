#!/usr/bin/env bash
# Runs what README.md and docs/*.md show, in order.
# That is every line "$ attn …", every block of ```python, and every line of another program
# ("$ python3 …", "$ jq …", "$ node …", "$ Rscript …"). What needs a program or a module that is not
# here is skipped, and that is said; if it is a block of Python, so is the rest of its section, or
# without Python of its page. A line that should fail ends with "# exit N".
# Usage: documentation_test.sh ATTN SOURCE_DIR
set -u
attn=$1
source=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin"
ln -s "$attn" "$scratch/bin/attn"
[ -x /usr/bin/python3 ] && ln -s /usr/bin/python3 "$scratch/bin/python3"  # has the system's modules
PATH="$scratch/bin:$PATH"
cp -r "$source/samples" "$scratch/samples"
mkdir -p "$scratch/docs/pictures"
cd "$scratch" || exit 1
failed=0
count=0
skipped=0
# The commands, one on each line; blocks of Python in files of their own; "# " for each page, "## "
# for each section.
commands() {
  awk '
    FNR == 1 { file = ""; print "# " }
    /^```python/ { n += 1; file = "block" n ".py"; print "python3 " file; next }
    /^```/ { file = ""; next }
    file != "" { print > file; next }
    /^## / { print "## " }
    /^ *\$ (attn|python3|jq|node|Rscript) / { print }' "$source"/README.md "$source"/docs/*.md
}
declare -A here  # program or module → yes or no
is_here() { # is_here NAME COMMAND…: whether the command, which is run once for each name, succeeds
  local name=$1
  shift
  [ -n "${here[$name]-}" ] || { "$@" >/dev/null 2>&1 && here[$name]=yes || here[$name]=no; }
  [ "${here[$name]}" = yes ]
}
find="import importlib.util, sys; sys.exit(importlib.util.find_spec(sys.argv[1]) is None)"  # importing it takes a second
can_run() { # can_run COMMAND: is every program and Python module that it names installed?
  case $1 in "python3 block"*) set -- "$1 $(<"${1#python3 }")" ;; esac
  for name in python3 jq node Rscript; do
    [[ $1 =~ (^|[^A-Za-z0-9_])$name($|[^A-Za-z0-9_]) ]] && ! is_here "$name" command -v "$name" && echo "$name" >>missing && return 1
  done
  for name in numpy pandas torch; do
    [[ $1 =~ (^|[^A-Za-z0-9_])$name($|[^A-Za-z0-9_]) ]] && ! is_here "$name" python3 -c "$find" "$name" && echo "$name" >>missing && return 1
  done
  return 0
}
commands | sed -E 's/^ *\$ //; s/ {3,}.*//' >list
left_out=nothing
while IFS= read -r command; do
  case $command in
    "# ") left_out=nothing && continue ;;
    "## ") [ $left_out = page ] || left_out=nothing; continue ;;
  esac
  expected=0
  case $command in *"# exit "*) expected=${command##*# exit } ;; esac
  if [ $left_out != nothing ] || ! can_run "$command"; then
    skipped=$((skipped + 1))
    case $command in
      "python3 block"*) [ $left_out = page ] || left_out=section; ! grep -qx python3 missing || left_out=page ;;
    esac
    continue
  fi
  bash -c "set -o pipefail; $command" >out 2>err </dev/null
  found=$?
  count=$((count + 1))
  [ "$found" = "$expected" ] && continue
  echo "FAILED: $command: exit $found instead of $expected"
  cat err
  failed=1
done <list
# Bob's mistake, in docs/for-teachers.md.
if [ -e grades.csv ] && ! grep -q '^s002,.*,scaled_scores,scale\.d_k,' grades.csv; then
  echo "FAILED: the mistake of s002 has no name in the gradebook of docs/for-teachers.md"
  failed=1
fi
for picture in "$source"/docs/pictures/*.svg; do  # page.png is a browser's
  cmp "$picture" "docs/pictures/$(basename "$picture")" && continue
  echo "FAILED: $picture is not what a documented command writes: run that command again"
  failed=1
done
touch missing
sort -u missing | sed 's/^/not tested: /'
echo "ran $count documented commands, skipped $skipped for lack of a program or module"
[ "$count" -gt 5 ] || failed=1
exit $failed
