#include "attn/eigen.hpp"
#include "core/operations/op_functions.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

/// Products with fewer multiplications than this are summed term by term, in the order of the
/// columns, as on paper. Eigen's small products may sum in another order from one place in memory
/// to the next; its large ones do not.
constexpr Index kSmall = 8192;

/// out = a·b
void multiply_into(MatrixView out, const ConstMatrixView& a, const ConstMatrixView& b) {
  if (a.rows() * a.cols() * b.cols() >= kSmall) {
    out.noalias() = a * b;
    return;
  }
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = 0; j < b.cols(); ++j) {
      double total = 0.0;
      for (Index l = 0; l < a.cols(); ++l) total += a(i, l) * b(l, j);
      out(i, j) = total;
    }
  }
}

/// out = a·bᵀ
void multiply_transposed_into(MatrixView out, const ConstMatrixView& a, const ConstMatrixView& b) {
  if (a.rows() * a.cols() * b.rows() >= kSmall) {
    out.noalias() = a * b.transpose();
    return;
  }
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = 0; j < b.rows(); ++j) {
      double total = 0.0;
      for (Index l = 0; l < a.cols(); ++l) total += a(i, l) * b(j, l);
      out(i, j) = total;
    }
  }
}

}  // namespace

Tensor linear(Inputs in, const Parameters&) {
  const Tensor& x = *in[0];
  const Tensor& w = *in[1];
  Tensor y(joined(x.shape(), w.shape(), x.rows(), w.cols()));
  for_each_slice(y, [&](Index b, Index h) {
    multiply_into(view(y, b, h), view(x, b, h), view(w, b, h));
    if (in.size() > 2) view(y, b, h).rowwise() += view(*in[2], b, h).row(0);
  });
  return y;
}

Expression derive_linear(Inputs in, const Parameters&, const Cell& cell) {
  std::vector<Expression> terms;
  for (Index l = 0; l < in[0]->cols(); ++l) {
    terms.push_back(product({leaf(*in[0], 0, {cell.batch, cell.head, cell.row, l}),
                             leaf(*in[1], 1, {cell.batch, cell.head, l, cell.col})}));
  }
  if (in.size() > 2) terms.push_back(leaf(*in[2], 2, {cell.batch, cell.head, 0, cell.col}));
  return sum(std::move(terms));
}

Tensor multiply_transposed(Inputs in, const Parameters&) {
  const Tensor& q = *in[0];
  const Tensor& k = *in[1];
  Tensor scores(joined(q.shape(), k.shape(), q.rows(), k.rows()));
  for_each_slice(scores, [&](Index b, Index h) {
    const Index kv = kv_head(h, scores.heads(), k);
    multiply_transposed_into(view(scores, b, h), view(q, b, h), view(k, b, kv));
  });
  return scores;
}

Expression derive_multiply_transposed(Inputs in, const Parameters&, const Cell& cell) {
  const Index kv = kv_head(cell.head, in[0]->heads(), *in[1]);
  std::vector<Expression> terms;
  for (Index l = 0; l < in[0]->cols(); ++l) {
    terms.push_back(product({leaf(*in[0], 0, {cell.batch, cell.head, cell.row, l}),
                             leaf(*in[1], 1, {cell.batch, kv, cell.col, l})}));
  }
  return sum(std::move(terms));
}

Tensor multiply(Inputs in, const Parameters&) {
  const Tensor& weights = *in[0];
  const Tensor& v = *in[1];
  Tensor context(joined(weights.shape(), v.shape(), weights.rows(), v.cols()));
  for_each_slice(context, [&](Index b, Index h) {
    const Index kv = kv_head(h, context.heads(), v);
    multiply_into(view(context, b, h), view(weights, b, h), view(v, b, kv));
  });
  return context;
}

Expression derive_multiply(Inputs in, const Parameters&, const Cell& cell) {
  const Index kv = kv_head(cell.head, in[0]->heads(), *in[1]);
  std::vector<Expression> terms;
  for (Index j = 0; j < in[0]->cols(); ++j) {
    terms.push_back(product({leaf(*in[0], 0, {cell.batch, cell.head, cell.row, j}),
                             leaf(*in[1], 1, {cell.batch, kv, j, cell.col})}));
  }
  return sum(std::move(terms));
}

}  // namespace attn::ops
