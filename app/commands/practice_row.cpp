// Reads a row of numbers as a person types it.
#include "commands/practice_row.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>

#include "attn/arithmetic.hpp"
#include "attn/phrases.hpp"

namespace attn::app {
namespace {

/// `text` with each character of `from` replaced.
std::string replaced(std::string text, std::string_view from, char to) {
  for (char& c : text) c = from.find(c) == from.npos ? c : to;
  return text;
}

/// Without brackets around all of it.
std::string opened(const std::string& given) {
  const std::string text(trimmed(given));
  const bool around = text.starts_with('(') && text.find(')') + 1 == text.size();
  return around ? text.substr(1, text.size() - 2) : text;
}

/// Whether a sign at the begin of `text` needs a number on that side of it: "1 / 2" is one number.
bool joins(std::string_view text, bool before) {
  for (const std::string_view sign : {"/", "*", "^", "·", "×", "÷"}) {
    if (before ? text.ends_with(sign) : text.starts_with(sign)) return true;
  }
  return before && text.ends_with("√");
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) {
    const bool joined = !words.empty() && (joins(words.back(), true) || joins(word, false));
    if (joined)
      words.back() += word;
    else
      words.push_back(word);
  }
  return words;
}

TypedRow row_of(const std::vector<std::string>& words) {
  TypedRow row;
  for (const std::string& word : words) {
    const std::optional<double> number = arithmetic(word);
    const bool blank = word == "?" || word == "_";
    if (!number && !blank && row.unreadable.empty()) row.unreadable = word;
    row.numbers.push_back(number.value_or(std::numeric_limits<double>::quiet_NaN()));
  }
  return row;
}

/// Whether commas are decimal ones to all appearances: spaces separate, and at least two words are
/// digits with one comma inside.
bool has_decimal_commas(const std::string& text) {
  int decimal = 0;
  for (const std::string& word : words_of(text)) {
    const std::size_t comma = word.find(','), begin = word.find_first_not_of("+-");
    if (comma == word.npos) continue;
    const bool digits = word.find_first_not_of("0123456789,", begin) == word.npos;
    if (!digits || comma == begin || comma + 1 == word.size() || word.rfind(',') != comma)
      return false;
    ++decimal;
  }
  return decimal > 1;
}

/// `line` with spaces for the commas of Chinese, which only separate.
std::string without_wide_commas(std::string line) {
  for (const std::string comma : {"，", "、"}) {
    for (auto at = line.find(comma); at != line.npos; at = line.find(comma))
      line.replace(at, comma.size(), " ");
  }
  return line;
}

}  // namespace

TypedRow typed_row(const std::string& line, std::size_t columns) {
  const std::string plain =
      replaced(opened(half_width(without_wide_commas(line))), "[]{};|\t", ' ');
  const bool points = plain.find('.') != plain.npos;
  TypedRow row = row_of(words_of(replaced(plain, ",", ' ')));
  if (points || row.numbers.size() == columns) return row;
  TypedRow decimal = row_of(words_of(replaced(plain, ",", '.')));
  decimal.commas = std::count(plain.begin(), plain.end(), ',');
  const bool fits = decimal.numbers.size() == columns && decimal.unreadable.empty();
  return fits || has_decimal_commas(plain) ? decimal : row;
}

}  // namespace attn::app
