// Matrix products in a fixed order of summation.
#include "core/operations/products/products.hpp"

#include <algorithm>

#include "attn/core/not_finite.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

/// How many columns of a product are made at a time: Eigen copies that many of B, and a vocabulary
/// has hundreds of thousands.
constexpr Index kProductColumns = 8192;

/// result(i, j) = Σ a(i, l)·b(l, j), where `b` gives its entry (l, j).
template <typename B>
void sum_terms(const RowsCall& call, const B& b) {
  const Rows<const double>& a = call[0];
  for (Index i = 0; i < a.rows; ++i) {
    for (Index j = 0; j < call.result.cols; ++j) {
      double total = 0.0;
      for (Index l = 0; l < a.cols; ++l) total += a.begin[i * a.cols + l] * b(l, j);
      call.result.begin[i * call.result.cols + j] = total;
    }
  }
}

/// Whether A has only zeros in these columns, and B only finite numbers in these rows.
bool adds_nothing(const Rows<const double>& a, const Rows<const double>& b, Index first,
                  Index count) {
  const auto start = static_cast<std::size_t>(first), n = static_cast<std::size_t>(count);
  for (Index r = 0; r < a.rows; ++r) {
    if (!all_zero(a.row(r).subspan(start, n))) return false;
  }
  for (Index r = first; r < first + count; ++r) {
    if (not_finite_among(b.row(r)).any()) return false;
  }
  return true;
}

/// The matrix of the second factor that serves that of a cell of the result.
SlicePlace factor_of(const Call& call, const Cell& cell) {
  return place_in(call[1].shape(), call.shape.heads.value_or(1), {cell.batch, cell.head},
                  is_set(call.parameters, "tiled"));
}

}  // namespace

bool is_small(Index terms, const Shape& result) {
  constexpr Index kSmall = 8192;  // multiplications
  return terms * result.rows * result.cols < kSmall;
}

bool is_set(const Parameters& p, std::string_view name) {
  return p.find(name) != nullptr && p.flag(name);
}

bool is_transposed(const Parameters& p) { return is_set(p, "transposed"); }

Parameters groups_of(const Parameters& p) {
  return is_set(p, "tiled") ? Parameters{{"tiled", true}} : Parameters();
}

template <Second how>
void write_product(const RowsCall& call) {
  constexpr bool transposed = how == Second::Transposed;
  const Rows<const double>& b = call[1];
  if (is_small(call[0].cols, call.whole)) {
    sum_terms(call, [&](Index l, Index j) {
      return transposed ? b.begin[j * b.cols + l] : b.begin[l * b.cols + j];
    });
    return;
  }
  auto result = eigen_rows(call.result);
  for (Index first = 0; first < result.cols(); first += kProductColumns) {
    const Index count = std::min(kProductColumns, result.cols() - first);
    auto some = result.middleCols(first, count);
    if constexpr (transposed) {
      some.noalias() = eigen_rows(call[0]) * eigen_rows(b).middleRows(first, count).transpose();
    } else {
      some.noalias() = eigen_rows(call[0]) * eigen_rows(b).middleCols(first, count);
    }
  }
}

void write_mixture(const RowsCall& call) {
  if (is_small(call[0].cols, call.whole)) return write_product<Second::Plain>(call);
  auto result = eigen_rows(call.result);
  result.setZero();
  for (Index first = 0; first < call[0].cols; first += kProductStep) {
    const Index count = std::min(kProductStep, call[0].cols - first);
    if (adds_nothing(call[0], call[1], first, count)) continue;
    result.noalias() +=
        eigen_rows(call[0]).middleCols(first, count) * eigen_rows(call[1]).middleRows(first, count);
  }
}

template <Second how>
std::vector<Expression> product_terms(const Call& call, const Cell& cell) {
  const SlicePlace factor = factor_of(call, cell);
  std::vector<Expression> terms;
  terms.reserve(static_cast<std::size_t>(call[0].cols()));
  for (Index l = 0; l < call[0].cols(); ++l) {
    const Cell second = how == Second::Transposed ? Cell{cell.batch, factor.head, cell.col, l}
                                                  : Cell{cell.batch, factor.head, l, cell.col};
    terms.push_back(
        product(leaf(call[0], 0, {cell.batch, cell.head, cell.row, l}), leaf(call[1], 1, second)));
  }
  return terms;
}

template void write_product<Second::Plain>(const RowsCall&);
template void write_product<Second::Transposed>(const RowsCall&);
template std::vector<Expression> product_terms<Second::Plain>(const Call&, const Cell&);
template std::vector<Expression> product_terms<Second::Transposed>(const Call&, const Cell&);

MaybeShape grouped(const Shape& a, const Shape& b, Index rows, Index cols) {
  const Shape result = joined(a, b, rows, cols);
  const bool heads = a.heads == result.heads && (!b.heads || *result.heads % *b.heads == 0);
  const bool batch = !b.batch || b.batch == result.batch;
  return heads && batch && spreads_to(a, result) ? MaybeShape(result) : std::nullopt;
}

}  // namespace attn::ops
