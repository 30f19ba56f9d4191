// A language whose texts have no letters, and the words that are left.
#include "support/silence.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace attn::testing {
namespace {

/// The key of a text with nothing but its gaps.
std::string without_letters(const std::string& key) {
  std::string text = "§";
  for (std::size_t at = key.find('{'); at != key.npos; at = key.find('{', at + 1)) {
    const std::size_t end = key.find('}', at);
    if (end == key.npos || key.find(' ', at) < end) continue;
    text += key.substr(at, end + 1 - at) + "§";
  }
  return text;
}

/// What stays in English in every language: between quotation marks, codes in brackets, pages of
/// help, and names.
std::string without_names(std::string text) {
  const std::string help = "attn help ";
  for (std::size_t at = text.find(help); at != text.npos; at = text.find(help, at))
    text.erase(at, text.find_first_of(" ;.§", at + help.size()) - at);
  for (const auto& [open, close] : {std::pair{'"', '"'}, {'\'', '\''}, {'[', ']'}}) {
    for (std::size_t at = text.find(open); at != text.npos; at = text.find(open, at)) {
      const std::size_t end = text.find(close, at + 1);
      if (end == text.npos || text.substr(at, end - at).find('\n') != text.npos) {
        ++at;
        continue;
      }
      text.erase(at, end + 1 - at);
    }
  }
  return text;
}

}  // namespace

Language silent() {
  const Language& german = language_of("de");
  Language silent{"xx", "silence", {}, {}, {}};
  for (const auto& row : german.texts) silent.texts[row.first] = without_letters(row.first);
  for (const auto& row : german.sentences) silent.sentences[row.first] = without_letters(row.first);
  return silent;
}

std::set<std::string> words_left_in(const std::string& text, const std::set<std::string>& names) {
  std::set<std::string> words;
  std::string word;
  for (const char c : without_names(text) + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
      word += c;
      continue;
    }
    const bool letters = std::all_of(word.begin(), word.end(), [](char each) {
      return std::isalpha(static_cast<unsigned char>(each));
    });
    if (letters && word.size() > 2 && !names.contains(word)) words.insert(word);
    word.clear();
  }
  return words;
}

}  // namespace attn::testing
