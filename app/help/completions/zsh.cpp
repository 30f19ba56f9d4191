// Completions for zsh.
#include "attn/phrases.hpp"
#include "commands.hpp"
#include "help/completions/completions.hpp"

namespace attn::app {
namespace {

/// Text between single quotes.
std::string zsh_quoted(const std::string& text) {
  std::string safe;
  for (const char c : text) safe += c == '\'' ? "'\\''" : std::string(1, c);
  return "'" + safe + "'";
}

/// ":FILE:_files", ":SPEC:(causal window\:2)"
std::string argument(const std::string& name, const Offer& offer) {
  std::string action = " ";
  if (offer.files) action = "_files";
  const std::string words = escaped(separated(offer.words, " "), ":()");
  if (!words.empty())
    action = offer.commas ? "_values -s , " + name + " " + words : "(" + words + ")";
  return ":" + escaped(name, ":[]") + ":" + action;
}

/// One argument of _arguments for each name; "*" because an option may repeat.
std::string specs(const OptionRow& option) {
  const std::string rest = "[" + escaped(option.help, "[]:\\") + "]" +
                           (option.value.empty() ? "" : argument(option.value, offer_of(option)));
  std::string text;
  for (const std::string& name : names_of(option)) {
    text += "        " + zsh_quoted("*" + name + rest) + " \\\n";
  }
  return text;
}

std::string specs(const std::vector<OptionRow>& options) {
  std::string text;
  for (const OptionRow& option : options) text += specs(option);
  return text;
}

std::string branch(const Command& command) {
  const bool two = command.name.find(' ') != command.name.npos;
  std::string text = "    " + escaped(command.name, " ") + (two ? "" : "\\ *") + ")\n" +
                     (two ? "      shift words\n      (( CURRENT-- ))\n" : "") +
                     "      _arguments \\\n" + specs(command.options);
  text += command.operand.empty()
              ? "        && return\n"
              : "        " + zsh_quoted("*" + argument(command.operand, offer_of(command))) +
                    " && return\n";
  return text + "      ;;\n";
}

}  // namespace

std::string zsh_completions(const std::vector<Command>& commands) {
  std::string names, branches, of_two;
  for (const std::string& name : main_commands())
    names += "    " + zsh_quoted(name + ":" + escaped(find_command(name)->summary, ":")) + "\n";
  for (const Command& command : commands)
    (command.name.find(' ') == command.name.npos ? branches : of_two) += branch(command);
  return "#compdef attn\n# Completions of attn for zsh. Made by: attn completions zsh\n"
         "_attn() {\n  local curcontext=$curcontext state line\n  local -a commands\n"
         "  commands=(\n" +
         names +
         "  )\n"
         "  _arguments -C '--version[the versions of attn and its parts]' \\\n" +
         specs(common_rows(commands)) +
         "    '1:command:->command' '*::argument:->argument' && return\n"
         "  if [[ $state == command ]]; then\n"
         "    _describe -t commands command commands\n"
         "    return\n"
         "  fi\n"
         "  case \"$line[1] $line[2]\" in\n" +
         of_two + branches +
         "  esac\n}\n"
         "if [[ $funcstack[1] == _attn ]]; then _attn \"$@\"; else compdef _attn attn; fi\n";
}

}  // namespace attn::app
