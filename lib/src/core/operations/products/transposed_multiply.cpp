// Aᵀ·B, summed over what the result has no axis for: gradients of weights, keys and values.
#include "core/operations/operations.hpp"
#include "core/operations/products/products.hpp"
#include "core/tensor/eigen.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

/// Whether a head counts: all do, except where only one of each group does, by mistake.
bool counts(const Call& call, Index heads, Index head) {
  if (call.parameters.find("only") == nullptr) return true;
  const Index groups = call.shape.heads.value_or(1), size = heads / groups;
  const Index place = is_set(call.parameters, "tiled") ? head / groups : head % size;
  return place == (call.parameters.word("only") == "first" ? 0 : size - 1);
}

/// Calls f(batch, head) for the matrices of the inputs whose products add up to one of the result.
template <typename F>
void for_each_term(const Call& call, const SlicePlace& of, F f) {
  const Shape all = joined(call[0].shape(), call[1].shape(), 0, 0);
  const Index heads = all.heads.value_or(1);
  for (Index b = 0; b < all.batch.value_or(1); ++b) {
    for (Index h = 0; h < heads; ++h) {
      if (counts(call, heads, h) &&
          place_in(call.shape, heads, {b, h}, is_set(call.parameters, "tiled")) == of)
        f(b, h);
    }
  }
}

Tensor evaluate_transposed_multiply(const Call& call) {
  Tensor y(call.shape);
  const bool small = is_small(call[0].rows(), call.shape);
  for_each_slice(y, [&](Index b, Index h) {
    MatrixView out = view(y, b, h);
    for_each_term(call, {b, h}, [&](Index batch, Index head) {
      const ConstMatrixView first = view(call[0], batch, head), second = view(call[1], batch, head);
      if (!small) out.noalias() += first.transpose() * second;
      for (Index r = 0; small && r < first.rows(); ++r) {
        for (Index i = 0; i < out.rows(); ++i) out.row(i) += first(r, i) * second.row(r);
      }
    });
  });
  return y;
}

Expression derive_transposed_multiply(const Call& call, const Cell& cell) {
  std::vector<Expression> terms;
  for_each_term(call, {cell.batch, cell.head}, [&](Index batch, Index head) {
    for (Index r = 0; r < call[0].rows(); ++r) {
      terms.push_back(product(leaf(call[0], 0, {batch, head, r, cell.row}),
                              leaf(call[1], 1, {batch, head, r, cell.col})));
    }
  });
  return sum(std::move(terms));
}

MaybeShape shape_of_transposed_multiply(Shapes in, const Parameters&, const Shape& own) {
  const Shape all = joined(in[0], in[1], 0, 0);
  const bool spread = spreads_to(in[0], all) && spreads_to(in[1], all);
  const bool fits = in[0].rows == in[1].rows && own.rows == in[0].cols && own.cols == in[1].cols;
  const bool summed = (!own.batch || own.batch == all.batch) &&
                      (!own.heads || (*own.heads > 0 && all.heads && *all.heads % *own.heads == 0));
  return spread && fits && summed ? MaybeShape(own) : std::nullopt;
}

constexpr const char* kOnly[] = {"first", "last"};
constexpr ParameterField kTransposedMultiplyFields[] = {
    kTiledField,
    {.name = "only",
     .kind = ParameterField::Kind::Word,
     .summary = "the head of each group that counts: a known mistake",
     .words = kOnly,
     .required = false}};

const char* formula_of_transposed_multiply(const Parameters& p) {
  return p.find("only") == nullptr ? transposed_multiply.formula
                                   : "{0}ᵀ·{1} of the {only} head of each group";
}

}  // namespace

const Operation transposed_multiply{
    .name = "transposed_multiply",
    .formula = "{0}ᵀ·{1}",
    .shape_rule = {2, 2, "In Aᵀ·B, A and B have the same number of rows.",
                   shape_of_transposed_multiply},
    .evaluate = evaluate_transposed_multiply,
    .derive = derive_transposed_multiply,
    .fields = kTransposedMultiplyFields,
    .formula_for = formula_of_transposed_multiply,
    .sizes_meet = SizesMeet::FirstTransposed,
    .gradient_why =
        "Each factor gets the gradient times the other factor, added up over all its uses."};

}  // namespace attn::ops
