// Numbers of traces as text.
#pragma once

#include <string>

namespace attn {

/// The shortest text that reads back as the same number, always with a point or an exponent:
/// "1.0", "2.5e-07"; and the words -Infinity, Infinity, NaN.
void append_number(std::string& out, double x);

/// The same as JSON: the words in quotation marks, because JSON has no numbers for them.
void append_json_number(std::string& out, double x);

}  // namespace attn
