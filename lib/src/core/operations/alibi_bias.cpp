// −slope · distance (+ B): Press et al. 2022; here also for later keys, so that it works without a
// causal mask.
#include "core/operations/operations.hpp"
#include "core/operations/row_positions.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

double distance(const Parameters& p, const Cell& cell) {
  return static_cast<double>(std::abs(position(p, cell.batch, cell.row) - cell.col));
}

double slope(const Parameters& p, const Cell& cell) {
  return p.numbers("slopes")[static_cast<std::size_t>(cell.head)];
}

Tensor evaluate(const Call& call) {
  const Parameters& p = call.parameters;
  const Index n = p.count("n_distances");
  Tensor y(call.shape);
  for_each_slice(y, [&](Index b, Index h) {
    for (Index i = 0; i < y.rows(); ++i) {
      for (Index j = 0; j < y.cols(); ++j) {
        const Cell cell{b, h, i, j};
        const double own = j < n ? -slope(p, cell) * distance(p, cell) : 0.0;
        y.at(cell) = own + (call.inputs.empty() ? 0.0 : call[0].at(cell));
      }
    }
  });
  return y;
}

Expression derive(const Call& call, const Cell& cell) {
  const Parameters& p = call.parameters;
  Expression own = constant(0.0);
  if (cell.col < p.count("n_distances"))
    own = negative(product({constant(slope(p, cell)), constant(distance(p, cell))}));
  return call.inputs.empty() ? own : sum({std::move(own), leaf(call[0], 0, cell)});
}

MaybeShape shape(Shapes in, const Parameters& p, const Shape& own) {
  const bool slopes = std::ssize(p.numbers("slopes")) == own.heads.value_or(1);
  const bool bias =
      in.empty() || (in[0].rows == own.rows && in[0].cols == own.cols && spreads_to(in[0], own));
  return slopes && bias && has_offsets(p, own) ? MaybeShape(own) : std::nullopt;
}

constexpr ParameterField kFields[] = {
    {.name = "slopes", .kind = ParameterField::Kind::Numbers, .summary = "one per head"},
    kOffsetsField,
    {.name = "n_distances",
     .kind = ParameterField::Kind::Count,
     .summary = "keys from this one on have no position",
     .least = 0}};

std::vector<Share> backward(const Differentiated& step) { return {{0, &copy, {step.gradient}}}; }

}  // namespace

const Operation alibi_bias{
    .name = "alibi_bias",
    .formula = {"−slope·|query − key|[ + {0}]", "-m_h |i - j|[ + {0}]"},
    .shape_rule = {0, 1, "There is a slope for every head and a position for every row.", shape},
    .evaluate = evaluate,
    .derive = derive,
    .fields = kFields,
    .backward = backward};

}  // namespace attn::ops
