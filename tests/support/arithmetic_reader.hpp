// Evaluates printed arithmetic, allowing for rounding.
#pragma once

#include <string>
#include <vector>

namespace attn::testing {

/// The numbers that a printed one may mean, and arithmetic with such ranges.
struct Range {
  double low = 0.0, high = 0.0;

  bool meets(const Range& other) const { return low <= other.high && other.low <= high; }
  double width() const { return high - low; }
};

/// What a number may have been before it was rounded to `decimals`, at least 2, for print: half a
/// unit of its last place on both sides if it has as many; by significant digits (as many as
/// decimals) if it has an exponent or is tiny; exactly itself otherwise. Throws
/// std::invalid_argument.
Range read_number(const std::string& text, int decimals);

/// The value of printed arithmetic such as "(1·2 - 0.5) / √4", "e^-1.5 / (e^1 + e^0)", "max(1, 2)",
/// "3·tanh(2 / 3)", "cos(1 / 10000^(2/4))". Throws std::invalid_argument for anything else.
Range read_arithmetic(const std::string& text, int decimals);

/// All numbers in arithmetic, without signs and as printed.
std::vector<std::string> numbers_in(const std::string& text);

}  // namespace attn::testing
