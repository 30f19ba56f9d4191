// A block of numbers as a file holds it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

/// A block of numbers as in a file: any rank, row-major, no names. It becomes a Tensor once it is
/// known which of its axes are batch, head, row and column.
struct Array {
  std::vector<std::ptrdiff_t> shape;  ///< one size per axis; rank 1 to 4 in practice
  std::vector<double> data;           ///< product(shape) numbers, last axis fastest

  std::size_t rank() const { return shape.size(); }
};

/// "4×6" for people; "empty" for rank 0.
std::string shape_text(const std::vector<std::ptrdiff_t>& sizes);

}  // namespace attn
