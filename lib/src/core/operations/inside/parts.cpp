// What a row of a model was added up from: what each head writes, and rows stacked.
#include <algorithm>

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

const Operation stack_rows{
    .name = "stack_rows",
    .formula = "row {row} of all that was added up",
    .shape_rule = {1, kMostParts, "Stacked rows have the same number of columns.",
                   shape_of_stack_rows},
    .evaluate = evaluate_stack_rows,
    .derive = derive_stack_rows,
    .fields = kStackRowsFields};

}  // namespace attn::ops
