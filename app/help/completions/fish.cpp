// Completions for fish.
#include "attn/phrases.hpp"
#include "commands.hpp"
#include "help/completions/completions.hpp"

namespace attn::app {
namespace {

std::string fish_quoted(const std::string& text) { return "'" + escaped(text, "'\\") + "'"; }

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
  return " -x -a " + fish_quoted(offer.commas ? "(__fish_append , " + words + ")" : words);
}

/// Holds once the words of a command's name are there, and no word that makes it another command.
std::string condition(const std::string& name) {
  const std::size_t space = name.find(' ');
  std::string text = "__fish_seen_subcommand_from " + name.substr(0, space);
  if (space != name.npos) text += "; and __fish_seen_subcommand_from " + name.substr(space + 1);
  std::string others;
  for (const CommandRow& part : parts_of(name))
    others += " " + std::string(part.name).substr(name.size() + 1);
  if (!others.empty()) text += "; and not __fish_seen_subcommand_from" + others;
  return text;
}

std::string row(const std::string& start, const OptionRow& option) {
  return start + names(option) + arguments(option) + " -d " + fish_quoted(option.help) + "\n";
}

}  // namespace

std::string fish_completions(const std::vector<Command>& commands) {
  const std::string start = "complete -c attn -n 'not __fish_seen_subcommand_from " +
                            separated(main_commands(), " ") + "'";
  std::string text =
      "# Completions of attn for fish. Made by: attn completions fish\ncomplete -c attn -f\n";
  text += start + " -l version -d 'the versions of attn and its parts'\n";
  for (const OptionRow& option : common_rows(commands)) text += row(start, option);
  for (const std::string& name : main_commands()) {
    text += start + " -a " + name + " -d " + fish_quoted(find_command(name)->summary) + "\n";
  }
  for (const Command& command : commands) {
    const std::string here = "complete -c attn -n '" + condition(command.name) + "'";
    const Offer operand = offer_of(command);
    if (operand.files) text += here + " -F\n";
    if (!operand.words.empty())
      text += here + " -a " + fish_quoted(separated(operand.words, " ")) + "\n";
    for (const OptionRow& option : command.options) {
      text += row(here, option);
    }
  }
  return text;
}

}  // namespace attn::app
