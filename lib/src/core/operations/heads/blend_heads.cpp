// Σ or mean of the heads, cell by cell, or the first alone: known mistakes, in place of all heads.
#include "core/operations/operations.hpp"
#include "core/operations/shape_rules.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

bool averages(const Parameters& p) { return p.word("how") == "mean"; }

/// How many heads count.
Index heads_of(const Call& call) {
  return call.parameters.word("how") == "first" ? 1 : call[0].heads();
}

Tensor evaluate_blend_heads(const Call& call) {
  Tensor y(call.shape);
  for_each_slice(call[0], [&](Index b, Index h) {
    if (h >= heads_of(call)) return;
    const auto from = call[0].matrix(b, h);
    const auto to = y.matrix(b, 0);
    for (std::size_t i = 0; i < from.size(); ++i) to[i] += from[i];
  });
  if (averages(call.parameters)) {
    for (double& x : y.edit()) x /= static_cast<double>(call[0].heads());
  }
  return y;
}

Expression derive_blend_heads(const Call& call, const Cell& cell) {
  std::vector<Expression> heads;
  for (Index h = 0; h < heads_of(call); ++h)
    heads.push_back(leaf(call[0], 0, {cell.batch, h, cell.row, cell.col}));
  const auto n = static_cast<double>(call[0].heads());
  return averages(call.parameters) ? quotient(sum(std::move(heads)), constant(n))
                                   : sum(std::move(heads));
}

MaybeShape shape_of_blend_heads(Shapes in, const Parameters&, const Shape&) {
  if (!in[0].heads) return std::nullopt;
  return Shape{in[0].batch, std::nullopt, in[0].rows, in[0].cols};
}

const char* formula_of_blend_heads(const Parameters& p) {
  if (averages(p)) return "mean of {0} over heads";
  if (p.word("how") == "first") return "head 0 of {0}";
  return blend_heads.formula;
}

constexpr const char* kHow[] = {"sum", "mean", "first"};
constexpr ParameterField kBlendHeadsFields[] = {
    {.name = "how",
     .kind = ParameterField::Kind::Word,
     .summary = "whether heads are added up, averaged, or only the first is taken",
     .words = kHow}};

}  // namespace

const Operation blend_heads{
    .name = "blend_heads",
    .formula = "sum of {0} over heads",
    .shape_rule = {1, 1, "Only heads can be added up.", shape_of_blend_heads},
    .evaluate = evaluate_blend_heads,
    .derive = derive_blend_heads,
    .fields = kBlendHeadsFields,
    .formula_for = formula_of_blend_heads};

}  // namespace attn::ops
