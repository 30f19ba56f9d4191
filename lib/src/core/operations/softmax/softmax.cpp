// e^x / Σ e^x over each row; a sink is one more term of the sum, whose share no key gets.
// Sinks: gpt-oss, Xiao et al. 2023 (Efficient Streaming Language Models with Attention Sinks).
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/operations/operations.hpp"
#include "core/operations/rows.hpp"
#include "core/tensor/dtype.hpp"
#include "core/tensor/exponential.hpp"

namespace attn::ops {
namespace {

/// From the first score to the last that is not hidden.
struct Part {
  std::size_t first, count;
};
Part shown_part(std::span<const double> scores) {
  const auto shown = [](double x) { return x != kHidden; };
  const auto first = std::find_if(scores.begin(), scores.end(), shown);
  const auto last = std::find_if(scores.rbegin(), scores.rend() - (first - scores.begin()), shown);
  return {static_cast<std::size_t>(first - scores.begin()),
          static_cast<std::size_t>(last.base() - first)};
}

/// What row_max, exp_shifted, exp_sink, row_sum and divide_rows do one after the other: in a narrow
/// number type each of their results is rounded.
void write_softmax(const RowsCall& call) {
  const Dtype dtype = find_dtype(call.parameters.word("dtype")).value_or(Dtype::Float64);
  const bool has_sink = call.inputs.size() > 1;
  const double sink = has_sink ? *call[1].begin : kHidden;
  for (Index r = 0; r < call.result.rows; ++r) {
    const auto scores = call[0].row(r);
    const auto row = call.result.row(r);
    const auto [first, count] = shown_part(scores);
    const auto seen = row.subspan(first, count);
    std::fill_n(row.data(), first, 0.0);
    std::fill(seen.data() + count, row.data() + row.size(), 0.0);
    const double largest = with_sink(largest_of(scores), sink);
    exponentials(scores.subspan(first, count), largest, seen);
    round_to(dtype, seen);
    double total = sum_of(row);
    if (has_sink) {
      double rest = shifted_exp(sink, largest);
      round_to(dtype, {&rest, 1});
      total += rest;
    }
    round_to(dtype, {&total, 1});
    const auto changed = std::isfinite(total) && total > 0.0 ? seen : row;
    divide(changed, total, call.parameters, changed);
  }
}

/// The visible scores of a row, and the sink.
std::vector<Expression> seen_leaves(const Call& call, const Cell& cell) {
  std::vector<Expression> seen = row_leaves(call[0], cell);
  std::erase_if(seen, [](const Expression& score) { return score.value == kHidden; });
  if (call.inputs.size() > 1) seen.push_back(leaf(call[1], 1, {0, cell.head, 0, 0}));
  return seen;
}

/// e to the power of `numerator`, over the sum of that of each of `all`.
Expression share_of(Expression numerator, std::vector<Expression> all) {
  // Far from 0 the exponentials overflow on paper too: subtract the largest, as the machine does.
  double largest = kHidden;
  for (const Expression& each : all)
    largest = std::isnan(each.value) ? each.value : std::max(largest, each.value);
  const bool shift = std::abs(largest) > 20.0;
  const auto term = [&](Expression score) {
    return exponential(shift ? sum({std::move(score), constant(-largest)}) : std::move(score));
  };
  std::vector<Expression> terms;
  for (Expression& score : all) terms.push_back(term(std::move(score)));
  return quotient(term(std::move(numerator)), sum(std::move(terms)));
}

Expression derive_softmax(const Call& call, const Cell& cell) {
  const Tensor& x = call[0];
  std::vector<Expression> terms = seen_leaves(call, cell);
  if (terms.empty()) return empty_weight(call.parameters, x.cols());
  if (x.at(cell) == kHidden) return constant(0.0);
  return share_of(leaf(x, 0, cell), std::move(terms));
}

/// The sink's share of each row: what is left for no key.
void write_sink_share(const RowsCall& call) {
  const Dtype dtype = find_dtype(call.parameters.word("dtype")).value_or(Dtype::Float64);
  const double sink = *call[1].begin;
  std::vector<double> row;
  for (Index r = 0; r < call.result.rows; ++r) {
    const auto scores = call[0].row(r);
    const double largest = with_sink(largest_of(scores), sink);
    row.resize(scores.size());
    exponentials(scores, largest, row);
    round_to(dtype, row);
    double own = shifted_exp(sink, largest), total = sum_of(row);
    round_to(dtype, {&own, 1});
    total += own;
    round_to(dtype, {&total, 1});
    call.result.row(r).front() = own / total;
  }
}

Expression derive_sink_share(const Call& call, const Cell& cell) {
  return share_of(leaf(call[1], 1, {0, cell.head, 0, 0}), seen_leaves(call, cell));
}

constexpr ParameterField kSoftmaxFields[] = {
    kEmptyRowField,
    {.name = "dtype",
     .kind = ParameterField::Kind::Word,
     .summary = "the number type that its intermediate results are rounded to",
     .words = kDtypeNames}};
constexpr ParameterField kSinkShareFields[] = {kSoftmaxFields[1]};

std::vector<Share> backward_softmax(const Differentiated& step) {
  std::vector<std::string> inputs{step.gradient, step.id};
  const bool has_sink = step.inputs.size() > 1;
  if (fills_rows(step.parameters) && !has_sink) inputs.push_back(step.inputs[0]);
  std::vector<Share> shares{{0, &softmax_gradient, std::move(inputs)}};
  if (has_sink) shares.push_back({1, &sink_gradient, {step.gradient, step.id}});
  return shares;
}

std::size_t scores_alone(const Parameters&) { return 1; }

MaybeShape softmax_shape(Shapes in, const Parameters&, const Shape&) {
  return in.size() < 2 || is_sink(in[1], in[0]) ? MaybeShape(in[0]) : std::nullopt;
}

MaybeShape sink_share_shape(Shapes in, const Parameters&, const Shape&) {
  return is_sink(in[1], in[0]) ? MaybeShape(column_of(in[0])) : std::nullopt;
}

}  // namespace

const Operation softmax{.name = "softmax",
                        .formula = "softmax({0}[, {1}])",
                        .shape_rule = {1, 2, kSinkRule, softmax_shape},
                        .write_rows = write_softmax,
                        .inputs_by_row = scores_alone,
                        .derive = derive_softmax,
                        .fields = kSoftmaxFields,
                        .sums_over_keys = always,
                        .backward = backward_softmax};

const Operation sink_share{.name = "sink_share",
                           .formula = "e^{1} / (e^{1} + sum of each row of e^{0})",
                           .shape_rule = {2, 2, kSinkRule, sink_share_shape},
                           .write_rows = write_sink_share,
                           .inputs_by_row = scores_alone,
                           .derive = derive_sink_share,
                           .fields = kSinkShareFields,
                           .sums_over_keys = always};

}  // namespace attn::ops
