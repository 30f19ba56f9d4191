// Matrix products in a fixed order of summation.
#include "core/operations/products.hpp"

#include "attn/eigen.hpp"
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

void multiply_into(MatrixView out, const ConstMatrixView& a, const ConstMatrixView& b, Second how) {
  const bool transposed = how == Second::Transposed;
  if (a.size() * out.cols() < kSmall) {
    sum_terms(out, a, [&](Index l, Index j) { return transposed ? b(j, l) : b(l, j); });
  } else if (transposed) {
    out.noalias() = a * b.transpose();
  } else {
    out.noalias() = a * b;
  }
}

/// The head of the second factor that serves head `head` of the result.
Index group_of(const Call& call, Index head) {
  if (is_set(call.parameters, "tiled")) return head % call[1].heads();
  return kv_head(head, call.shape.heads.value_or(1), call[1]);
}

}  // namespace

bool is_set(const Parameters& p, std::string_view name) {
  return p.find(name) != nullptr && p.flag(name);
}

Parameters groups_of(const Parameters& p) {
  return is_set(p, "tiled") ? Parameters{{"tiled", true}} : Parameters();
}

template <Second how>
Tensor product_with(const Call& call) {
  Tensor y(call.shape);
  for_each_slice(y, [&](Index b, Index h) {
    const Index group = group_of(call, h);
    multiply_into(view(y, b, h), view(call[0], b, h), view(call[1], b, group), how);
  });
  return y;
}

template <Second how>
std::vector<Expression> product_terms(const Call& call, const Cell& cell) {
  const Index group = group_of(call, cell.head);
  std::vector<Expression> terms;
  for (Index l = 0; l < call[0].cols(); ++l) {
    const Cell second = how == Second::Transposed ? Cell{cell.batch, group, cell.col, l}
                                                  : Cell{cell.batch, group, l, cell.col};
    terms.push_back(product(
        {leaf(call[0], 0, {cell.batch, cell.head, cell.row, l}), leaf(call[1], 1, second)}));
  }
  return terms;
}

template Tensor product_with<Second::Plain>(const Call&);
template Tensor product_with<Second::Transposed>(const Call&);
template std::vector<Expression> product_terms<Second::Plain>(const Call&, const Cell&);
template std::vector<Expression> product_terms<Second::Transposed>(const Call&, const Cell&);

MaybeShape grouped(const Shape& a, const Shape& b, Index rows, Index cols) {
  const Shape result = joined(a, b, rows, cols);
  const bool heads = a.heads == result.heads && (!b.heads || *result.heads % *b.heads == 0);
  const bool batch = !b.batch || b.batch == result.batch;
  return heads && batch && spreads_to(a, result) ? MaybeShape(result) : std::nullopt;
}

}  // namespace attn::ops
