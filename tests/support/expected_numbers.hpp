// Numbers of other programs, in JSON files of the tests.
#pragma once

#include <vector>

#include "attn/tensor.hpp"
#include "io/json/json.hpp"

namespace attn::testing {

/// Adds the numbers of the nested lists below `node`, one after the other.
void append_numbers(const json::Node& node, std::vector<double>& numbers);

/// The largest difference; fails the test if there are not as many numbers on both sides.
double largest_difference(const json::Node& expected, const Tensor& found);

}  // namespace attn::testing
