// The shortest exact text of a number.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace attn {

/// The shortest text that reads back as the same number: "0.1", "1e+30", "-inf", "nan".
std::string format_exact(double value);

/// The finite number that the whole text is, in the same notation.
std::optional<double> read_number(std::string_view text);

}  // namespace attn
