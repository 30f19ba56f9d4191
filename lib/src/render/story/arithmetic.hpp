#pragma once

#include <string>
#include <vector>

#include "attn/expression.hpp"

namespace attn {

/// A number inside arithmetic, with the digits that make it true: at most `precision` decimals but
/// never less than 3, none that are only zeros ("2", "0.5", "0.707"); all of them where two more
/// say it exactly ("0.0625"); by significant digits where decimals would say nothing ("1e-05") and
/// where doubles have no more of them ("1e+30").
std::string short_number(double value, int precision);

/// The arithmetic of a derivation without its result, "(1·2 + 0.5·3) / √4"; then, if parts of it
/// are composed themselves, the same with their values, "3.5 / 2". Sums of more than `most_terms`
/// terms are shortened in the middle, "… 4 more …"; 0 = never.
std::vector<std::string> arithmetic_stages(const Expression& expression, int precision,
                                           std::size_t most_terms);

}  // namespace attn
