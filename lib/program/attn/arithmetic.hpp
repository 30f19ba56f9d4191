// The arithmetic that people type: "2/√4", "0*0 + 1*1".
#pragma once

#include <optional>
#include <string_view>

namespace attn {

/// The number that arithmetic makes: + - · / ^ √, brackets, e, per cent, ∞. nullopt if it is none,
/// or divides by zero.
std::optional<double> arithmetic(std::string_view text);

}  // namespace attn
