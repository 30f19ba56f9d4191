// The page of a command: examples first, then its options in groups.
#include <algorithm>
#include <array>

#include "attn/phrases.hpp"
#include "command_line.hpp"
#include "help/help.hpp"

namespace attn::app {
namespace {

constexpr std::ptrdiff_t kOptionWidth = 26;  // the descriptions of all groups line up

/// The left column: "-o, --output FILE", with room for a short name where there is none.
std::string left_column(const OptionRow& option) {
  std::string left = names_of(option).front().starts_with("--") ? "    " : "";
  left += separated(names_of(option), ", ");
  return left + (option.value.empty() ? "" : " " + option.value);
}

/// An option and its description, then its choices unless the description names them.
void add_option(Table& table, const OptionRow& option) {
  table.rows.push_back({left_column(option), option.help});
  const std::vector<std::string> choices = unnamed_choices(option);
  if (!choices.empty()) table.rows.push_back({"", separated(choices, ", ")});
}

Table option_table() {
  Table table = terms({});
  table.left = kOptionWidth;
  return table;
}

Title headline(const Command& command) {
  return {"attn " + command.name + " - " + command.summary};
}

/// The second words of the commands that begin with the name of this one.
void add_parts(Document& page, const Command& command) {
  Table table = terms({});
  for (const CommandRow& row : parts_of(command.name))
    table.rows.push_back({std::string(row.name).substr(command.name.size() + 1), row.summary});
  if (!table.rows.empty()) add_section(page, "Commands:", table);
}

/// With the words that the operand may be, where its own name does not list them.
void add_usage(Document& page, const Command& command) {
  page.blocks.emplace_back(Title{"Usage: attn " + command.name +
                                 (command.operand.empty() ? "" : " " + command.operand) +
                                 " [OPTIONS]"});
  if (command.operand != "FORMAT") return;
  page.blocks.emplace_back(Paragraph{command.operand + " is one of " +
                                     separated(command.operand_examples(), ", ") + "."});
}

constexpr std::array kGroups{
    GroupTitle{Group::Own, "Options", "COMMANDS"},
    GroupTitle{Group::Problem, "The problem", "THE PROBLEM"},
    GroupTitle{Group::Setting, "Settings", "SETTINGS"},
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

Table terms(std::vector<std::vector<std::string>> rows) {
  return {.header = {"", ""}, .rows = std::move(rows), .texts = 2, .hangs = true};
}

void add_section(Document& page, const std::string& heading, const Table& table) {
  page.blocks.emplace_back(Title{.text = heading, .level = 2});
  page.blocks.emplace_back(table);
}

namespace {

/// The names of the settings that are not listed, which have a page of their own.
void add_settings(Document& page, const std::vector<OptionRow>& options) {
  std::vector<std::string> names;
  for (const OptionRow& option : options) {
    if (option.group == Group::Setting) names.push_back(names_of(option).back().substr(2));
  }
  if (names.empty()) return;
  page.blocks.emplace_back(
      Paragraph{"More settings (attn help settings), as --softcap 2 or --set softcap=2: " +
                listed(names, names.size()) + "."});
}

}  // namespace

void add_option_groups(Document& page, const std::vector<OptionRow>& options) {
  for (const GroupTitle& title : kGroups) {
    if (title.group == Group::Setting) {
      add_settings(page, options);
      continue;
    }
    Table table = option_table();
    for (const OptionRow& option : options) {
      if (option.group == title.group) add_option(table, option);
    }
    if (!table.rows.empty()) add_section(page, std::string(title.help) + ":", table);
  }
}

void add_examples(Document& page, std::span<const Example> examples) {
  Table table = terms({});
  table.commands = true;
  for (const Example& each : examples) table.rows.push_back({each.command, each.says});
  if (!table.rows.empty()) add_section(page, "Examples:", table);
}

Document command_help(const Command& command) {
  Document page{{headline(command)}};
  add_examples(page, command.examples);
  add_usage(page, command);
  if (command.operand.find("PROBLEM") != command.operand.npos)
    page.blocks.emplace_back(
        Paragraph{"PROBLEM is a file, a sample (such as 06), a model's folder, a trace, or -."});
  add_parts(page, command);
  add_option_groups(page, command.options);
  return page;
}

Document brief_command_help(const Command& command) {
  constexpr std::size_t kExamples = 3;
  Document page{{headline(command)}};
  add_usage(page, command);
  add_examples(page,
               std::span(command.examples).first(std::min(kExamples, command.examples.size())));
  add_parts(page, command);
  Table table = option_table();
  for (const OptionRow& option : command.options) {
    const bool usual = std::find(command.usual.begin(), command.usual.end(),
                                 names_of(option).back()) != command.usual.end();
    if (usual || (command.usual.empty() && option.group == Group::Own)) add_option(table, option);
  }
  if (command.usual.empty()) add_option(table, *find_option(command.options, "--output"));
  add_section(page, "Options:", table);
  page.blocks.emplace_back(
      Paragraph{"attn " + command.name + " --help shows all options, in groups.", Role::Footer});
  return page;
}

}  // namespace attn::app
