// What a command is made of, and what every command takes.
#pragma once

#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "attn/render/text.hpp"
#include "options/option_row.hpp"
#include "terminal.hpp"

namespace attn::app {

class Input;

enum class ColorChoice { Auto, Always, Never };

/// What every command takes, before its name or after it.
struct CommonOptions {
  std::string output;  ///< a file; "" and "-" are standard output
  ColorChoice color = ColorChoice::Auto;
  std::optional<ColorDepth> depth;  ///< of colours, where there are any
  std::string language = {};        ///< a code; empty: English, or that of the terminal
  bool ascii = false;
  Ruler ruler = {};
  std::optional<std::ptrdiff_t> width;
  bool quiet = false;
  bool errors_as_json = false;
};

/// What a command reads from and writes to; tests use strings.
struct Streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  Terminal terminal;
  CommonOptions common = {};
  bool says_language = false;  ///< --lang, or the ATTN_LANG of a terminal, says one
  bool secret = false;         ///< what the command writes to files is for their owner alone
  std::vector<std::string> outputs = {};  ///< files that the command will write, so none is read
  std::vector<std::string> given = {};    ///< options on the command line, by their last names
  /// The code of the language in which a sheet or an exercise speaks, once one has been read:
  /// errors are in it, too.
  std::shared_ptr<std::string> language_of_file = std::make_shared<std::string>();
  /// What was read from pipes, by their paths.
  std::shared_ptr<std::map<std::string, std::shared_ptr<const Input>>> pipes =
      std::make_shared<std::map<std::string, std::shared_ptr<const Input>>>();
};

/// The first of `options` that is on the command line; nullptr if none is.
const char* first_given(const Streams& streams, std::initializer_list<const char*> options);

/// An example in the help: a command that runs as it is printed.
struct Example {
  std::string command;
  std::string says;
};

/// Two options that exclude each other, and why.
struct Conflict {
  const char* one;
  const char* other;
  const char* why;
};

/// One subcommand, ready to be parsed and run.
struct Command {
  std::string name;
  std::string summary;
  std::vector<Example> examples;
  std::string operand;  ///< "[PROBLEM]", "ANSWERS…" for several; empty if the command takes none
  std::function<void(const std::string& value)> set_operand;  ///< once for each of several
  std::vector<std::string> (*operand_examples)() = nullptr;   ///< nullptr: it is a file
  bool makes_folder = false;                                  ///< -o names a folder
  bool tells_answers = false;  ///< what it writes to files is for their owner alone
  std::vector<OptionRow> options;
  std::vector<std::string> usual;   ///< names for -h, at most twelve; none: its own and -o
  std::vector<Conflict> conflicts;  ///< each option by the last of its names_of
  std::function<void(const Streams& streams)> run;
  /// Instead of `run`, for a command that answers yes or no (exit code 1).
  std::function<bool(const Streams& streams)> ask;
};

/// Moves rows to the command, into one group of the help.
void add_rows(Command& command, Group group, std::span<OptionRow> rows);
template <std::size_t N>
void add_rows(Command& command, Group group, OptionRow (&&rows)[N]) {
  add_rows(command, group, std::span(rows));
}

/// Adds the rows that every command has; `common` must outlive the command.
void add_common_options(Command& command, CommonOptions& common);

}  // namespace attn::app
