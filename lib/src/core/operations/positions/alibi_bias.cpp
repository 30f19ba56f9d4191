// −slope · distance (+ B): Press et al. 2022.
// Here also for later keys, so that it works without a causal mask.
#include "core/operations/operations.hpp"
#include "core/operations/positions/row_positions.hpp"

namespace attn::ops {
namespace {

double distance(const Parameters& p, const Cell& cell) {
  return static_cast<double>(std::abs(position(p, cell.batch, cell.row) - cell.col));
}

double slope(const Parameters& p, Index head) {
  return p.numbers("slopes")[static_cast<std::size_t>(head)];
}

void write_alibi_bias(const RowsCall& call) {
  const Parameters& p = call.parameters;
  const Index n = p.count("n_distances");
  const double slope_here = slope(p, call.head);
  for (Index r = 0; r < call.result.rows; ++r) {
    const auto row = call.result.row(r);
    const Index query = position(p, call.batch, call.first + r);
    for (Index j = 0; j < call.result.cols; ++j) {
      const double own = j < n ? -slope_here * static_cast<double>(std::abs(query - j)) : 0.0;
      const auto at = static_cast<std::size_t>(j);
      row[at] = own + (call.inputs.empty() ? 0.0 : call[0].row(r)[at]);
    }
  }
}

Expression derive_alibi_bias(const Call& call, const Cell& cell) {
  const Parameters& p = call.parameters;
  Expression own = constant(0.0);
  if (cell.col < p.count("n_distances"))
    own = negative(product(constant(slope(p, cell.head)), constant(distance(p, cell))));
  return call.inputs.empty() ? own : sum({std::move(own), leaf(call[0], 0, cell)});
}

MaybeShape shape_of_alibi_bias(Shapes in, const Parameters& p, const Shape& own) {
  const bool slopes = std::ssize(p.numbers("slopes")) == own.heads.value_or(1);
  const bool bias =
      in.empty() || (in[0].rows == own.rows && in[0].cols == own.cols && spreads_to(in[0], own));
  return slopes && bias && has_offsets(p, own) ? MaybeShape(own) : std::nullopt;
}

constexpr ParameterField kAlibiBiasFields[] = {
    {.name = "slopes", .kind = ParameterField::Kind::Numbers, .summary = "one per head"},
    kOffsetsField,
    {.name = "n_distances",
     .kind = ParameterField::Kind::Count,
     .summary = "keys from this one on have no position",
     .least = 0}};

std::vector<Share> backward_alibi_bias(const Differentiated& step) {
  return {{0, &copy, {step.gradient}}};
}

}  // namespace

const Operation alibi_bias{
    .name = "alibi_bias",
    .formula = "−slope·|query − key|[ + {0}]",
    .shape_rule = {0, 1, "There is a slope for every head and a position for every row.",
                   shape_of_alibi_bias},
    .write_rows = write_alibi_bias,
    .derive = derive_alibi_bias,
    .fields = kAlibiBiasFields,
    .backward = backward_alibi_bias};

}  // namespace attn::ops
