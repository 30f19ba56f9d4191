// Operations applied: one, or a chain of them on the same rows.
#pragma once

#include <string_view>
#include <vector>

#include "attn/core/not_finite.hpp"
#include "attn/operation.hpp"

namespace attn::ops {

/// One operation of a chain. All have the same batch entries, heads and rows.
struct RowLink {
  /// A whole tensor, or the result of an earlier link.
  struct Input {
    const Tensor* tensor = nullptr;
    std::size_t link = 0;  ///< without a tensor
  };
  const Operation* operation;
  const Parameters* parameters;
  std::vector<Input> inputs;
  Shape shape;
  bool is_kept = true;
  Tensor result = {};  ///< an outline if it is not kept
  NotFinite not_finite = {};
};

/// Computes a chain, one block of rows at a time, so that what one link writes is still in the
/// cache when the next one reads it. Rows of different blocks, heads and batch entries are shared
/// among threads. The numbers do not depend on how the rows are cut into blocks, on the threads, or
/// on which links are kept.
void compute(std::vector<RowLink>& chain, Dtype dtype = Dtype::Float64);

/// All of one operation's result, rounded, and which numbers of it are not finite.
struct Evaluated {
  Tensor value;
  NotFinite not_finite;
};
Evaluated evaluate(const Operation& operation, const Call& call, Dtype dtype);

/// In float64.
Tensor evaluate(const Operation& operation, const Call& call);

/// f(x) for each number of the only input.
template <typename F>
void write_cells(const RowsCall& call, F f) {
  for (Index r = 0; r < call.result.rows; ++r) {
    const double* x = call[0].row(r).data();
    double* y = call.result.row(r).data();
    for (Index c = 0; c < call.result.cols; ++c) y[c] = f(x[c]);
  }
}

/// f(x, y) for each number of the first input, and of another one.
template <typename F>
void write_pairs(const RowsCall& call, const Rows<const double>& other, F f) {
  for (Index r = 0; r < call.result.rows; ++r) {
    const double* x = call[0].row(r).data();
    const double* y = other.row(r).data();
    double* z = call.result.row(r).data();
    for (Index c = 0; c < call.result.cols; ++c) z[c] = f(x[c], y[c]);
  }
}

}  // namespace attn::ops

namespace attn {
using ops::evaluate;
}
