// One cell of an answer as somebody wrote it.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

#include "attn/error.hpp"
#include "attn/teach/answers.hpp"

namespace attn {

/// What a cell holds: a number, nothing, or something else.
struct AnswerCell {
  CellState state = CellState::Filled;
  double number = std::numeric_limits<double>::quiet_NaN();
  std::string fix = {};  ///< if it is unreadable
  bool comma = false;    ///< the number has a decimal comma
};

/// Reads "0.5", "3/4", "1e-2", "−0.5", ".5", "½", "≈0.5", "2/√3", "-Infinity", "∞"; blanks are "",
/// "?", "_" and a dash. With `commas`, "0,5" is a number, too.
AnswerCell read_answer_cell(std::string_view text, bool commas = false);

/// Whether decimals in this text may be written with a comma: none has a point.
bool may_have_commas(std::string_view text);

/// The diagnostic for an unreadable cell. `found` is what it holds: `the string "half"`.
Diagnostic unreadable_cell(const std::string& found, const AnswerCell& cell, Place place);

/// How many unreadable cells of a matrix are described.
inline constexpr std::size_t kMostDescribed = 5;

/// How many places of a file are found for what cannot be read: each takes as long as the file is.
inline constexpr std::size_t kMostPlaces = 100;

/// More matrices than any computation has steps, and the Error (id "too-large") about them.
inline constexpr std::size_t kMostMatrices = 10000;
Error too_many_matrices(std::size_t found, Place place);

}  // namespace attn
