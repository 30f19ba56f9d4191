#!/usr/bin/env bash
# The completions in the shells that are here, and the manual page. Usage: completions_test.sh ATTN.
set -u
attn=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
touch problem.json "my file.json"
failed=0
check() { # check WHAT EXPECTED FOUND
  [ "$2" = "$3" ] && return
  echo "FAILED: $1: expected '$2', found '$3'"
  failed=1
}
contains() { # contains WHAT WORD FOUND
  case " $3 " in *" $2 "*) return ;; esac
  echo "FAILED: $1: no '$2' in '$3'"
  failed=1
}

"$attn" completions bash >attn.bash
"$attn" completions zsh >_attn
"$attn" completions fish >attn.fish

in_bash() { # in_bash LINE: what is offered at its end
  LINE=$1 bash --norc -c '
    source ./attn.bash
    COMP_LINE=$LINE COMP_POINT=${#LINE}
    _attn
    echo "${COMPREPLY[*]-}"'
}
offered=$(in_bash 'attn explain --mask ')
for mask in none causal window:2; do contains "bash: masks" $mask "$offered"; done
[ "$(wc -w <<<"$offered")" -ge 7 ] || check "bash: every mask" "7 words" "$offered"
check "bash: a command begun" "explain" "$(in_bash 'attn exp')"
check "bash: options in front" "explain" "$(in_bash 'attn --ascii --width 60 exp')"
check "bash: the second word of a command" "make" "$(in_bash 'attn exercise ma')"
check "bash: an option after two words" "--preset" "$(in_bash 'attn exercise make --pres')"
check "bash: its value" "multihead" "$(in_bash 'attn --ascii exercise make --preset mul')"
check "bash: an option in front" "--ascii" "$(in_bash 'attn --asc')"
check "bash: its value" "always" "$(in_bash 'attn --color al')"
check "bash: an option begun" "--masking --mask" "$(in_bash 'attn explain --mas' | tr ' ' '\n' | sort -r | xargs)"
check "bash: after =" "json" "$(in_bash 'attn explain --format=js')"
check "bash: after a colon" "2" "$(in_bash 'attn explain --mask window:')"
check "bash: a number" "" "$(in_bash 'attn explain --heads ')"
check "bash: files" "problem.json" "$(in_bash 'attn explain pro')"
check "bash: files after an option" "problem.json" "$(in_bash 'attn explain --mask causal -o pro')"
check "bash: a file with a space" "my file.json" "$(in_bash 'attn explain my')"
check "bash: schemas" "problem" "$(in_bash 'attn schema pro')"
check "bash: topics" "accessibility" "$(in_bash 'attn help acc')"
contains "bash: samples" 04-causal "$(in_bash 'attn new --sample ')"
contains "bash: steps" masked_scores "$(in_bash 'attn explain --steps ')"
check "bash: after a comma" "scores,masked_scores scores,masked_weights" "$(in_bash 'attn explain --steps scores,mas' | tr ' ' '\n' | grep masked_ | xargs)"
check "bash: after = and a comma" "q,weights" "$(in_bash 'attn explain --steps=q,wei')"
contains "bash: a bare line" help "$(in_bash 'attn ')"

if command -v fish >/dev/null; then
  in_fish() { HOME=$scratch fish --no-config -c "source attn.fish; complete -C '$1'" 2>&1 | cut -f1 | xargs -d '\n'; }
  check "fish: masks" "$(in_bash 'attn explain --mask ' | tr ' ' '\n' | sort | xargs)" \
    "$(in_fish 'attn explain --mask ' | tr ' ' '\n' | sort | xargs)"
  check "fish: options in front" "explain" "$(in_fish 'attn --ascii --width 60 exp')"
  check "fish: the second word of a command" "make" "$(in_fish 'attn exercise ma')"
  check "fish: an option after two words" "--preset" "$(in_fish 'attn exercise make --pres')"
  check "fish: an option in front" "--ascii" "$(in_fish 'attn --asc')"
  check "fish: files" "problem.json" "$(in_fish 'attn explain pro')"
  check "fish: files after an option" "problem.json" "$(in_fish 'attn explain -o pro')"
  check "fish: after a comma" "q,weights" "$(in_fish 'attn explain --steps q,wei')"
  check "fish: schemas, no files" "problem" "$(in_fish 'attn schema pro')"
else
  echo "not tested: fish"
fi

if command -v zsh >/dev/null; then
  in_zsh() { # in_zsh LINE: the line after Tab
    timeout 20 zsh -f -c '
      zmodload zsh/zpty
      zpty shell zsh -f -i
      zpty -w shell "PROMPT= RPROMPT=; unsetopt zle_bracketed_paste beep; stty -echo"
      zpty -w shell "fpath=($PWD \$fpath); autoload -Uz compinit; compinit -u -C -d $PWD/dump"
      zpty -w shell "line-done() { print -r -- \"BE\"\"GIN:\$BUFFER:E\"\"ND\"; BUFFER=; zle accept-line }; zle -N line-done; bindkey \"^X\" line-done"
      zpty -w -n shell "$1"$'"'\\t\\x18'"'
      zpty -r -m shell out "*BEGIN:*:END*"
      out=${out##*BEGIN:}
      print -r -- "${out%%:END*}"' zsh "$1" 2>&1
  }
  zsh_offers() { check "$1" "$2" "$(in_zsh "$3")"; return $failed; }  # zsh_offers WHAT EXPECTED LINE
  zsh_offers "zsh: a mask begun" "attn explain --mask causal " 'attn explain --mask ca' || failed=1  # alone: it writes the list of functions that the others read
  pids=()  # $(jobs -p) leaves out those that have ended
  # The last comma goes away by itself when anything but a further value is typed.
  zsh_offers "zsh: after a comma" "attn explain --steps q,weights," 'attn explain --steps q,wei' & pids+=($!)
  zsh_offers "zsh: options in front" "attn --color always explain " 'attn --color always exp' & pids+=($!)
  zsh_offers "zsh: the second word of a command" "attn exercise make " 'attn exercise ma' & pids+=($!)
  zsh_offers "zsh: an option after two words" "attn exercise make --preset " 'attn exercise make --pres' & pids+=($!)
  zsh_offers "zsh: its value" "attn exercise make --preset multihead " 'attn exercise make --preset mul' & pids+=($!)
  zsh_offers "zsh: an option in front" "attn --ascii " 'attn --asc' & pids+=($!)
  zsh_offers "zsh: topics" "attn help accessibility " 'attn help acc' & pids+=($!)
  zsh_offers "zsh: files" "attn explain -o problem.json " 'attn explain -o pro' & pids+=($!)
  for pid in "${pids[@]}"; do wait "$pid" || failed=1; done
else
  echo "not tested: zsh"
fi

"$attn" man >attn.1
if command -v groff >/dev/null; then
  check "groff has no warnings" "" "$(groff -man -ww -Tascii attn.1 2>&1 >/dev/null)"
else
  echo "not tested: groff"
fi
if command -v man >/dev/null; then
  check "man has no warnings" "" "$(MANWIDTH=100 man --warnings -l attn.1 2>&1 >page)"
else
  echo "not tested: man"
fi
for command in $(in_bash 'attn ' | tr ' ' '\n' | grep -v -- '^-'); do
  for option in $("$attn" help "$command" | grep -oE '^ +(-[a-zA-Z], )?--[a-z-]+' | grep -oE -- '--[a-z-]+'); do
    grep -qF -- "\\fB${option//-/\\-}\\fR" attn.1 || check "man page of $command" "$option" "nothing"
  done
done
exit $failed
