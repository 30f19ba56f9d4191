// The shortest exact text of a number.
#pragma once

#include <string>

namespace attn {

/// The shortest text that reads back as the same number: "0.1", "1e+30", "-inf", "nan".
std::string format_exact(double value);

}  // namespace attn
