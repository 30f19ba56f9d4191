// Numbers as text for people.
#pragma once

#include <span>
#include <string>

#include "attn/document.hpp"
#include "attn/writers.hpp"

namespace attn {

/// The format of the numbers of one matrix: all have the same number of decimals.
struct NumberFormat {
  int precision = kUsualDecimals;  ///< decimals, 0 to 17
  bool scientific = false;
  bool comma = false;  ///< in place of the decimal point
};

/// As few decimals as show every finite value exactly, at most `most`. Scientific only if the
/// largest finite magnitude is at least 1e5 or every non-zero one is below 1e-3, or as `notation`
/// says; a large ratio between numbers is no reason.
NumberFormat choose_format(std::span<const double> values, int most,
                           Notation notation = Notation::Auto);

/// A number for people: "0.707", "7.071e-01", "inf", "-inf", "nan". A zero has no sign; a number
/// that is not zero but would round to it appears as "<.001" or ">-.001", as wide as
/// "0.001" or "-0.001"; without decimals, as "<1" or ">-1". Ignores the locale.
std::string format_number(double value, const NumberFormat& format);

/// Whether two numbers differ by no more than the last bits of doubles: 0.1 + 0.2 is 0.3.
bool is_nearly(double a, double b);

/// A number inside arithmetic, with the digits that make it true: `precision` decimals, at least 2
/// ("0.707"); if up to two more say it exactly, just the decimals that it needs ("2", "0.5",
/// "0.0625"); by significant digits where decimals would say nothing ("1e-05") and where doubles
/// have no more of them ("1e+30"). With the decimal mark in use.
std::string short_number(double value, int precision);

/// "2.5 points", "1 point".
std::string points_text(double points);

/// "3.33 of 5 points", "1 of 1 point"; all points only where all were reached.
std::string points_text(double score, double most);

/// Whether `short_number` says exactly this number.
bool is_exact_in_short(double value, int precision);

}  // namespace attn
