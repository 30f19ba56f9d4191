// One option as a row: everything about it follows from there.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "attn/error.hpp"

namespace attn::app {

/// A wrong command line. The help of the command is added where the word of the error has no page.
Error usage_error(const std::string& id, const std::string& what, const std::string& fix);

/// Where an option stands in the help.
enum class Group { Own, Problem, View, Output, Common };

/// What an option says that is given more than once.
enum class Again {
  Refused,  ///< two values contradict each other; the same one twice does no harm
  Last,     ///< the last counts: how things look, which a script sets and a person overrides
  Adds,     ///< every one counts
};

/// The names of the rows of a table.
template <class Rows>
std::vector<std::string> names_in(const Rows& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.emplace_back(row.name);
  return names;
}

/// One option. Parser, help, suggestions, completions and man page all follow from this row.
struct Option {
  std::string names;                 ///< "-o,--output"
  std::string value;                 ///< what follows it, "FILE"; empty for a switch
  std::string help;                  ///< one line
  std::vector<std::string> choices;  ///< the allowed values; empty: any
  std::function<void(const std::string& value)> set;
  std::vector<std::string> (*examples)() = nullptr;  ///< values to offer where any is allowed
  Group group = Group::Own;
  Again again = Again::Refused;
};

/// The names that stand in Option::names, "--output" of "-o,--output" last.
std::vector<std::string> names_of(const Option& option);

// Rows. What they fill in must outlive the command.

Option flag(const std::string& names, const std::string& help, bool& on);
Option flag(const std::string& names, const std::string& help, std::function<void()> act);

/// Any text, kept as it is or taken by `set`.
Option text(const std::string& names, const std::string& value, const std::string& help,
            std::string& into);
Option text(const std::string& names, const std::string& value, const std::string& help,
            std::function<void(const std::string&)> set);

/// One of a few words.
Option choice(const std::string& names, const std::string& value, const std::string& help,
              std::vector<std::string> choices, std::function<void(const std::string&)> set);

/// A whole number from `least` to `most`, called N.
Option whole(const std::string& names, const std::string& help, long least, long most,
             std::function<void(long)> set);

/// The row, with values worth offering where any is allowed.
Option offer(Option row, std::vector<std::string> (*examples)());

/// The row, for an option that may be given more than once.
Option again(Option row, Again what);

/// A whole number from an option. Throws Error (usage) outside `least` … `most`.
long whole_number(const std::string& option, const std::string& text, long least, long most);

/// Any number from an option, -inf and -Infinity too. Throws Error (usage).
double real_number(const std::string& option, const std::string& text);

}  // namespace attn::app
