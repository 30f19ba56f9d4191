// attn exercise: the page of the commands that begin with it.
#include "attn/suggest.hpp"
#include "commands.hpp"
#include "help/help.hpp"

namespace attn::app {
namespace {

std::vector<std::string> part_names() {
  std::vector<std::string> names;
  for (const CommandRow& row : parts_of("exercise"))
    names.push_back(std::string(row.name).substr(std::string("exercise ").size()));
  return names;
}

}  // namespace

Command exercise_command() {
  Command command;
  command.examples = {{"attn exercise make --preset causal -o week1", "one sheet, and its key"},
                      {"attn exercise verify week1", "check the sheet and key again"},
                      {"attn exercise key week1", "the solved sheet, step by step"}};
  command.operand = "COMMAND";
  command.operand_examples = part_names;
  command.set_operand = [](const std::string& name) {
    throw usage_error(
        "unknown-command",
        "there is no command \"exercise " + name + "\"" + did_you_mean(name, part_names()),
        "attn exercise --help lists them all.");
  };
  command.run = [](const Streams& streams) { print_page(help_on("exercise"), streams); };
  return command;
}

}  // namespace attn::app
