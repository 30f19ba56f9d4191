// What a command line says, before it is known to be right, and whether a command takes it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "attn/core/version.hpp"
#include "commands.hpp"

namespace attn::app {

struct GivenOption {
  std::string names;  ///< OptionRow::names of its row
  std::optional<std::string> value;
};

struct CommandLine {
  std::vector<GivenOption> options;  ///< those that some command has, in order
  std::vector<std::string> words;    ///< the name of the command, and what follows it
  std::vector<std::string> unknown;  ///< what looks like an option that no command has
  std::vector<std::string> args;     ///< the whole line as it was given
};

/// Splits `args` with these options, or with those of every command. If those of the named commands
/// suffice, the others are not built.
CommandLine split(const std::vector<OptionRow>& options, const std::vector<std::string>& args);
CommandLine split(const std::vector<std::string>& args);

/// The line with "--mask causal" for --causal and the like: all of which exact_spelling knows what
/// they are.
CommandLine with_exact_spellings(const CommandLine& line, const Command& command);

/// The row of the option of that name, or nullptr.
const OptionRow* find_option(const std::vector<OptionRow>& options, const std::string& name);

/// Whether that option is given; `name` is the last of its names.
bool asks_for(const std::string& name, const CommandLine& line);

/// The last name of each option that is given.
std::vector<std::string> given_names(const CommandLine& line);

/// The command that is named, or nullptr.
const CommandRow* named_command(const CommandLine& line);

/// The given common options, as far as they can be read: for messages about the rest.
CommonOptions common_options_in(const CommandLine& line);

/// Passes a value to an option. Throws Error (usage) for a word that is none of its choices.
void set(const OptionRow& option, const GivenValue& given);

/// Reads the options and the operand of the command; without a command, only the common options.
/// Throws Error (usage): unknown options and values with a suggestion, missing values, conflicts.
void read_into(const Command& command, const CommandLine& line);

/// The outputs that are named, and standard output if -o is not. Throws Error (usage) if one would
/// replace an input or another output, or go into a sealed folder (id "same-file"), or if two
/// things would come from standard input (id "option-conflict"); that of refuse_irreplaceable.
std::vector<std::string> checked_outputs(const Command& command, const CommandLine& line,
                                         const Streams& streams);

/// What splits the words: "CLI11" and its version.
Component parser_component();

}  // namespace attn::app
