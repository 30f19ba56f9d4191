// Expressions as arithmetic, in pieces between which a line may break.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "attn/document.hpp"

namespace attn {

/// Text with one space between its pieces, where a line may be broken. A sign and its number
/// are one piece: "1·0", "+ 1·1", "/ √4"; so is an omission, "+ … 4 more …".
using Pieces = std::vector<std::string>;

/// One of the things that are equal, and the sign before it: "=", or "≈" where a number in it or
/// in the one before is rounded; none before the first.
struct Stage {
  std::string sign;
  Pieces pieces;
};

/// All stages of a worked cell: its names, the arithmetic "(1·2 + 0.5·3) / √4", the same with the
/// values of its parts, "3.5 / 2", and the number. If `shorten`, the middle of a long sum is left
/// out, "… 4 more …".
std::vector<Stage> worked_stages(const Worked& worked, int precision, bool shorten);

/// An expression as text, with every term.
std::string arithmetic_text(const Expression& how, int precision);

/// The expression with the composed parts of its terms replaced by what `shown` makes of them.
Expression with_values(Expression e, const std::function<Expression(const Expression&)>& shown);

/// The words of `text`.
Pieces words_of(const std::string& text);

}  // namespace attn
