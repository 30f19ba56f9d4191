// Compares numbers and says where they differ.
#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "attn/core/array.hpp"
#include "attn/tensor.hpp"

namespace attn::testing {

/// Whether two numbers agree, and which they are: a CHECK that fails shows them.
struct Closeness {
  bool holds;
  double expected, found;

  operator bool() const { return holds; }
};

std::ostream& operator<<(std::ostream& out, const Closeness& numbers);

/// Whether two numbers agree to `tolerance` times the larger of 1 and |expected|; NaN agrees with
/// NaN and an infinity with itself.
Closeness close(double expected, double found, double tolerance = 1e-12);

/// Whether two numbers are the same: −0 is not 0, and NaN is NaN.
bool same(double a, double b);
bool same(std::span<const double> a, std::span<const double> b);

/// The first place where the numbers do not agree, in words; empty if there is none.
std::string first_difference(std::span<const double> expected, std::span<const double> found,
                             double tolerance = 1e-12);
std::string first_difference(const Array& expected, const Tensor& found);
std::string first_difference(const Tensor& expected, const Tensor& found);

}  // namespace attn::testing
