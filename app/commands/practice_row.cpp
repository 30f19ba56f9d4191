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

/// Whether all commas can only be decimal ones: each is between two digits, and there are spaces
/// between the numbers.
bool has_decimal_commas(std::string_view text) {
  const auto is_figure = [&](std::size_t at) {
    return at < text.size() && text[at] >= '0' && text[at] <= '9';
  };
  std::size_t at = text.find(',');
  if (at == text.npos || trimmed(text).find(' ') == text.npos) return false;
  for (; at != text.npos; at = text.find(',', at + 1)) {
    if (at == 0 || !is_figure(at - 1) || !is_figure(at + 1)) return false;
  }
  return true;
}

}  // namespace

TypedRow typed_row(const std::string& line, std::size_t columns) {
  const std::string plain = replaced(opened(half_width(line)), "[]{};|\t", ' ');
  const bool points = plain.find('.') != plain.npos;
  TypedRow row = row_of(words_of(replaced(plain, ",", ' ')));
  if (points || row.numbers.size() == columns) return row;
  TypedRow decimal = row_of(words_of(replaced(plain, ",", '.')));
  decimal.commas = std::count(plain.begin(), plain.end(), ',');
  const bool fits = decimal.numbers.size() == columns && decimal.unreadable.empty();
  return fits || has_decimal_commas(plain) ? decimal : row;
}

}  // namespace attn::app
