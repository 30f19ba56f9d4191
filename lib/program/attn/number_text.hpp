// Numbers as text, and back: every digit of a double is written and read by these functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace attn {

/// The locale does not matter. Numbers that are not finite are "inf", "-inf" and "nan"; zeros keep
/// their sign.

/// The shortest text that reads back as the same number: "0.1", "1e+30".
std::string format_exact(double value);
/// The same, always with an exponent: "1e-01".
std::string format_exact_scientific(double value);
/// Writes what format_exact returns, from `at` on, where there is room for kExactLength characters,
/// and returns its end. The number must be finite.
char* put_exact(char* at, double value);
constexpr int kExactLength = 24;  ///< of "-2.2250738585072014e-308"

/// Rounded to 0 to 17 decimals: "0.250". What is exactly halfway, such as 0.125 for two, is rounded
/// away from zero (1.005 is not: in binary it is a little less).
std::string format_fixed(double value, int decimals);
/// The same without zeros at the end: "0.25", "2".
std::string format_trimmed(double value, int decimals);
/// "2.500e-01"
std::string format_scientific(double value, int decimals);
/// In whichever of the two is shorter, without zeros at the end: "0.25", "5e-09".
std::string format_digits(double value, int significant);

/// The number rounded as by hand, halves away from zero; a zero has no sign.
double rounded_to(double value, int decimals);

/// The number that the whole text is: "-1.5e-2", ".5", "inf", "nan"; none that is too large or too
/// small for a double.
std::optional<double> parse_number(std::string_view text);
/// The same, but neither infinite nor NaN.
std::optional<double> parse_finite(std::string_view text);
/// Where the number at `at` ends; `at` if there is none.
const char* parse_number(const char* at, const char* end, double& number);

}  // namespace attn
