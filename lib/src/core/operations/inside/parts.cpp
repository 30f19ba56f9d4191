// What a row of a model was added up from: what each head or expert writes, and rows stacked.
#include <algorithm>
#include <vector>

#include "core/operations/operations.hpp"
#include "core/operations/shape_rules.hpp"

namespace attn::ops {
namespace {

constexpr std::size_t kMostParts = 1 << 16;

constexpr ParameterField kRowField{.name = "row",
                                   .kind = ParameterField::Kind::Count,
                                   .summary = "which row, counted from 0",
                                   .least = 0};

/// The columns of a head.
struct HeadColumns {
  Index first, size;
};
HeadColumns columns_of_head(const Call& call, Index head) {
  const Index size = call[0].cols() / call.parameters.count("heads");
  return {head * size, size};
}

Tensor evaluate_write_heads(const Call& call) {
  const Index row = call.parameters.count("row");
  Tensor y(call.shape);
  for (Index b = 0; b < y.batch(); ++b) {
    const auto from = call[0].row(b, 0, row);
    for (Index head = 0; head < y.rows(); ++head) {
      const HeadColumns own = columns_of_head(call, head);
      const auto to = y.row(b, 0, head);
      for (Index l = own.first; l < own.first + own.size; ++l) {
        const auto weights = call[1].row(0, 0, l);
        for (std::size_t c = 0; c < to.size(); ++c)
          to[c] += from[static_cast<std::size_t>(l)] * weights[c];
      }
    }
  }
  return y;
}

Expression derive_write_heads(const Call& call, const Cell& cell) {
  const Index row = call.parameters.count("row");
  const HeadColumns own = columns_of_head(call, cell.row);
  std::vector<Expression> terms;
  for (Index l = own.first; l < own.first + own.size; ++l)
    terms.push_back(
        product(leaf(call[0], 0, {cell.batch, 0, row, l}), leaf(call[1], 1, {0, 0, l, cell.col})));
  return sum(std::move(terms));
}

MaybeShape shape_of_write_heads(Shapes in, const Parameters& p, const Shape&) {
  const Index heads = p.count("heads");
  const bool plain = !in[0].heads && !in[1].heads && !in[1].batch;
  const bool fits =
      plain && in[0].cols == in[1].rows && in[0].cols % heads == 0 && p.count("row") < in[0].rows;
  return fits ? MaybeShape(Shape{in[0].batch, {}, heads, in[1].cols}) : std::nullopt;
}

constexpr ParameterField kWriteHeadsFields[] = {kRowField,
                                                {.name = "heads",
                                                 .kind = ParameterField::Kind::Count,
                                                 .summary = "how many heads are side by side",
                                                 .least = 1}};

/// The experts that a row chose, those with a weight, in their order; at most `count`.
std::vector<Index> chosen_in_row(const Call& call, Index batch) {
  const auto weights = call[0].row(batch, 0, call.parameters.count("row"));
  std::vector<Index> chosen;
  for (std::size_t e = 0; e < weights.size(); ++e) {
    if (weights[e] != 0.0) chosen.push_back(static_cast<Index>(e));
  }
  chosen.resize(std::min(chosen.size(), static_cast<std::size_t>(call.shape.rows)));
  return chosen;
}

Tensor evaluate_write_experts(const Call& call) {
  const Index row = call.parameters.count("row");
  Tensor y(call.shape);
  for (Index b = 0; b < y.batch(); ++b) {
    Index at = 0;
    for (const Index e : chosen_in_row(call, b)) {
      const double weight = call[0].at({b, 0, row, e});
      const auto from = call[static_cast<std::size_t>(e + 1)].row(b, 0, row);
      const auto to = y.row(b, 0, at++);
      for (std::size_t c = 0; c < to.size(); ++c) to[c] = weight * from[c];
    }
  }
  return y;
}

Expression derive_write_experts(const Call& call, const Cell& cell) {
  const Index row = call.parameters.count("row");
  const std::vector<Index> chosen = chosen_in_row(call, cell.batch);
  if (cell.row >= std::ssize(chosen)) return constant(0.0);
  const Index e = chosen[static_cast<std::size_t>(cell.row)];
  const auto input = static_cast<int>(e + 1);
  return product(
      leaf(call[0], 0, {cell.batch, 0, row, e}),
      leaf(call[static_cast<std::size_t>(input)], input, {cell.batch, 0, row, cell.col}));
}

MaybeShape shape_of_write_experts(Shapes in, const Parameters& p, const Shape&) {
  const Index count = p.count("count");
  bool fits = in[0].cols == std::ssize(in) - 1 && count <= in[0].cols && !in[0].heads &&
              p.count("row") < in[0].rows;
  for (const Shape& each : in.subspan(1)) fits = fits && each == in[1];
  fits = fits && in[0].rows == in[1].rows && in[0].batch == in[1].batch && !in[1].heads;
  return fits ? MaybeShape(Shape{in[1].batch, {}, count, in[1].cols}) : std::nullopt;
}

constexpr ParameterField kWriteExpertsFields[] = {kRowField,
                                                  {.name = "count",
                                                   .kind = ParameterField::Kind::Count,
                                                   .summary = "how many experts a row chooses",
                                                   .least = 1}};

bool is_whole(const Parameters& p, std::size_t input) {
  const std::vector<Index>& whole = p.counts("whole");
  return std::find(whole.begin(), whole.end(), static_cast<Index>(input)) != whole.end();
}

Tensor evaluate_stack_rows(const Call& call) {
  const Index row = call.parameters.count("row");
  Tensor y(call.shape);
  for (Index b = 0; b < y.batch(); ++b) {
    Index at = 0;
    for (std::size_t i = 0; i < call.inputs.size(); ++i) {
      const bool all = is_whole(call.parameters, i);
      for (Index r = all ? 0 : row; r < (all ? call[i].rows() : row + 1); ++r) {
        const auto from = call[i].row(b, 0, r);
        std::copy(from.begin(), from.end(), y.row(b, 0, at++).begin());
      }
    }
  }
  return y;
}

Expression derive_stack_rows(const Call& call, const Cell& cell) {
  Index left = cell.row;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    const bool all = is_whole(call.parameters, i);
    const Index own = all ? call[i].rows() : 1;
    const Index row = all ? left : call.parameters.count("row");
    if (left < own) return leaf(call[i], static_cast<int>(i), {cell.batch, 0, row, cell.col});
    left -= own;
  }
  return constant(0.0);
}

MaybeShape shape_of_stack_rows(Shapes in, const Parameters& p, const Shape&) {
  Shape made{{}, {}, 0, in[0].cols};
  for (std::size_t i = 0; i < in.size(); ++i) {
    const bool all = is_whole(p, i);
    if (in[i].heads || in[i].cols != made.cols || (!all && p.count("row") >= in[i].rows))
      return std::nullopt;
    if (in[i].batch && made.batch && in[i].batch != made.batch) return std::nullopt;
    if (in[i].batch) made.batch = in[i].batch;
    made.rows += all ? in[i].rows : 1;
  }
  return made;
}

constexpr ParameterField kStackRowsFields[] = {
    kRowField,
    {.name = "whole",
     .kind = ParameterField::Kind::Counts,
     .summary = "which inputs are taken with all their rows, counted from 0",
     .least = 0}};

}  // namespace

const Operation write_heads{
    .name = "write_heads",
    .formula = "row {row} of {0}, head by head, times {1}",
    .shape_rule = {2, 2, "The columns of the heads side by side are the rows of the weights.",
                   shape_of_write_heads},
    .evaluate = evaluate_write_heads,
    .derive = derive_write_heads,
    .fields = kWriteHeadsFields};

const Operation write_experts{
    .name = "write_experts",
    .formula = "row {row} of each chosen expert, times its weight in {0}",
    .shape_rule = {2, kMostParts, "Each expert has a weight, and its result is like the others.",
                   shape_of_write_experts},
    .evaluate = evaluate_write_experts,
    .derive = derive_write_experts,
    .fields = kWriteExpertsFields};

const Operation stack_rows{
    .name = "stack_rows",
    .formula = "row {row} of all that was added up",
    .shape_rule = {1, kMostParts, "Stacked rows have the same number of columns.",
                   shape_of_stack_rows},
    .evaluate = evaluate_stack_rows,
    .derive = derive_stack_rows,
    .fields = kStackRowsFields};

}  // namespace attn::ops
