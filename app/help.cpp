#include "help.hpp"

#include <algorithm>

#include "attn/error.hpp"
#include "attn/suggest.hpp"
#include "attn/text.hpp"
#include "attn/words.hpp"
#include "commands/commands.hpp"
#include "error_words.hpp"
#include "files.hpp"
#include "topics.hpp"

namespace attn::app {
namespace {

std::string line(const std::string& name, const std::string& summary) {
  return "  " + pad_right(name, 12) + summary + "\n";
}

std::string examples_and_commands() {
  std::string text =
      "attn - see attention computed, step by step\n\nExamples:\n"
      "  attn explain --mask causal         all steps on a built-in sample\n"
      "  attn explain --cell weights:1,0    how one number is made\n"
      "  attn new --list                    more samples\n\nCommands:\n";
  for (const CommandRow& row : commands()) text += line(row.name, row.summary);
  return text;
}

/// All commands and topics.
std::string long_help() {
  std::string text = examples_and_commands() + "\nTopics:\n";
  for (const Topic& topic : topics()) text += line(topic.name, topic.summary);
  return text + "\nattn help NAME tells more about any of them.\n";
}

/// The left column: "-o, --output FILE", with room for a short name where there is none.
std::string left_column(const Option& option) {
  const std::vector<std::string> names = names_of(option);
  const std::string left =
      names.size() > 1 ? names.front() + ", " + names.back() : "    " + names.front();
  return left + (option.value.empty() ? "" : " " + option.value);
}

std::string option_lines(const Option& option) {
  std::string text = "  " + pad_right(left_column(option), 26) + "  " + option.help + "\n";
  if (option.choices.empty()) return text;
  if (option.help.find(option.choices.front()) != option.help.npos) return text;
  return text + std::string(30, ' ') + listed(option.choices, option.choices.size()) + "\n";
}

/// The options of a group below its headline; nothing if there are none.
std::string group_lines(const Command& command, Group group, const std::string& headline) {
  std::string text;
  for (const Option& option : command.options) {
    if (option.group == group) text += option_lines(option);
  }
  return text.empty() ? "" : "\n" + headline + ":\n" + text;
}

std::string example_lines(const std::vector<Example>& examples) {
  std::size_t width = 0;
  for (const Example& each : examples) width = std::max(width, each.command.size());
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
         group_lines(command, Group::Own, "Options") +
         group_lines(command, Group::Problem, "The problem") +
         group_lines(command, Group::View, "What to show") +
         group_lines(command, Group::Output, "Output");
}

Error unknown_topic(const std::string& name) {
  return {
      ErrorKind::Usage,
      {{.id = "unknown-topic",
        .what = "there is no command or topic \"" + name + "\"" + did_you_mean(name, page_names()),
        .fix = "See all commands and topics with attn help.",
        .help = "attn help"}}};
}

}  // namespace

std::string short_help() {
  return examples_and_commands() + "\nattn help COMMAND tells more, attn --help lists all.\n";
}

std::vector<std::string> page_names() {
  std::vector<std::string> names;
  for (const CommandRow& row : commands()) names.emplace_back(row.name);
  for (const Topic& topic : topics()) names.emplace_back(topic.name);
  for (const ErrorWord& word : error_words()) {
    const std::string id = word.id;
    if (id.find('-') != id.npos) names.push_back(id);
  }
  return names;
}

std::string help_on(const std::string& name) {
  if (name == "help") return long_help();
  if (const CommandRow* row = find_command(name)) {
    CommonOptions common;
    return command_help(make_command(*row, common));
  }
  for (const Topic& topic : topics()) {
    if (name == topic.name) return topic.text();
  }
  if (const ErrorWord* word = find_error_word(name)) return error_word_page(*word);
  throw unknown_topic(name);
}

void print_page(std::string page, const Streams& streams) {
  if (streams.common.ascii || !streams.terminal.utf8) {
    // Dots in pictures are full stops.
    for (std::size_t at = page.find(" ·"); at != page.npos; at = page.find(" ·", at)) {
      page.replace(at, std::string(" ·").size(), " .");
    }
    page = to_ascii(page);
  }
  write_output(streams.common.output, page, streams);
}

}  // namespace attn::app
