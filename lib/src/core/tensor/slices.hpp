// The shapes and matrices that make up a tensor.
#pragma once

#include "attn/tensor.hpp"

namespace attn {

/// The shape of `rows` × `cols` with every leading axis that `a` or `b` has; if both have heads,
/// the longer axis (grouped key/value heads).
inline Shape joined(const Shape& a, const Shape& b, Index rows, Index cols) {
  Shape shape{a.batch ? a.batch : b.batch, a.heads, rows, cols};
  if (b.heads && b.heads.value() > shape.heads.value_or(0)) shape.heads = b.heads;
  return shape;
}

/// How many of the `heads` query heads share each key/value head.
inline Index group_size(Index heads, const Tensor& keys) { return heads / keys.heads(); }

/// The key/value head that serves query head `head`: ⌊head / (heads / kv_heads)⌋.
inline Index kv_head(Index head, Index heads, const Tensor& keys) {
  return head / group_size(heads, keys);
}

/// The matrix of a smaller shape that serves matrix (batch, head) of a shape with `heads` heads: a
/// head may serve a group of neighbours, or every n-th head if `tiled`; an absent axis serves all.
struct SlicePlace {
  Index batch, head;
  bool operator==(const SlicePlace&) const = default;
};
inline SlicePlace place_in(const Shape& smaller, Index heads, const SlicePlace& at,
                           bool tiled = false) {
  const Index own = smaller.heads.value_or(1);
  return {smaller.batch ? at.batch : 0, tiled ? at.head % own : at.head / (heads / own)};
}

/// Calls f(batch, head) for every matrix of a tensor.
template <typename F>
void for_each_slice(const Tensor& tensor, F f) {
  for (Index b = 0; b < tensor.batch(); ++b) {
    for (Index h = 0; h < tensor.heads(); ++h) f(b, h);
  }
}

/// `a` with f(x, y) in place of each x, where y is the same cell of `b`; `b` broadcasts.
template <typename F>
Tensor by_cells(Tensor a, const Tensor& b, F f) {
  for_each_slice(a, [&](Index batch, Index head) {
    const auto own = a.matrix(batch, head);
    const auto other = b.matrix(batch, head);
    for (std::size_t i = 0; i < own.size(); ++i) own[i] = f(own[i], other[i]);
  });
  return a;
}

/// `a` after f(row, y) for each of its rows, where y is the number that `column` has for it.
template <typename F>
Tensor by_rows(Tensor a, const Tensor& column, F f) {
  for_each_slice(a, [&](Index batch, Index head) {
    for (Index r = 0; r < a.rows(); ++r) f(a.row(batch, head, r), column.at({batch, head, r, 0}));
  });
  return a;
}

}  // namespace attn
