// A row of numbers as a person types it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace attn::app {

struct TypedRow {
  std::vector<double> numbers;  ///< NaN: a blank, "?"
  std::string unreadable;       ///< the first word that is no number; empty if all are
  std::ptrdiff_t commas = 0;    ///< how many were read as decimal commas
};

/// Reads numbers and arithmetic with spaces, commas, semicolons or bars between them, in brackets
/// or without, in full width, too. Commas are decimal ones if only then there are as many numbers
/// as `columns`, or if each is between two digits and there are spaces between the numbers.
TypedRow typed_row(const std::string& line, std::size_t columns);

}  // namespace attn::app
