// Arrays as blocks of four axes.
#include "support/block.hpp"

#include <algorithm>
#include <limits>

namespace attn::testing {
namespace {

std::size_t place(const Block& block, Index b, Index h, Index i, Index j) {
  const Index batch = block.batch == 1 ? 0 : b;
  const Index head = block.heads == 1 ? 0 : h;
  const Index row = block.rows == 1 ? 0 : i;
  const Index col = block.cols == 1 ? 0 : j;
  return static_cast<std::size_t>(((batch * block.heads + head) * block.rows + row) * block.cols +
                                  col);
}

}  // namespace

Index size_from_right(const Array& array, std::size_t axis) {
  return array.rank() > axis ? array.shape[array.rank() - 1 - axis] : 1;
}

double& Block::at(Index b, Index h, Index i, Index j) { return data.at(place(*this, b, h, i, j)); }

double Block::at(Index b, Index h, Index i, Index j) const {
  return data.at(place(*this, b, h, i, j));
}

Block zeros(Index batch, Index heads, Index rows, Index cols) {
  const auto count = static_cast<std::size_t>(batch * heads * rows * cols);
  return {batch, heads, rows, cols, std::vector<double>(count, 0.0)};
}

Block block_of(const Array& array, bool third_is_batch) {
  const Index third = size_from_right(array, 2);
  const bool swap = third_is_batch && array.rank() == 3;
  return {swap ? third : size_from_right(array, 3), swap ? 1 : third, size_from_right(array, 1),
          size_from_right(array, 0), array.data};
}

Block row_max(const Block& x) {
  return filled(x.batch, x.heads, x.rows, 1, [&](Index b, Index h, Index i, Index) {
    double largest = -std::numeric_limits<double>::infinity();
    for (Index j = 0; j < x.cols; ++j) largest = std::max(largest, x.at(b, h, i, j));
    return largest;
  });
}

Block row_sum(const Block& x) {
  return filled(x.batch, x.heads, x.rows, 1, [&](Index b, Index h, Index i, Index) {
    double sum = 0;
    for (Index j = 0; j < x.cols; ++j) sum += x.at(b, h, i, j);
    return sum;
  });
}

}  // namespace attn::testing
