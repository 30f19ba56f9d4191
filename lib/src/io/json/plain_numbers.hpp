// Reads lists of numbers and nothing else.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

namespace attn::json {

/// The numbers of a list, and where the last of them is.
struct PlainNumbers {
  std::vector<double> numbers;
  std::size_t last = 0, end = 0;
};

/// Reads the numbers of a list from `at`, just after its opening bracket, to its closing bracket.
/// Returns false if the list is empty or has anything else: other values, mistakes, numbers too
/// large or too small for float64. With `words`, "-Infinity", "Infinity" and "NaN" are numbers
/// too if the list has others. Calls `count` now and then with how many more were read.
bool read_plain(std::string_view text, std::size_t at, bool words, PlainNumbers& list,
                const std::function<void(std::size_t numbers)>& count);

}  // namespace attn::json
