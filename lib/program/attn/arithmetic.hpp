// The arithmetic that people type: "2/√4", "0*0 + 1*1".
#pragma once

#include <optional>
#include <string_view>

namespace attn {

/// The number that arithmetic makes: + - · / ^ √, brackets, e, per cent, ∞. nullopt if it is none,
/// or divides by zero.
std::optional<double> arithmetic(std::string_view text);

/// The same for text that is one number, a fraction of two, or a root of one or in one: "-1/√3",
/// "2·10^-3", "(√2)/2", "50%". nullopt for a range ("0-3"), two numbers, and a formula.
std::optional<double> single_number(std::string_view text);

}  // namespace attn
