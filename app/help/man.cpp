// The manual page, in roff.
#include "help/help.hpp"

#include "attn/core/version.hpp"
#include "attn/phrases.hpp"
#include "attn/render/text.hpp"
#include "commands.hpp"
#include "help/error_pages.hpp"
#include "help/topics.hpp"

namespace attn::app {
namespace {

/// Text as roff needs it: no character or line is a request.
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
  const std::vector<std::string> choices = unnamed_choices(option);
  return term(left, option.help + (choices.empty() ? "" : ": " + separated(choices, ", ")));
}

std::string terms_of(const std::vector<OptionRow>& options, Group group) {
  std::string text;
  for (const OptionRow& option : options) {
    if (option.group == group) text += option_term(option);
  }
  return text;
}

/// The options that several commands share, each once.
std::string group_sections(const std::vector<Command>& commands) {
  const std::vector<OptionRow> options = options_of(commands);
  std::string text;
  for (const GroupTitle& title : group_titles()) {
    if (title.group != Group::Own) text += section(title.man) + terms_of(options, title.group);
  }
  return text;
}

std::string commands_section(const std::vector<Command>& commands) {
  std::string text = section("COMMANDS");
  for (const Command& command : commands) {
    text += ".SS " + bold("attn " + command.name) +
            (command.operand.empty() ? "" : " \\fI" + roff(command.operand) + "\\fR") + "\n" +
            roff(command.summary) + "\n" + terms_of(command.options, Group::Own);
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

std::string reading_sections() {
  std::string text = section("TOPICS");
  for (const Topic& each : topics()) {
    text += term(bold("attn help " + std::string(each.name)), each.summary);
  }
  text += section("ENVIRONMENT");
  for (const Variable& each : variables()) text += term(bold(each.name), each.says);
  return text;
}

std::string exit_section() {
  std::string text = section("EXIT STATUS");
  for (const std::vector<std::string>& row : exit_codes()) text += term(row[0], row[1]);
  return text;
}

}  // namespace

std::string man_page(const std::vector<Command>& commands) {
  return ".TH ATTN 1 \"\" \"attn " + version() + "\" \"User Commands\"\n" + section("NAME") +
         "attn \\- " + roff(purpose()) + "\n" + section("SYNOPSIS") +
         ".B attn\n.I COMMAND\n.RI [ OPTIONS ]\n" + section("DESCRIPTION") + roff(description()) +
         "\n" + examples_section(commands) + commands_section(commands) + group_sections(commands) +
         term(bold("--version"), "versions of attn and its parts") + reading_sections() +
         exit_section();
}

}  // namespace attn::app
