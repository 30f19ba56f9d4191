# What tests of the real program share: an empty folder to work in, and comparing what it does.
# Usage: source checks.sh, in a script whose first argument is the program.
set -u
attn=$(realpath "$1")
scratch=$(mktemp -d)
trap 'chmod -R u+rwx "$scratch"; rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failed=0
check() { # check WHAT EXPECTED FOUND
  [ "$2" = "$3" ] && return
  echo "FAILED: $1: expected '$2', found '$3'"
  failed=1
}
code() { "$@" >out 2>err </dev/null; echo $?; }
