// The page of a command: examples first, then its options in groups.
#include <algorithm>
#include <array>

#include "attn/tool/phrases.hpp"
#include "attn/tool/text.hpp"
#include "command_line.hpp"
#include "help/help.hpp"

namespace attn::app {
namespace {

constexpr std::ptrdiff_t kWidth = 79;
constexpr std::ptrdiff_t kColumn = 30;  // where the descriptions of options begin

/// The left column: "-o, --output FILE", with room for a short name where there is none.
std::string left_column(const OptionRow& option) {
  std::string left = names_of(option).front().starts_with("--") ? "    " : "";
  left += separated(names_of(option), ", ");
  return left + (option.value.empty() ? "" : " " + option.value);
}

/// The description of an option, then its choices unless the description names them.
std::vector<std::string> texts_of(const OptionRow& option) {
  constexpr std::ptrdiff_t kRoom = kWidth - kColumn;
  std::vector<std::string> lines = wrapped(option.help, kRoom, kRoom);
  const std::vector<std::string> choices = unnamed_choices(option);
  if (choices.empty()) return lines;
  for (std::string& line : wrapped(separated(choices, ", "), kRoom, kRoom))
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

std::string headline(const Command& command) {
  return "attn " + command.name + " - " + command.summary + "\n";
}

/// The second words of the commands that begin with the name of this one.
std::string part_lines(const Command& command) {
  std::string text;
  for (const CommandRow& row : parts_of(command.name)) {
    const std::string word = std::string(row.name).substr(command.name.size() + 1);
    text += "  " + pad_right(word, 10) + row.summary + "\n";
  }
  return text.empty() ? "" : "\nCommands:\n" + text;
}

/// With the words that the operand may be, where its own name does not list them.
std::string usage_line(const Command& command) {
  std::string usage = "Usage: attn " + command.name +
                      (command.operand.empty() ? "" : " " + command.operand) + " [OPTIONS]\n";
  if (command.operand != "FORMAT") return usage;
  const std::string words =
      command.operand + " is one of " + separated(command.operand_examples(), ", ") + ".";
  for (const std::string& line : wrapped(words, kWidth, kWidth)) usage += line + "\n";
  return usage;
}

constexpr std::array kGroups{
    GroupTitle{Group::Own, "Options", "COMMANDS"},
    GroupTitle{Group::Problem, "The problem", "THE PROBLEM"},
    GroupTitle{Group::View, "What to show", "WHAT TO SHOW"},
    GroupTitle{Group::Output, "Output", "OUTPUT"},
    GroupTitle{Group::Common, "With every command, before or after its name", "WITH EVERY COMMAND"},
};

}  // namespace

std::span<const GroupTitle> group_titles() { return kGroups; }

std::vector<std::string> unnamed_choices(const OptionRow& option) {
  const bool named =
      !option.choices.empty() && option.help.find(option.choices.front()) != option.help.npos;
  return named ? std::vector<std::string>() : option.choices;
}

std::string option_groups(const std::vector<OptionRow>& options) {
  std::string page;
  for (const GroupTitle& title : kGroups) {
    std::string lines;
    for (const OptionRow& option : options) {
      if (option.group == title.group) lines += option_lines(option);
    }
    if (!lines.empty()) page += "\n" + std::string(title.help) + ":\n" + lines;
  }
  return page;
}

std::string example_lines(const std::vector<Example>& examples) {
  const auto longest = [&](std::size_t most) {  // of those commands that are no longer than `most`
    std::size_t width = 0;
    for (const Example& each : examples) {
      if (each.command.size() <= most) width = std::max(width, each.command.size());
    }
    return width;
  };
  constexpr std::size_t kLine = 79, kAround = 5, kUsual = 42;
  std::size_t width = longest(kLine);
  const bool fits = std::all_of(examples.begin(), examples.end(), [&](const Example& each) {
    return kAround + width + each.says.size() <= kLine;
  });
  if (!fits) width = longest(kUsual);  // a longer command pushes its description to the right
  std::string text = "\nExamples:\n";
  for (const Example& each : examples) {
    text += "  " + pad_right(each.command, static_cast<std::ptrdiff_t>(width)) + "   " + each.says +
            "\n";
  }
  return text;
}

std::string command_help(const Command& command) {
  return headline(command) + (command.examples.empty() ? "" : example_lines(command.examples)) +
         "\n" + usage_line(command) + part_lines(command) + option_groups(command.options);
}

std::string brief_command_help(const Command& command) {
  constexpr std::size_t kExamples = 3;
  std::string page = headline(command) + "\n" + usage_line(command);
  if (!command.examples.empty()) {
    const auto end = command.examples.begin() +
                     static_cast<std::ptrdiff_t>(std::min(kExamples, command.examples.size()));
    page += example_lines({command.examples.begin(), end});
  }
  page += part_lines(command) + "\nOptions:\n";
  for (const OptionRow& option : command.options) {
    const bool usual = std::find(command.usual.begin(), command.usual.end(),
                                 names_of(option).back()) != command.usual.end();
    if (usual || (command.usual.empty() && option.group == Group::Own))
      page += option_lines(option);
  }
  if (command.usual.empty()) page += option_lines(*find_option(command.options, "--output"));
  return page + "\nattn " + command.name + " --help shows all options, in groups.\n";
}

}  // namespace attn::app
