// The oracle's arrays: four axes that broadcast, without Eigen.
#pragma once

#include <vector>

#include "attn/core/array.hpp"
#include "attn/tensor.hpp"

namespace attn::testing {

/// Batch, head, row, column: always four axes. Reading along an axis of size 1 repeats it.
struct Block {
  Index batch = 1, heads = 1, rows = 1, cols = 1;
  std::vector<double> data;

  double& at(Index b, Index h, Index i, Index j);
  double at(Index b, Index h, Index i, Index j) const;
};

Block zeros(Index batch, Index heads, Index rows, Index cols);

/// The array right-aligned on (batch, head, row, column); with `third_is_batch`, rank 3 means
/// batch × row × column.
Block block_of(const Array& array, bool third_is_batch);

/// Calls act(batch, head, row, column) for every cell.
template <typename Act>
void for_each(Index batch, Index heads, Index rows, Index cols, Act act) {
  for (Index b = 0; b < batch; ++b) {
    for (Index h = 0; h < heads; ++h) {
      for (Index i = 0; i < rows; ++i) {
        for (Index j = 0; j < cols; ++j) act(b, h, i, j);
      }
    }
  }
}

/// A block with each cell computed by `cell(batch, head, row, column)`.
template <typename CellOf>
Block filled(Index batch, Index heads, Index rows, Index cols, CellOf cell) {
  Block block = zeros(batch, heads, rows, cols);
  for_each(batch, heads, rows, cols,
           [&](Index b, Index h, Index i, Index j) { block.at(b, h, i, j) = cell(b, h, i, j); });
  return block;
}

/// The same, in the sizes of another block.
template <typename CellOf>
Block like(const Block& block, CellOf cell) {
  return filled(block.batch, block.heads, block.rows, block.cols, cell);
}

/// One number for each row: the largest, or the sum.
Block row_max(const Block& x);
Block row_sum(const Block& x);

/// The size of an axis counted from the right; 1 beyond the array's rank.
Index size_from_right(const Array& array, std::size_t axis);

}  // namespace attn::testing
