// The page of a command: examples first, then its options in groups.
#include <algorithm>

#include "attn/tool/phrases.hpp"
#include "attn/tool/text.hpp"
#include "help/help.hpp"

namespace attn::app {
namespace {

constexpr std::ptrdiff_t kWidth = 79;
constexpr std::ptrdiff_t kColumn = 30;  // where the texts of options begin

/// The left column: "-o, --output FILE", with room for a short name where there is none.
std::string left_column(const OptionRow& option) {
  std::string left = names_of(option).front().starts_with("--") ? "    " : "";
  left += separated(names_of(option), ", ");
  return left + (option.value.empty() ? "" : " " + option.value);
}

/// The text of an option, then its choices, unless the text names them.
std::vector<std::string> texts_of(const OptionRow& option) {
  constexpr std::ptrdiff_t kRoom = kWidth - kColumn;
  std::vector<std::string> lines = wrapped(option.help, kRoom, kRoom);
  if (option.choices.empty() || option.help.find(option.choices.front()) != option.help.npos)
    return lines;
  for (std::string& line : wrapped(separated(option.choices, ", "), kRoom, kRoom))
    lines.push_back(std::move(line));
  return lines;
}

std::string option_lines(const OptionRow& option) {
  std::string left = "  " + left_column(option);
  std::string page;
  if (display_width(left) + 2 > kColumn) {
    page = left + "\n";
    left.clear();
  }
  for (const std::string& text : texts_of(option)) {
    page += pad_right(left, kColumn) + text + "\n";
    left.clear();
  }
  return page;
}

std::string group_lines(const std::vector<OptionRow>& options, Group group,
                        const std::string& headline) {
  std::string text;
  for (const OptionRow& option : options) {
    if (option.group == group) text += option_lines(option);
  }
  return text.empty() ? "" : "\n" + headline + ":\n" + text;
}

}  // namespace

std::string option_groups(const std::vector<OptionRow>& options) {
  return group_lines(options, Group::Own, "Options") +
         group_lines(options, Group::Problem, "The problem") +
         group_lines(options, Group::View, "What to show") +
         group_lines(options, Group::Output, "Output") +
         group_lines(options, Group::Common, "With every command, before its name or after it");
}

std::string example_lines(const std::vector<Example>& examples) {
  constexpr std::size_t kMost = 42;  // a longer command pushes its text to the right
  std::size_t width = 0;
  for (const Example& each : examples) {
    if (each.command.size() <= kMost) width = std::max(width, each.command.size());
  }
  std::string text = "\nExamples:\n";
  for (const Example& each : examples) {
    text += "  " + pad_right(each.command, static_cast<std::ptrdiff_t>(width)) + "   " + each.says +
            "\n";
  }
  return text;
}

std::string command_help(const Command& command) {
  return "attn " + command.name + " - " + command.summary + "\n" +
         (command.examples.empty() ? "" : example_lines(command.examples)) + "\nUsage: attn " +
         command.name + (command.operand.empty() ? "" : " " + command.operand) + " [OPTIONS]\n" +
         option_groups(command.options);
}

}  // namespace attn::app
