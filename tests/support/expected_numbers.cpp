// Compares tensors with numbers of other programs.
#include "support/expected_numbers.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <variant>

namespace attn::testing {

void append_numbers(const json::Node& node, std::vector<double>& numbers) {
  if (const auto* row = std::get_if<json::Numbers>(&node.value)) {
    numbers.insert(numbers.end(), row->begin(), row->end());
    return;
  }
  for (const json::Node& item : std::get<json::Items>(node.value)) append_numbers(item, numbers);
}

double largest_difference(const json::Node& expected, const Tensor& found) {
  std::vector<double> numbers;
  append_numbers(expected, numbers);
  REQUIRE(numbers.size() == found.data().size());
  double largest = 0.0;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    largest = std::max(largest, std::abs(numbers[i] - found.data()[i]));
  return largest;
}

}  // namespace attn::testing
