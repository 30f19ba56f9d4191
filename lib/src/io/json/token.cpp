// Cuts a JSON text into words, and describes them.
#include "io/json/token.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/text/ascii.hpp"

namespace attn::json {
namespace {

constexpr std::size_t kLongest = 40;  // characters of a token shown in a message

std::size_t string_end(std::string_view text, std::size_t at) {
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      return i + 1;
    }
  }
  return text.size();
}

std::size_t skip(std::string_view text, std::size_t at, std::string_view characters) {
  const std::size_t found = text.find_first_not_of(characters, at);
  return found == std::string_view::npos ? text.size() : found;
}

/// The offset of the character after `count` characters of UTF-8, or the size of the text.
std::size_t after_characters(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  while (at < text.size() && count > 0) {
    ++at;
    while (at < text.size() && (text[at] & 0xC0) == 0x80) ++at;
    --count;
  }
  return at;
}

const char* describe_list(char first) {
  if (first == ']') return "an empty list";
  if (first == '[') return "a list of lists";
  if (first == '{') return "a list of objects";
  if (first == '"') return "a list of strings";
  return first == '-' || is_digit(first) ? "a list of numbers" : "a list";
}

bool is_value(const std::string& word) {
  return word == "true" || word == "false" || word == "null" ||
         (is_number(word) && std::isfinite(std::strtod(word.c_str(), nullptr)));
}

}  // namespace

bool is_word(char c) {
  return is_digit(c) || is_letter(c) || c == '_' || c == '.' || c == '+' || c == '-';
}

std::size_t skip_space(std::string_view text, std::size_t at) { return skip(text, at, " \t\r\n"); }

std::size_t skip_separators(std::string_view text, std::size_t at) {
  return skip(text, at, " \t\r\n,:");
}

std::size_t token_end(std::string_view text, std::size_t at) {
  if (at >= text.size()) return text.size();
  if (text[at] == '"') return string_end(text, at);
  std::size_t end = at;
  // A fraction such as 1/2 is one word, so that it can be named as a whole.
  const auto fraction = [&] {
    return text[end] == '/' && end > at && end + 1 < text.size() && is_digit(text[end + 1]);
  };
  while (end < text.size() && (is_word(text[end]) || fraction())) ++end;
  return end > at ? end : at + after_characters(text.substr(at), 1);
}

std::size_t bracket_end(std::string_view text, std::size_t at) {
  constexpr std::size_t kMostOpen = 10000;  // a text of brackets alone would take its size again
  std::string closing;                      // of all that are open
  for (std::size_t end = token_end(text, at); at < text.size() && closing.size() < kMostOpen;
       end = token_end(text, at)) {
    const char first = text[at];
    if (first == '[' || first == '{') closing += first == '[' ? ']' : '}';
    if ((first == ']' || first == '}') && (closing.empty() || closing.back() != first)) break;
    if (first == ']' || first == '}') closing.pop_back();
    if (first == '"' && text.substr(at, end - at).find('\n') != text.npos) break;
    if (closing.empty()) return end;
    at = skip_space(text, end);
  }
  return text.npos;
}

std::string token_text(std::string_view text, std::size_t at) {
  const std::string_view token = text.substr(at, token_end(text, at) - at);
  const std::size_t cut = after_characters(token, kLongest);
  if (cut == token.size()) return std::string(token);
  return std::string(token.substr(0, cut)) + (token.front() == '"' ? "…\"" : "…");
}

std::string describe_token(std::string_view text, std::size_t at) {
  const char first = at < text.size() ? text[at] : '\0';
  if (first == '"') return "the string " + token_text(text, at);
  if (first == '-' || is_digit(first)) return "the number " + token_text(text, at);
  if (first == '{') return "an object";
  if (first != '[') return token_text(text, at);
  const std::size_t item = skip_space(text, at + 1);
  return describe_list(item < text.size() ? text[item] : '\0');
}

std::string with_point(std::string number) {
  std::replace(number.begin(), number.end(), ',', '.');
  return number;
}

std::string with_odd_words_quoted(std::string_view text) {
  std::string all(text), open;  // brackets
  for (std::size_t at = skip_separators(text, 0); at < text.size();) {
    const char first = text[at];
    const std::size_t end = token_end(text, at);
    if (first == '[' || first == '{') open += first;
    if ((first == ']' || first == '}') && !open.empty()) open.pop_back();
    const bool in_list = open.ends_with('[');
    if (in_list && is_word(first) && end - at > 1 && !is_value(std::string(text, at, end - at)))
      all[at] = all[end - 1] = '"';
    at = skip_separators(text, end);
  }
  return all;
}

bool is_number(std::string_view word) {
  std::size_t at = word.starts_with('-') ? 1 : 0;
  const auto digits = [&] {
    const std::size_t start = at;
    while (at < word.size() && is_digit(word[at])) ++at;
    return at - start;
  };
  const std::size_t start = at;
  const std::size_t whole = digits();
  if (whole == 0 || (whole > 1 && word[start] == '0')) return false;
  if (at < word.size() && word[at] == '.') {
    ++at;
    if (digits() == 0) return false;
  }
  if (at < word.size() && (word[at] == 'e' || word[at] == 'E')) {
    ++at;
    if (at < word.size() && (word[at] == '+' || word[at] == '-')) ++at;
    if (digits() == 0) return false;
  }
  return at == word.size();
}

}  // namespace attn::json
