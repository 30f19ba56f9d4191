// Reads the signs, words, numbers and brackets of an expression.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "attn/number_text.hpp"
#include "teach/lessons/lesson_value.hpp"

namespace attn {

/// Where a sign is that is in no brackets and no quotation marks, before a bracket is closed that
/// was not opened here; npos if it is not.
inline std::size_t place_outside_brackets(std::string_view text, std::string_view sign) {
  bool quoted = false;
  int depth = 0;
  for (std::size_t i = 0; i < text.size() && depth >= 0; ++i) {
    const char c = text[i];
    quoted = quoted != (c == '"');
    if (quoted) continue;
    if (depth == 0 && text.substr(i).starts_with(sign)) return i;
    depth += c == '[' || c == '(' ? 1 : c == ']' || c == ')' ? -1 : 0;
  }
  return text.npos;
}

/// Where a quotation mark is that a word processor has curled; npos if there is none.
inline std::size_t curly_quote(std::string_view text) {
  return std::min({text.find("“"), text.find("”"), text.find("„")});
}
inline LessonFault curly_fault() {
  return {"curly quotation marks are not read", "Type straight ones: \"words\"."};
}

/// What is left of an expression. `text` is shortened by all that is taken.
class ExpressionReader {
 public:
  explicit ExpressionReader(std::string_view& text) : text_(text) {}

  void skip() {
    const std::size_t next = text_.find_first_not_of(" \n\t");
    text_.remove_prefix(std::min(next, text_.size()));
  }

  bool take(std::string_view sign) {
    skip();
    if (!text_.starts_with(sign)) return false;
    text_.remove_prefix(sign.size());
    return true;
  }

  bool take_word(std::string_view word) {
    skip();
    if (!text_.starts_with(word) || begins_name(word.size())) return false;
    text_.remove_prefix(word.size());
    return true;
  }

  void expect(std::string_view sign) {
    if (!take(sign))
      throw LessonFault{"expected \"" + std::string(sign) + "\" here",
                        "Every ( needs a ), and every [ a ]."};
  }

  std::string quoted() {
    const std::size_t end = text_.find('"', 1);
    if (end == text_.npos) throw LessonFault{"the text has no end", "Close it with \"."};
    std::string text(text_.substr(1, end - 1));
    text_.remove_prefix(end + 1);
    return text;
  }

  bool begins_number() const {
    return is_digit_at(0) || (text_.starts_with('.') && is_digit_at(1));
  }

  double number() {
    std::size_t end = 0;
    while (is_digit_at(end) || (end < text_.size() && text_[end] == '.')) ++end;
    if (end < text_.size() && text_[end] == 'e') {
      std::size_t last = end + 1;
      if (last < text_.size() && (text_[last] == '-' || text_[last] == '+')) ++last;
      if (is_digit_at(last)) end = last + 1;
      while (end > last && is_digit_at(end)) ++end;
    }
    const std::optional<double> x = parse_number(text_.substr(0, end));
    if (!x) throw LessonFault{"\"" + std::string(text_.substr(0, end)) + "\" is not a number"};
    text_.remove_prefix(end);
    return *x;
  }

  bool begins_name(std::size_t i = 0) const {
    if (i >= text_.size()) return false;
    const char c = text_[i];
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  /// "hide.weights" or "layers.0.norm1".
  std::string dotted_name() {
    const auto is_in_name = [&](std::size_t i) { return begins_name(i) || is_digit_at(i); };
    std::size_t end = 0;
    while (is_in_name(end) || (end < text_.size() && text_[end] == '.' && is_in_name(end + 1)))
      ++end;
    std::string found(text_.substr(0, end));
    text_.remove_prefix(end);
    return found;
  }

  std::size_t place_outside_brackets(std::string_view sign) const {
    return attn::place_outside_brackets(text_, sign);
  }

 protected:
  std::string_view& text_;

 private:
  bool is_digit_at(std::size_t i) const {
    return i < text_.size() && text_[i] >= '0' && text_[i] <= '9';
  }
};

}  // namespace attn
