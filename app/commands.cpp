// A row with name, summary and maker for each command; finds rows, and gathers options.
#include "commands.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace attn::app {

// To add a command: its file in commands/, its function and a row here.
Command check_command();
Command compare_command();
Command completions_command();
Command convert_command();
Command exercise_command();
Command exercise_export_command();
Command exercise_grade_command();
Command exercise_key_command();
Command exercise_make_command();
Command exercise_mutants_command();
Command exercise_rules_command();
Command exercise_verify_command();
Command explain_command();
Command generate_command();
Command heatmap_command();
Command help_command();
Command lesson_command();
Command man_command();
Command new_command();
Command practice_command();
Command schema_command();
Command tokens_command();

namespace {

constexpr std::array kCommands{
    CommandRow{"explain", "print every step with shapes, formulas and numbers", explain_command},
    CommandRow{"heatmap", "draw one step as a picture, as text or SVG", heatmap_command},
    CommandRow{"compare", "show where two settings or files differ, step by step", compare_command},
    CommandRow{"lesson", "follow a guided experiment, with questions", lesson_command},
    CommandRow{"practice", "fill in the steps yourself, with hints", practice_command},
    CommandRow{"generate", "let a whole model choose the next tokens", generate_command},
    CommandRow{"tokens", "split a text into the tokens of a model", tokens_command},
    CommandRow{"check", "find the mistakes in your own matrices", check_command},
    CommandRow{"exercise", "make worksheets for a class, and check that each can be graded",
               exercise_command},
    CommandRow{"exercise make", "write sheets, and the key that grades them",
               exercise_make_command},
    CommandRow{"exercise verify", "check again that the sheets, or a problem, show mistakes",
               exercise_verify_command},
    CommandRow{"exercise key", "solve one student's sheet, step by step", exercise_key_command},
    CommandRow{"exercise grade", "grade what a class handed in, and write a gradebook",
               exercise_grade_command},
    CommandRow{"exercise export", "write the sheets for Moodle, Canvas, Gradescope",
               exercise_export_command},
    CommandRow{"exercise mutants", "write every wrong output of a problem, to test a grader",
               exercise_mutants_command},
    CommandRow{"exercise rules", "list every mistake that grading can name",
               exercise_rules_command},
    CommandRow{"convert", "write a problem, or a sheet, in another format", convert_command},
    CommandRow{"new", "write a problem file to start from", new_command},
    CommandRow{"schema", "print the JSON Schema of a file format", schema_command},
    CommandRow{"completions", "let your shell complete commands and options", completions_command},
    CommandRow{"man", "print the manual page, in roff", man_command},
    CommandRow{"help", "explain a command, a topic, an error or a mistake", help_command},
};

}  // namespace

std::span<const CommandRow> commands() { return kCommands; }

std::vector<std::string> main_commands() {
  std::vector<std::string> names = names_in(kCommands);
  std::erase_if(names, [](const std::string& name) { return name.find(' ') != name.npos; });
  return names;
}

std::vector<CommandRow> parts_of(const std::string& name) {
  std::vector<CommandRow> parts;
  for (const CommandRow& row : kCommands) {
    if (std::string(row.name).starts_with(name + " ")) parts.push_back(row);
  }
  return parts;
}

const CommandRow* find_command(const std::string& name) { return find_row(kCommands, name); }

const char* first_given(const Streams& streams, std::initializer_list<const char*> options) {
  const auto* at = std::find_first_of(options.begin(), options.end(), streams.given.begin(),
                                      streams.given.end(), std::equal_to<>());
  return at == options.end() ? nullptr : *at;
}

void add_rows(Command& command, Group group, std::span<OptionRow> rows) {
  constexpr std::size_t kMost = 64;  // enough for most commands
  command.options.reserve(kMost);
  for (OptionRow& row : rows) {
    row.group = group;
    command.options.push_back(std::move(row));
  }
}

Command make_command(const CommandRow& row, CommonOptions& common) {
  Command command = row.make();
  command.name = row.name;
  command.summary = row.summary;
  add_common_options(command, common);
  return command;
}

std::vector<Command> every_command(CommonOptions& common) {
  std::vector<Command> all;
  for (const CommandRow& row : kCommands) {
    all.push_back(make_command(row, common));
    std::erase_if(all.back().options,
                  [](const OptionRow& option) { return option.group == Group::Unlisted; });
  }
  return all;
}

std::vector<OptionRow> options_of(std::vector<Command> commands) {
  std::vector<OptionRow> options;
  std::set<std::string> seen;
  for (Command& command : commands) {
    for (OptionRow& option : command.options) {
      if (seen.insert(option.names).second) options.push_back(std::move(option));
    }
  }
  return options;
}

}  // namespace attn::app
