// The products of weights that a head is, W_q·W_kᵀ and W_v·W_o, and their singular values.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/operations/operations.hpp"
#include "core/operations/products/products.hpp"
#include "core/operations/shape_rules.hpp"
#include "core/tensor/eigen.hpp"
#include "core/tensor/singular_values.hpp"

namespace attn::ops {
namespace {

/// Which columns of W_q or W_v, and which columns of W_k or rows of W_o, a head has.
struct HeadPlaces {
  bool transposed;  ///< the second factor is W_k
  Index width, first, second;

  HeadPlaces(const Call& call, Index head) : transposed(is_transposed(call.parameters)) {
    const Index heads = call.parameters.count("heads"), kv = call.parameters.count("kv_heads");
    const Index shared = head / (heads / kv);
    width = call[0].cols() / (transposed ? heads : kv);
    first = (transposed ? head : shared) * width;
    second = (transposed ? shared : head) * width;
  }
  Cell of_first(Index row, Index l) const { return {0, 0, row, first + l}; }
  Cell of_second(Index col, Index l) const {
    return transposed ? Cell{0, 0, col, second + l} : Cell{0, 0, second + l, col};
  }
};

/// The part of each weight that a head has: rows × width, and width × columns.
struct HeadFactors {
  Matrix first, second;

  HeadFactors(const Call& call, Index head) {
    const HeadPlaces at(call, head);
    first = view(call[0], 0, 0).middleCols(at.first, at.width);
    if (at.transposed) {
      second = view(call[1], 0, 0).middleCols(at.second, at.width).transpose();
    } else {
      second = view(call[1], 0, 0).middleRows(at.second, at.width);
    }
  }
};

Tensor evaluate_head_product(const Call& call) {
  Tensor y(call.shape);
  for (Index h = 0; h < y.heads(); ++h) {
    const HeadFactors factors(call, h);
    auto made = view(y, 0, h);
    for (Index r = 0; r < y.rows(); ++r) {
      for (Index l = 0; l < factors.second.rows(); ++l)
        made.row(r) += factors.first(r, l) * factors.second.row(l);
    }
  }
  return y;
}

Expression derive_head_product(const Call& call, const Cell& cell) {
  const HeadPlaces at(call, cell.head);
  std::vector<Expression> terms;
  for (Index l = 0; l < at.width; ++l)
    terms.push_back(product(leaf(call[0], 0, at.of_first(cell.row, l)),
                            leaf(call[1], 1, at.of_second(cell.col, l))));
  return sum(std::move(terms));
}

MaybeShape shape_of_head_product(Shapes in, const Parameters& p, const Shape&) {
  const Index heads = p.count("heads"), kv = p.count("kv_heads");
  const bool transposed = is_transposed(p);
  const bool plain = !in[0].batch && !in[0].heads && !in[1].batch && !in[1].heads;
  if (!plain || heads % kv != 0) return std::nullopt;
  const Index cut_first = transposed ? heads : kv, cut_second = transposed ? kv : heads;
  const Index first = in[0].cols, second = transposed ? in[1].cols : in[1].rows;
  if (first % cut_first != 0 || second % cut_second != 0) return std::nullopt;
  if (first / cut_first != second / cut_second) return std::nullopt;
  Shape made{{}, {}, in[0].rows, transposed ? in[1].rows : in[1].cols};
  if (heads > 1) made.heads = heads;
  return made;
}

/// Those of one head, the largest first.
std::vector<double> singular_values_of(const Call& call, Index head) {
  const HeadFactors factors(call, head);
  return singular_values_of_product(factors.first, factors.second);
}

Tensor evaluate_singular_values(const Call& call) {
  Tensor y(call.shape);
  for (Index h = 0; h < y.heads(); ++h) {
    const std::vector<double> found = singular_values_of(call, h);
    std::copy(found.begin(), found.end(), y.row(0, h, 0).begin());
  }
  return y;
}

/// No arithmetic of a few cells makes it: an eigenvalue is found by turning again and again.
Expression derive_singular_values(const Call& call, const Cell& cell) {
  const double value = singular_values_of(call, cell.head)[static_cast<std::size_t>(cell.col)];
  const double squared = value * value;
  Expression made = std::sqrt(squared) == value ? root(constant(squared)) : constant(value);
  made.reason = "for M, the product: an eigenvalue of MᵀM; all add up to M's squares";
  return made;
}

MaybeShape shape_of_singular_values(Shapes in, const Parameters& p, const Shape& own) {
  const MaybeShape whole = shape_of_head_product(in, p, own);
  if (!whole) return std::nullopt;
  const Index width = in[0].cols / p.count(is_transposed(p) ? "heads" : "kv_heads");
  return Shape{{}, whole->heads, 1, std::min({width, whole->rows, whole->cols})};
}

constexpr ParameterField kHeadProductFields[] = {{.name = "heads",
                                                  .kind = ParameterField::Kind::Count,
                                                  .summary = "how many heads there are",
                                                  .least = 1},
                                                 {.name = "kv_heads",
                                                  .kind = ParameterField::Kind::Count,
                                                  .summary = "how many key/value heads there are",
                                                  .least = 1},
                                                 kTransposedField};

const char* formula_of_head_product(const Parameters& p) {
  if (p.count("heads") == 1) return is_transposed(p) ? "{0}·{1}ᵀ" : "{0}·{1}";
  return is_transposed(p) ? "{0}·{1}ᵀ, each head by itself" : "{0}·{1}, each head by itself";
}

const char* formula_of_singular_values(const Parameters& p) {
  return is_transposed(p) ? "singular values of {0}·{1}ᵀ" : "singular values of {0}·{1}";
}

constexpr const char* kHeadProductRule =
    "A head has as many columns of the first as it has columns or rows of the second.";

}  // namespace

const Operation head_product{.name = "head_product",
                             .formula = "{0}·{1}, each head by itself",
                             .shape_rule = {2, 2, kHeadProductRule, shape_of_head_product},
                             .evaluate = evaluate_head_product,
                             .derive = derive_head_product,
                             .fields = kHeadProductFields,
                             .formula_for = formula_of_head_product};

const Operation singular_values{.name = "singular_values",
                                .formula = "singular values of {0}·{1}",
                                .shape_rule = {2, 2, kHeadProductRule, shape_of_singular_values},
                                .evaluate = evaluate_singular_values,
                                .derive = derive_singular_values,
                                .fields = kHeadProductFields,
                                .formula_for = formula_of_singular_values};

}  // namespace attn::ops
