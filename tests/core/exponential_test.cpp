// e^x for rows: within 1 ulp, exact at the edges, the same bits everywhere.
#include "core/tensor/exponential.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "support/infinity.hpp"

namespace attn::testing {
namespace {

double exponential_of(double x) {
  exponentials({&x, 1}, 0.0, {&x, 1});
  return x;
}

/// How far e^x is from what 64 bits of precision give, in units of its last place.
double error_in_ulp(double x) {
  const long double expected = std::exp(static_cast<long double>(x));
  int exponent = 0;
  std::frexp(static_cast<double>(expected), &exponent);
  const double ulp = std::ldexp(1.0, std::max(exponent - 53, -1074));
  const long double found = exponential_of(x);
  return static_cast<double>(std::abs(found - expected) / static_cast<long double>(ulp));
}

}  // namespace

TEST_CASE("exponentials: within 1 ulp from the smallest result to the largest" *
          doctest::skip(std::numeric_limits<long double>::digits < 64)) {
  struct Range {
    double from, to;
  };
  for (const Range& range : {Range{-745.2, 709.78},
                             {-40.0, 0.0},
                             {-1.0, 1.0},
                             {-745.2, -707.0},
                             {709.0, 709.78},
                             {-1e-9, 1e-9}}) {
    constexpr int kSteps = 200000;
    double worst = 0.0;
    for (int i = 0; i <= kSteps; ++i)
      worst = std::max(worst, error_in_ulp(range.from + (range.to - range.from) * i / kSteps));
    CAPTURE(range.from);
    CHECK(worst < 1.0);
    CHECK(worst > 0.0);
  }
}

TEST_CASE("exponentials: exact where e^x is") {
  CHECK(exponential_of(0.0) == 1.0);
  CHECK(exponential_of(-0.0) == 1.0);
  CHECK(exponential_of(-kInfinity) == 0.0);
  CHECK_FALSE(std::signbit(exponential_of(-kInfinity)));
  CHECK(exponential_of(-1e300) == 0.0);
  CHECK(exponential_of(kInfinity) == kInfinity);
  CHECK(exponential_of(709.79) == kInfinity);
  CHECK(std::isnan(exponential_of(std::numeric_limits<double>::quiet_NaN())));
}

TEST_CASE("exponentials: a hidden score gives 0 whatever is subtracted") {
  for (const double shift :
       {0.0, 3.5, kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN()}) {
    std::vector<double> row{-kInfinity, 1.0, -kInfinity};
    exponentials(row, shift, row);
    CHECK(row[0] == 0.0);
    CHECK(row[2] == 0.0);
  }
}

TEST_CASE("exponentials: the same bits from every compiler, in rows of every length") {
  std::uint64_t hash = 0;
  for (std::size_t length : {1U, 7U, 8U, 64U, 1003U}) {
    std::vector<double> row(length);
    for (std::size_t i = 0; i < length; ++i)
      row[i] = -30.0 * static_cast<double>(i) / static_cast<double>(length) - 0.1;
    exponentials(row, 0.7, row);
    for (const double x : row) hash = (hash ^ std::bit_cast<std::uint64_t>(x)) * 1099511628211U;
  }
  CHECK(hash == 4739457709509902052U);
}

}  // namespace attn::testing
