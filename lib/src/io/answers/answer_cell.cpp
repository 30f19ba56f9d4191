// Reads numbers as people write them.
#include "io/answers/answer_cell.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "attn/arithmetic.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "core/text/ascii.hpp"
#include "io/json/token.hpp"

namespace attn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// What is around a number and cannot be seen: spaces of no width, marks of direction.
constexpr std::array<std::string_view, 8> kUnseen{"\u200b", "\u200c", "\u200d", "\u200e",
                                                  "\u200f", "\u2060", "\ufeff", "\u00ad"};

/// Characters that stand for others.
constexpr std::array kAlike{
    std::pair{"\u00a0", " "}, std::pair{"\u202f", " "}, std::pair{"−", "-"},
    std::pair{"–", "-"},      std::pair{"—", "-"},      std::pair{"‐", "-"},
    std::pair{"\u2011", "-"}, std::pair{"⁄", "/"},      std::pair{"∕", "/"}};

/// A fraction that is one character.
constexpr std::array kFractions{
    std::pair{"½", "1/2"}, std::pair{"⅓", "1/3"}, std::pair{"⅔", "2/3"}, std::pair{"¼", "1/4"},
    std::pair{"¾", "3/4"}, std::pair{"⅕", "1/5"}, std::pair{"⅖", "2/5"}, std::pair{"⅗", "3/5"},
    std::pair{"⅘", "4/5"}, std::pair{"⅙", "1/6"}, std::pair{"⅚", "5/6"}, std::pair{"⅐", "1/7"},
    std::pair{"⅛", "1/8"}, std::pair{"⅜", "3/8"}, std::pair{"⅝", "5/8"}, std::pair{"⅞", "7/8"},
    std::pair{"⅑", "1/9"}, std::pair{"⅒", "1/10"}};

/// Without spaces and what cannot be seen at its ends.
std::string_view bare(std::string_view text) {
  for (std::size_t before = text.size() + 1; before != text.size();) {
    before = text.size();
    text = trimmed(text);
    for (const std::string_view unseen : kUnseen) {
      if (text.starts_with(unseen)) text.remove_prefix(unseen.size());
      if (text.ends_with(unseen)) text.remove_suffix(unseen.size());
    }
  }
  return text;
}

/// Without what people put before a number, "≈", "=" or the apostrophe with which Excel marks text,
/// and the dots after its last digit.
std::string_view without_marks(std::string_view text) {
  for (const std::string_view mark : {"'", "=", "≈", "~"}) {
    if (text.size() > mark.size() && text.starts_with(mark)) text = bare(text.substr(mark.size()));
  }
  for (const std::string_view dots : {"…", "..."}) {
    const bool more = text.size() > dots.size() && text.ends_with(dots);
    if (more && is_digit(text[text.size() - dots.size() - 1])) text.remove_suffix(dots.size());
  }
  return text;
}

/// The text without what is only around a number, in ASCII as far as digits and signs go.
std::string plain(std::string_view text) {
  std::string all = half_width(text);
  for (const auto& [from, to] : kAlike) replace_all(all, from, to);
  const std::string_view number = without_marks(bare(all));
  const std::size_t sign = number.starts_with('-') ? 1 : 0;
  for (const auto& [one, fraction] : kFractions) {
    if (bare(number.substr(sign)) == one) return std::string(number.substr(0, sign)) + fraction;
  }
  return std::string(number);
}

/// Takes a sign off the front.
double take_sign(std::string_view& text) {
  const bool minus = text.starts_with('-');
  if (minus || text.starts_with('+')) text.remove_prefix(1);
  return minus ? -1.0 : 1.0;
}

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// What people and programs write for numbers without digits, in small letters.
constexpr std::array kWords{
    std::pair{std::string_view("inf"), kInfinity},
    std::pair{std::string_view("infinity"), kInfinity},
    std::pair{std::string_view("∞"), kInfinity},
    std::pair{std::string_view("nan"), kNan},
    std::pair{std::string_view("nan(ind)"), kNan},  // Windows
    std::pair{std::string_view("#num!"), kNan},     // Excel
    std::pair{std::string_view("#zahl!"), kNan},
    std::pair{std::string_view("#div/0!"), kNan},
};

std::optional<double> read_word(std::string_view text) {
  const double sign = take_sign(text);
  const std::string word = lowered(text);
  for (const auto& [name, number] : kWords) {
    if (word == name) return sign * number;
  }
  return std::nullopt;
}

}  // namespace

bool may_have_commas(std::string_view text) {
  for (std::size_t at = text.find('.'); at != text.npos; at = text.find('.', at + 1)) {
    if (at > 0 && at + 1 < text.size() && is_digit(text[at - 1]) && is_digit(text[at + 1]))
      return false;
  }
  return true;
}

AnswerCell read_answer_cell(std::string_view written, bool commas) {
  constexpr std::size_t kLongest = 1000;  // bytes
  if (const auto number = parse_finite(trimmed(written))) return {.number = *number};
  if (trimmed(written).size() > kLongest)
    return {.state = CellState::Unreadable, .fix = kAnswerCellFix};
  const std::string text = plain(written);
  for (const std::string_view blank : {"", "?", "_", "-"}) {
    if (text == blank) return {.state = CellState::Empty};
  }
  std::optional<double> number = read_word(text);
  if (!number) number = single_number(text);
  if (number) return {.number = *number};
  const std::string point = json::with_point(text);
  const std::optional<double> meant = point == text ? std::nullopt : single_number(point);
  if (commas && meant) return {.number = *meant, .comma = true};
  return {.state = CellState::Unreadable,
          .fix = meant               ? "Write decimals with a point: " + point + "."
                 : arithmetic(point) ? kOneNumberFix
                                     : kAnswerCellFix};
}

Error too_many_matrices(std::size_t found, Place place) {
  return input_error(
      {.id = "too-large",
       .what = filled("expected at most {} matrices, found {}", kMostMatrices, found),
       .places = {std::move(place)},
       .fix = "Keep one matrix for each step of the problem."});
}

Diagnostic unreadable_cell(const std::string& found, const AnswerCell& cell, Place place) {
  return {.id = "unreadable-cell",
          .what = "expected a number, found " + found,
          .places = {std::move(place)},
          .fix = cell.fix};
}

}  // namespace attn
