#pragma once

#include <string>

#include "attn/expression.hpp"

namespace attn {

/// A number inside arithmetic: at most `precision` decimals, none that are only zeros ("2", "0.5",
/// "0.707"); by significant digits where decimals would say nothing ("1e-05", "1e+30").
std::string short_number(double value, int precision);

/// The arithmetic of a derivation without its result: "(1·2 + 0.5·3) / √4". If the outermost
/// operation joins composed parts, a second stage with their values follows: " = 3.5 / 2".
/// Sums of more than `most_terms` terms are shortened in the middle; 0 = never.
std::string arithmetic_text(const Expression& expression, int precision, std::size_t most_terms);

}  // namespace attn
