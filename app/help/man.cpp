// The manual page, in roff.
#include "help/help.hpp"

#include <algorithm>

#include "attn/tool/phrases.hpp"
#include "attn/tool/text.hpp"
#include "attn/version.hpp"
#include "help/topics.hpp"

namespace attn::app {
namespace {

/// Text that roff takes as it stands: no character or line is a request.
std::string roff(const std::string& text) {
  std::string safe = text.starts_with(".") || text.starts_with("'") ? "\\&" : "";
  for (const char c : to_ascii(text)) {
    safe += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  }
  return safe;
}

std::string section(const std::string& title) { return ".SH " + title + "\n"; }

std::string bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }

/// A term and what it means.
std::string term(const std::string& left, const std::string& meaning) {
  return ".TP\n" + left + "\n" + roff(meaning) + "\n";
}

std::string option_term(const OptionRow& option) {
  std::string left;
  for (const std::string& name : names_of(option)) left += (left.empty() ? "" : ", ") + bold(name);
  if (!option.value.empty()) left += " \\fI" + roff(option.value) + "\\fR";
  std::string meaning = option.help;
  if (!option.choices.empty() && meaning.find(option.choices.front()) == meaning.npos) {
    meaning += ": " + listed(option.choices, option.choices.size());
  }
  return term(left, meaning);
}

/// The options of a group in all commands, each once.
std::string group_section(const std::vector<Command>& commands, Group group,
                          const std::string& title) {
  std::string text = section(title);
  std::vector<std::string> seen;
  for (const Command& command : commands) {
    for (const OptionRow& option : command.options) {
      if (option.group != group) continue;
      if (std::find(seen.begin(), seen.end(), option.names) != seen.end()) continue;
      seen.push_back(option.names);
      text += option_term(option);
    }
  }
  return text;
}

std::string commands_section(const std::vector<Command>& commands) {
  std::string text = section("COMMANDS");
  for (const Command& command : commands) {
    text += ".SS " + bold("attn " + command.name) +
            (command.operand.empty() ? "" : " \\fI" + roff(command.operand) + "\\fR") + "\n" +
            roff(command.summary) + "\n";
    for (const OptionRow& option : command.options) {
      if (option.group == Group::Own) text += option_term(option);
    }
  }
  return text;
}

std::string examples_section(const std::vector<Command>& commands) {
  std::string text = section("EXAMPLES");
  for (const Command& command : commands) {
    for (const Example& each : command.examples) text += term(bold(each.command), each.says);
  }
  return text;
}

std::string topics_section() {
  std::string text = section("TOPICS");
  for (const Topic& topic : topics()) {
    text += term(bold("attn help " + std::string(topic.name)), topic.summary);
  }
  return text;
}

std::string environment_section() {
  std::string text = section("ENVIRONMENT");
  for (const Variable& each : variables()) text += term(bold(each.name), each.says);
  return text;
}

std::string exit_section() {
  return section("EXIT STATUS") + term("0", "success") +
         term("1", "kept for commands that compare: the answer is no") +
         term("2", "the command line is wrong") + term("3", "the input is wrong") +
         term("4", "a file cannot be read or written") + term("70", "a bug in attn");
}

}  // namespace

std::string man_page(const std::vector<Command>& commands) {
  return ".TH ATTN 1 \"\" \"attn " + version() + "\" \"User Commands\"\n" + section("NAME") +
         "attn \\- see attention computed, step by step\n" + section("SYNOPSIS") +
         ".B attn\n.I COMMAND\n.RI [ OPTIONS ]\n" + section("DESCRIPTION") +
         roff(
             "Reads embeddings and weights from JSON, runs self, multi-head, masked and cross "
             "attention, and prints every matrix on the way, with shapes, formulas and worked "
             "numbers. Without a file it explains a built-in sample.") +
         "\n" + examples_section(commands) + commands_section(commands) +
         group_section(commands, Group::Problem, "THE PROBLEM") +
         group_section(commands, Group::View, "WHAT TO SHOW") +
         group_section(commands, Group::Output, "OUTPUT") +
         group_section(commands, Group::Common, "WITH EVERY COMMAND") +
         term(bold("--version"), "versions of attn and its parts") + topics_section() +
         environment_section() + exit_section();
}

}  // namespace attn::app
