// Matrix products in a fixed order of summation.
#include "core/operations/products.hpp"

#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

constexpr Index kSmall = 8192;  // multiplications

/// out(i, j) = Σ a(i, l)·b(l, j), where `b` gives its entry (l, j).
template <typename B>
void sum_terms(MatrixView& out, const ConstMatrixView& a, const B& b) {
  for (Index i = 0; i < out.rows(); ++i) {
    for (Index j = 0; j < out.cols(); ++j) {
      double total = 0.0;
      for (Index l = 0; l < a.cols(); ++l) total += a(i, l) * b(l, j);
      out(i, j) = total;
    }
  }
}

}  // namespace

void multiply_into(MatrixView out, const ConstMatrixView& a, const ConstMatrixView& b) {
  if (a.size() * b.cols() >= kSmall) {
    out.noalias() = a * b;
  } else {
    sum_terms(out, a, b);
  }
}

void multiply_transposed_into(MatrixView out, const ConstMatrixView& a, const ConstMatrixView& b) {
  if (a.size() * b.rows() >= kSmall) {
    out.noalias() = a * b.transpose();
  } else {
    sum_terms(out, a, [&](Index l, Index j) { return b(j, l); });
  }
}

MaybeShape grouped(const Shape& a, const Shape& b, Index rows, Index cols) {
  const Shape result = joined(a, b, rows, cols);
  const bool heads = a.heads == result.heads && (!b.heads || *result.heads % *b.heads == 0);
  const bool batch = !b.batch || b.batch == result.batch;
  return heads && batch && spreads_to(a, result) ? MaybeShape(result) : std::nullopt;
}

}  // namespace attn::ops
