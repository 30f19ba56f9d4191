// Completions for bash.
#include "attn/phrases.hpp"
#include "commands.hpp"
#include "help/completions/completions.hpp"

namespace attn::app {
namespace {

// The words are split again: bash also breaks them at ":" and "=", and then expects only the rest.
constexpr const char* kBegin = R"bash(# Completions of attn for bash. Made by: attn completions bash
_attn() {
  local line=${COMP_LINE:0:COMP_POINT} command= current= before= cut= options= values= files= list= head= word
  local -a words=()
  COMPREPLY=()
  read -ra words <<<"$line"
  local count=${#words[@]}
  if [[ $line != *[[:space:]] ]]; then
    count=$((count - 1))
    current=${words[count]}
  fi
  before=${words[count - 1]}
  if [[ $current == --*=* ]]; then
    before=${current%%=*}
    current=${current#*=}
  fi
  if [[ $COMP_WORDBREAKS == *:* ]]; then cut=${current%"${current##*:}"}; fi
  for word in "${words[@]:1:count - 1}"; do
    word=${command:+$command }$word
    case $word in
)bash";

constexpr const char* kEnd = R"bash(  esac
  if [[ $current == -* && -z $values$files ]]; then values=$options; fi
  if [[ -n $files && $files != none ]]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r word; do COMPREPLY+=("${word#"$cut"}"); done < <(compgen -f -- "$current")
  else
    if [[ -n $list ]]; then head=${current%"${current##*,}"}; fi
    while IFS= read -r word; do COMPREPLY+=("${word#"$cut"}"); done \
      < <(compgen -P "$head" -W "$values" -- "${current#"$head"}")
  fi
}
complete -F _attn attn
)bash";

std::string set(const Offer& offer) {
  if (offer.files) return "files=yes";
  if (offer.words.empty()) return "files=none";
  return (offer.commas ? "list=yes values='" : "values='") + separated(offer.words, " ") + "'";
}

/// What is offered after the options and, where none is written, `otherwise`.
std::string branch(const std::string& pattern, const std::vector<OptionRow>& rows,
                   const std::string& otherwise) {
  std::string options, cases;
  for (const OptionRow& option : rows) {
    options += separated(names_of(option), " ") + " ";
    if (option.value.empty()) continue;
    cases += "        " + separated(names_of(option), "|") + ") " + set(offer_of(option)) + " ;;\n";
  }
  return "    " + pattern + ")\n      options='" + options + "'\n      case $before in\n" + cases +
         "        *) [[ $current == -* ]] || " + otherwise + " ;;\n      esac\n      ;;\n";
}

}  // namespace

std::string bash_completions(const std::vector<Command>& commands) {
  std::string branches, pattern;
  for (const Command& command : commands) {
    const std::string name = escaped(command.name, " ");
    branches +=
        branch(name, command.options, command.operand.empty() ? ":" : set(offer_of(command)));
    pattern += (pattern.empty() ? "" : "|") + name;
  }
  branches += branch("*", common_rows(commands),
                     "values='" + separated(main_commands(), " ") + " --version'");
  return kBegin + ("      " + pattern) +
         ") command=$word ;;\n    esac\n  done\n  case $command in\n" + branches + kEnd;
}

}  // namespace attn::app
