// Reduces x to |r| ≤ ln 2 / 2, then adds up Taylor's series, with vector instructions.
// Written so that compilers make these of it. Compiled without contraction and traps
// (CMakeLists.txt).
#include "core/tensor/exponential.hpp"

#include <cstdint>
#include <limits>

#include "core/text/bit_cast.hpp"

namespace attn {
namespace {

/// 2^n for a whole number −1022 ≤ n ≤ 1023.
double power_of_two(double n) {
  constexpr double kShift = 0x1.8p52 + 1023;  // the last bits of n + kShift are the exponent of 2^n
  return bit_cast<double>(bit_cast<std::uint64_t>(n + kShift) << 52U);
}

double exponential(double x) {
  constexpr double kRound = 0x1.8p52;
  constexpr double kLn2High = 0x1.62e42feep-1, kLn2Low = 0x1.a39ef35793c76p-33;  // as in fdlibm
  x = x < -800.0 ? -800.0 : x;                                                   // NaN stays
  x = x > 800.0 ? 800.0 : x;
  const double n = (x * 0x1.71547652b82fep0 + kRound) - kRound;  // x / ln 2, rounded
  const double high = x - n * kLn2High, low = n * kLn2Low;
  const double r = high - low, lost = (high - r) - low;
  double q = 1.0 / 6227020800.0;  // 1/13!
  q = q * r + 1.0 / 479001600.0;
  q = q * r + 1.0 / 39916800.0;
  q = q * r + 1.0 / 3628800.0;
  q = q * r + 1.0 / 362880.0;
  q = q * r + 1.0 / 40320.0;
  q = q * r + 1.0 / 5040.0;
  q = q * r + 1.0 / 720.0;
  q = q * r + 1.0 / 120.0;
  q = q * r + 1.0 / 24.0;
  q = q * r + 1.0 / 6.0;
  q = q * r + 0.5;
  const double power = 1.0 + (r + (r * r * q + lost));
  // In two factors, so that results near both ends of the range round once.
  const double part = n < -900.0 ? 200.0 : n > 900.0 ? -200.0 : 0.0;
  const double rest = n < -900.0 ? 0x1p-200 : n > 900.0 ? 0x1p200 : 1.0;
  return power * power_of_two(n + part) * rest;
}

}  // namespace

void exponentials(std::span<const double> x, double shift, std::span<double> out) {
  constexpr double kHidden = -std::numeric_limits<double>::infinity();
  const double* from = x.data();
  double* to = out.data();
  const std::size_t n = x.size();
  for (std::size_t i = 0; i < n; ++i) {
    const double e = exponential(from[i] - shift);
    to[i] = from[i] == kHidden ? 0.0 : e;
  }
}

}  // namespace attn
