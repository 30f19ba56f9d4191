#include "attn/eigen.hpp"
#include "core/operations/op_functions.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

/// Where head `head`, row `row`, column `col` of the split stands in the T × h·d matrix.
Cell before_split(const Cell& cell, const Parameters& p, Index rows, Index d) {
  switch (p.cut) {
    case HeadCut::Interleaved:
      return {cell.batch, 0, cell.row, cell.col * p.heads + cell.head};
    case HeadCut::Reshaped: {  // the flat numbers cut anew, without exchanging head and row
      const Index flat = (cell.head * rows + cell.row) * d + cell.col;
      return {cell.batch, 0, flat / (p.heads * d), flat % (p.heads * d)};
    }
    case HeadCut::Contiguous:
      break;
  }
  return {cell.batch, 0, cell.row, cell.head * d + cell.col};
}

}  // namespace

Tensor split_heads(Inputs in, const Parameters& p) {
  const Tensor& x = *in[0];
  const Index d = x.cols() / p.heads;
  Tensor y(Shape{x.shape().batch, p.heads, x.rows(), d});
  for_each_slice(y, [&](Index b, Index h) {
    for (Index r = 0; r < x.rows(); ++r) {
      for (Index c = 0; c < d; ++c) {
        y.at({b, h, r, c}) = x.at(before_split({b, h, r, c}, p, x.rows(), d));
      }
    }
  });
  return y;
}

Expression derive_split_heads(Inputs in, const Parameters& p, const Cell& cell) {
  const Tensor& x = *in[0];
  return leaf(x, 0, before_split(cell, p, x.rows(), x.cols() / p.heads));
}

Tensor merge_heads(Inputs in, const Parameters&) {
  const Tensor& x = *in[0];
  const Index d = x.cols();
  Tensor y(Shape{x.shape().batch, std::nullopt, x.rows(), x.heads() * d});
  for_each_slice(x, [&](Index b, Index h) { view(y, b, 0).middleCols(h * d, d) = view(x, b, h); });
  return y;
}

Expression derive_merge_heads(Inputs in, const Parameters&, const Cell& cell) {
  const Index d = in[0]->cols();
  return leaf(*in[0], 0, {cell.batch, cell.col / d, cell.row, cell.col % d});
}

Tensor append_rows(Inputs in, const Parameters&) {
  Shape shape = in[0]->shape();
  for (const Tensor* part : in.subspan(1)) {
    shape = joined(shape, part->shape(), shape.rows + part->rows(), shape.cols);
  }
  Tensor y(shape);
  for_each_slice(y, [&](Index b, Index h) {
    Index row = 0;
    for (const Tensor* part : in) {
      view(y, b, h).middleRows(row, part->rows()) = view(*part, b, h);
      row += part->rows();
    }
  });
  return y;
}

Expression derive_append_rows(Inputs in, const Parameters&, const Cell& cell) {
  Cell own = cell;
  int part = 0;
  for (; own.row >= in[static_cast<std::size_t>(part)]->rows(); ++part) {
    own.row -= in[static_cast<std::size_t>(part)]->rows();
  }
  return leaf(*in[static_cast<std::size_t>(part)], part, own);
}

Tensor copy(Inputs in, const Parameters&) { return *in[0]; }

Expression derive_copy(Inputs in, const Parameters&, const Cell& cell) {
  return leaf(*in[0], 0, cell);
}

}  // namespace attn::ops
