// Reads the options of the version before this one, and says what they are called now.
#include "old_spellings.hpp"

#include <algorithm>

#include "attn/phrases.hpp"
#include "command_line.hpp"

namespace attn::app {
namespace {

using Words = std::vector<std::string>;

// A row stays for one version: those of version 0.2 leave with 0.4.
constexpr OldSpelling kOld[] = {
    {"check", "--summary", "--class"},
    {"exercise grade", "--summary", "--class"},
    {"exercise make", "--force", "--any-size"},
    {"exercise make", "--blanks", "--blank-cells"},
    {"exercise make", "--decimals", "--precision"},
    {"exercise export", "--to", "--format"},
    {"explain", "--answers", "--solution"},
};

/// The row about `word`, "--to" or "--to=qti", or nullptr.
const OldSpelling* find_old(const std::string& word, const Words& args) {
  const auto row = std::find_if(std::begin(kOld), std::end(kOld), [&](const OldSpelling& each) {
    return word.substr(0, word.find('=')) == each.old && is_named(each.command, args);
  });
  return row == std::end(kOld) ? nullptr : row;
}

}  // namespace

std::span<const OldSpelling> old_spellings() { return kOld; }

Respelled respelled(const Words& args) {
  Respelled today{args, ""};
  Words changes;
  const auto end = std::find(today.args.begin(), today.args.end(), "--");
  for (auto word = today.args.begin(); word != end; ++word) {
    const OldSpelling* row = find_old(*word, args);
    if (row == nullptr) continue;
    word->replace(0, std::string_view(row->old).size(), row->now);
    const std::string change = filled("{} is called {}", row->old, row->now);
    if (std::find(changes.begin(), changes.end(), change) == changes.end())
      changes.push_back(change);
  }
  if (!changes.empty())
    today.note = "note: since version 0.3, " + together(changes) + "; it is done as before\n";
  return today;
}

}  // namespace attn::app
