// What std::to_chars and std::from_chars do with doubles, for C++ libraries that lack it.
#pragma once

#include <charconv>
#include <string>

namespace attn {

/// The text of a finite number, in the shorter notation unless one is asked for. Without a
/// precision it has the fewest digits that read back as the same number.
std::string printf_digits(double value);
std::string printf_digits(double value, std::chars_format format);
std::string printf_digits(double value, std::chars_format format, int precision);

/// Where the number at `at` ends; `at`, and `number` as it was, if there is none that a double
/// holds.
const char* strtod_digits(const char* at, const char* end, double& number);

}  // namespace attn
