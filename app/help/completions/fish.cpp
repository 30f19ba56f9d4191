// Completions for fish.
#include "attn/tool/phrases.hpp"
#include "help/completions/completions.hpp"

namespace attn::app {
namespace {

std::string quoted(const std::string& text) { return "'" + escaped(text, "'\\") + "'"; }

/// "-s o -l output"
std::string names(const OptionRow& option) {
  std::string text;
  for (const std::string& name : names_of(option)) {
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  return text;
}

std::string arguments(const OptionRow& option) {
  if (option.value.empty()) return "";
  const Offer offer = offer_of(option);
  if (offer.files) return " -r -F";
  if (offer.words.empty()) return " -x";
  const std::string words = separated(offer.words, " ");
  return " -x -a " + quoted(offer.commas ? "(__fish_append , " + words + ")" : words);
}

std::string row(const std::string& start, const OptionRow& option) {
  return start + names(option) + arguments(option) + " -d " + quoted(option.help) + "\n";
}

}  // namespace

std::string fish_completions(const std::vector<Command>& commands) {
  std::vector<std::string> all;
  for (const Command& command : commands) all.push_back(command.name);
  const std::string start =
      "complete -c attn -n 'not __fish_seen_subcommand_from " + separated(all, " ") + "'";
  std::string text =
      "# Completions of attn for fish. Made by: attn completions fish\ncomplete -c attn -f\n";
  text += start + " -l version -d 'the versions of attn and its parts'\n";
  for (const OptionRow& option : common_rows(commands)) text += row(start, option);
  for (const Command& command : commands) {
    text += start + " -a " + command.name + " -d " + quoted(command.summary) + "\n";
  }
  for (const Command& command : commands) {
    const std::string here =
        "complete -c attn -n '__fish_seen_subcommand_from " + command.name + "'";
    const Offer operand = offer_of(command);
    if (operand.files) text += here + " -F\n";
    if (!operand.words.empty())
      text += here + " -a " + quoted(separated(operand.words, " ")) + "\n";
    for (const OptionRow& option : command.options) {
      text += row(here, option);
    }
  }
  return text;
}

}  // namespace attn::app
