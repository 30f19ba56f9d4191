// Rounds to narrower number types by arithmetic alone.
#include "support/narrow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn::testing {
namespace {

/// A binary format: bits of the significand, the exponent of the smallest number above 0, and the
/// exponent of the power of two that is just too large.
struct Format {
  int digits, smallest, limit;
};

constexpr Format kFloat32 = {24, -149, 128};
constexpr Format kBfloat16 = {8, -133, 128};
constexpr Format kFloat16 = {11, -24, 16};

double rounded_to(double x, const Format& format) {
  if (x == 0 || !std::isfinite(x)) return x;
  int exponent = 0;
  std::frexp(x, &exponent);  // 2^(exponent − 1) ≤ |x| < 2^exponent
  const int spacing = std::max(exponent - format.digits, format.smallest);
  const double y = std::ldexp(std::nearbyint(std::ldexp(x, -spacing)), spacing);
  if (std::abs(y) < std::ldexp(1.0, format.limit)) return y;
  return std::copysign(std::numeric_limits<double>::infinity(), x);
}

}  // namespace

double narrowed(double x, Dtype dtype) {
  if (dtype == Dtype::Float64) return x;
  const double single = rounded_to(x, kFloat32);
  if (dtype == Dtype::Float32) return single;
  return rounded_to(single, dtype == Dtype::Float16 ? kFloat16 : kBfloat16);
}

}  // namespace attn::testing
