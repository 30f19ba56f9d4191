// Reads the options of the version before this one, and says what they are called now.
#include "old_spellings.hpp"

#include <algorithm>

#include "attn/phrases.hpp"
#include "commands.hpp"

namespace attn::app {
namespace {

using Words = std::vector<std::string>;

// A row stays for one version: those of version 0.2 leave with 0.4. The lasting ones are names that
// courses and programs of other people rely on: they stay for good, beside today's.
constexpr OldSpelling kOld[] = {
    {"check", "--gradebook", "--gradebook", "exercise grade"},
    {"check", "--summary", "--class", "exercise grade"},
    {"check", "--reports", "--reports", "exercise grade"},
    {"check", "--id-regex", "--id-regex", "exercise grade"},
    {"check", "--latest", "--latest", "exercise grade"},
    {"exercise grade", "--summary", "--class"},
    {"exercise make", "--force", "--any-size"},
    {"exercise make", "--blanks", "--blank-cells"},
    {"exercise make", "--decimals", "--precision"},
    {"exercise export", "--to", "--format", nullptr, true},
    {"explain", "--answers", "--solution", nullptr, true},
    {"new", "--force", ""},
    {"lesson", "--force", ""},
};

/// The command that the words name first, in one word or two; "" if they name none.
std::string command_in(const Words& args) {
  for (const std::string& word : args) {
    if (find_command(word) == nullptr) continue;
    for (const std::string& other : args) {
      if (find_command(word + " " + other) != nullptr) return word + " " + other;
    }
    return word;
  }
  return "";
}

/// The row about `word`, "--to" or "--to=qti", or nullptr.
const OldSpelling* find_old(const std::string& word, const std::string& command) {
  const auto row = std::find_if(std::begin(kOld), std::end(kOld), [&](const OldSpelling& each) {
    return word.substr(0, word.find('=')) == each.old && command == each.command;
  });
  return row == std::end(kOld) ? nullptr : row;
}

/// "--decimals is called --precision now".
std::string said(const OldSpelling& row) {
  const std::string old = row.old;
  if (*row.now == '\0') return old + " is not needed now, as -o replaces a file that is there";
  const std::string command =
      row.now_command == nullptr ? "" : "attn " + std::string(row.now_command) + " ";
  return old + " is called " + command + row.now + " now";
}

/// The words with those of the other command in place of its name.
Words moved_to(const std::string& command, const OldSpelling& row, Words args) {
  const auto at = args.erase(std::find(args.begin(), args.end(), row.command));
  const std::size_t space = command.find(' ');
  args.insert(at, {command.substr(0, space), command.substr(space + 1)});
  return args;
}

}  // namespace

std::span<const OldSpelling> old_spellings() { return kOld; }

Respelled respelled(const Words& args) {
  Respelled today;
  Words changes;
  const OldSpelling* moved = nullptr;
  const std::string command = command_in(args);
  const auto end = std::find(args.begin(), args.end(), "--");
  for (auto word = args.begin(); word != end; ++word) {
    const OldSpelling* row = find_old(*word, command);
    if (row == nullptr) {
      today.args.push_back(*word);
      continue;
    }
    if (row->now_command != nullptr) moved = row;
    const std::string rest = word->substr(std::string_view(row->old).size());
    if (*row->now != '\0') today.args.push_back(row->now + rest);
    if (row->lasting) continue;
    const std::string change = said(*row);
    if (std::find(changes.begin(), changes.end(), change) == changes.end())
      changes.push_back(change);
  }
  today.args.insert(today.args.end(), end, args.end());
  if (moved != nullptr) today.args = moved_to(moved->now_command, *moved, std::move(today.args));
  if (!changes.empty()) today.note = "note: " + together(changes) + "; it is done as before\n";
  return today;
}

}  // namespace attn::app
