// The table of commands.
#pragma once

#include <span>

#include "command.hpp"

namespace attn::app {

/// One row of the table. A name of two words, "exercise make", is a part of the command before it.
struct CommandRow {
  const char* name;
  const char* summary;
  Command (*make)();
};

/// Every command, in the order of the help.
std::span<const CommandRow> commands();

/// The names of one word, for lists.
std::vector<std::string> main_commands();

/// The rows of two words that begin with that one.
std::vector<CommandRow> parts_of(const std::string& name);

/// nullptr if there is no command of that name.
const CommandRow* find_command(const std::string& name);

/// The command with the options that all commands have; `common` must outlive it.
Command make_command(const CommandRow& row, CommonOptions& common);

/// All commands, without unlisted options; `common` must outlive them.
std::vector<Command> every_command(CommonOptions& common);

/// Their options, each once.
std::vector<OptionRow> options_of(std::vector<Command> commands);

}  // namespace attn::app
