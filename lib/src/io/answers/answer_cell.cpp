// Reads numbers as people write them.
#include "io/answers/answer_cell.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "attn/arithmetic.hpp"
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

/// The text without the spaces around it, in ASCII as far as digits and signs go.
std::string plain(std::string_view text) {
  std::string all = half_width(text);
  replace_all(all, "\u00a0", " ");
  replace_all(all, "−", "-");
  replace_all(all, "–", "-");
  return std::string(trimmed(all));
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
  const std::string text = plain(written);
  if (text.empty() || text == "?" || text == "_") return {.state = CellState::Empty};
  std::optional<double> number = read_word(text);
  if (!number) number = arithmetic(text);
  if (number) return {.number = *number};
  const std::string point = json::with_point(text);
  const std::optional<double> meant = point == text ? std::nullopt : arithmetic(point);
  if (commas && meant) return {.number = *meant, .comma = true};
  return {.state = CellState::Unreadable,
          .fix = meant ? "Write decimals with a point: " + point + "." : kAnswerCellFix};
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
