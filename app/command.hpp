#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "terminal.hpp"

namespace attn::app {

/// Where a command reads and writes; tests put strings there.
struct Streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  Terminal terminal;
};

/// One option. Parser, help and suggestions all follow from this row.
struct Option {
  std::string names;                 ///< "-o,--output"
  std::string value;                 ///< what follows it, "FILE"; empty for a switch
  std::string help;                  ///< one line
  std::vector<std::string> choices;  ///< the allowed values; empty: any
  std::function<void(const std::string& value)> set;
};

/// A line of the help that can be typed as it stands.
struct Example {
  std::string command;
  std::string says;
};

/// One subcommand, ready to be parsed and run.
struct Command {
  std::string name;
  std::string summary;
  std::vector<Example> examples;
  std::string operand;  ///< "[PROBLEM]"; empty if the command takes none
  std::function<void(const std::string& value)> set_operand;
  std::vector<Option> options;
  std::function<int(const Streams& streams)> run;
};

/// Reads `args` into the command's options; returns false if help was asked for.
/// Throws Error (usage): unknown options and values with a suggestion, missing values.
bool parse_arguments(const Command& command, const std::vector<std::string>& args);

/// The names that stand in Option::names, "--output" of "-o,--output" last.
std::vector<std::string> names_of(const Option& option);

std::string command_help(const Command& command);

}  // namespace attn::app
