// An option as a row, from which everything about it follows.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "attn/error.hpp"

namespace attn::app {

/// A wrong command line. Where `help` is empty, the page of `id` or of the command is added.
Error usage_error(const std::string& id, const std::string& what, const std::string& fix,
                  const std::string& help = "");

/// What is said of every option that changes nothing: "--depth has no effect: there is no --cell".
std::string no_effect(const std::string& option, const std::string& why);

/// `value` is none of the words that the option takes.
Error unknown_choice(const std::string& option, const std::string& value,
                     const std::vector<std::string>& choices);

/// `error` as a wrong command line: what the user gave in `place`, such as "--mask causal", is
/// wrong.
Error usage_error_at(const std::string& place, const Error& error);

/// The part of the help that lists an option.
enum class Group {
  Own,
  Problem,
  View,
  Output,
  Common,
  Setting,   ///< of the problem, after --set or as an option; attn help settings lists them
  Same,      ///< the same as a value of another option, whose help names it
  Unlisted,  ///< always refused by this command, with the reason
};

/// What it means to give an option more than once.
enum class Again {
  Refused,  ///< two values contradict each other; the same value twice is harmless
  Last,     ///< the last counts: for appearance, which a script sets and a person overrides
  Adds,     ///< every one counts
};

/// How one value of an option holds several.
enum class List {
  No,
  Commas,  ///< "scores,weights"
  Words,   ///< "the cat", in quotation marks
};

/// What a command does with a file or folder.
enum class PathUse {
  Input,
  Output,
  OutputFolder,
  SealedFolder,  ///< is read, and nothing may be written into it
};

/// A path on the command line, and the option or operand whose value it is.
struct NamedPath {
  PathUse use;
  std::string option, path;
};

/// Throws Error (usage, id "empty-path") for a path without characters; `what` takes the path.
void require_path(const std::string& what, const std::string& path);

/// The names of the rows of a table.
template <class Rows>
std::vector<std::string> names_in(const Rows& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.emplace_back(row.name);
  return names;
}

/// The row of that name in a table, or nullptr.
template <class Rows>
auto find_row(const Rows& rows, const std::string& name) -> decltype(&*std::begin(rows)) {
  for (const auto& row : rows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

/// The value of an option as it was given, "--fill 0.5"; for a side of a comparison "fill=0.5".
struct GivenValue {
  std::string name, value, mark = " ";
  std::string with(const std::string& other) const { return name + mark + other; }
  std::string written() const { return with(value); }
  operator const std::string&() const { return value; }
};
using SetValue = std::function<void(const GivenValue& given)>;

/// What `parse` makes of the value; its errors are about the command line, and in this place.
template <class Parse>
auto parsed(const GivenValue& given, Parse parse) {
  try {
    return parse(given.value);
  } catch (const Error& error) {
    throw usage_error_at(given.written(), error);
  }
}

/// One option. Parser, help, suggestions, completions and man page all follow from this row.
struct OptionRow {
  std::string names;                 ///< "-o,--output"
  std::string value;                 ///< what follows it, "FILE"; empty for a switch
  std::string help;                  ///< one line
  std::vector<std::string> choices;  ///< the allowed values; empty: any
  SetValue set;
  std::function<std::vector<std::string>()> examples =
      {};  ///< values to offer where any is allowed
  Group group = Group::Own;
  Again again = Again::Refused;
  List list = List::No;
  std::function<std::vector<NamedPath>(const std::string& value)> paths = {};  ///< in a value
};

/// The names in OptionRow::names, "--output" of "-o,--output" last.
std::vector<std::string> names_of(const OptionRow& option);

/// A whole number from an option. Throws Error (usage) outside `least` … `most`.
std::int64_t whole_number(const GivenValue& given, std::int64_t least, std::int64_t most);

/// "0.5" for "0,5", a number with a decimal comma; empty for any other text.
std::string with_point(const std::string& text);

/// Any number from an option, -inf and -Infinity too. Throws Error (usage).
double real_number(const GivenValue& given);

// Rows. What they fill in must outlive the command.

/// What a field holds, optional or not.
template <class Field>
struct Held {
  using type = Field;
};
template <class T>
struct Held<std::optional<T>> {
  using type = T;
};

OptionRow flag(std::string_view names, std::string_view help, std::function<void()> act);
template <class Field>
OptionRow flag(std::string_view names, std::string_view help, Field& into,
               typename Held<Field>::type value = true) {
  return flag(names, help, [&into, value] { into = value; });
}

/// Any text, kept as it is or taken by `set`.
OptionRow text(std::string_view names, std::string_view value, std::string_view help,
               std::string& into);
OptionRow text(std::string_view names, std::string_view value, std::string_view help, SetValue set);

/// The path of a file or folder.
OptionRow file(std::string_view names, std::string_view value, std::string_view help, PathUse use,
               std::string& into);
OptionRow file(std::string_view names, std::string_view value, std::string_view help, PathUse use,
               SetValue set);

/// One of a few words.
OptionRow choice(std::string_view names, std::string_view value, std::string_view help,
                 std::vector<std::string> choices, SetValue set);

/// One of a few words, and what each means.
template <class Field>
OptionRow choice(std::string_view names, std::string_view value, std::string_view help,
                 std::initializer_list<std::pair<const char*, typename Held<Field>::type>> meanings,
                 Field& into) {
  std::vector<std::string> words;
  for (const auto& [word, meaning] : meanings) words.emplace_back(word);
  return choice(names, value, help, std::move(words),
                [meanings = std::vector(meanings), &into](const std::string& given) {
                  for (const auto& [word, meaning] : meanings) {
                    if (word == given) into = meaning;
                  }
                });
}

/// A whole number from `least` to `most`, called N.
template <class Field>
OptionRow whole(std::string_view names, std::string_view help, std::int64_t least,
                std::int64_t most, Field& into) {
  return text(names, "N", help, [=, &into](const GivenValue& given) {
    into = static_cast<typename Held<Field>::type>(whole_number(given, least, most));
  });
}

/// The row, with values worth offering where any is allowed.
OptionRow offer(OptionRow row, std::function<std::vector<std::string>()> examples);

/// The row, for an option whose value is a list.
OptionRow list(OptionRow row, List how);

/// The row, for an option that may be given more than once.
OptionRow again(OptionRow row, Again what);

}  // namespace attn::app
