// e^x / Σ e^x over each row.
#include <algorithm>
#include <cmath>
#include <limits>

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

/// What row_max, exp_shifted, row_sum and divide_rows do one after the other: in a narrow number
/// type each of their results is rounded.
void write_softmax(const RowsCall& call) {
  const Dtype dtype = find_dtype(call.parameters.word("dtype")).value_or(Dtype::Float64);
  for (Index r = 0; r < call.result.rows; ++r) {
    const auto scores = call[0].row(r);
    const auto row = call.result.row(r);
    const auto [first, count] = shown_part(scores);
    const auto seen = row.subspan(first, count);
    std::fill_n(row.data(), first, 0.0);
    std::fill(seen.data() + count, row.data() + row.size(), 0.0);
    exponentials(scores.subspan(first, count), largest_of(scores), seen);
    round_to(dtype, seen);
    double total = sum_of(row);
    round_to(dtype, {&total, 1});
    const auto changed = std::isfinite(total) && total > 0.0 ? seen : row;
    divide(changed, total, call.parameters, changed);
  }
}

Expression derive_softmax(const Call& call, const Cell& cell) {
  const Tensor& x = call[0];
  std::vector<Expression> visible = row_leaves(x, cell);
  std::erase_if(visible, [](const Expression& score) { return score.value == kHidden; });
  if (visible.empty()) return empty_weight(call.parameters, x.cols());
  if (x.at(cell) == kHidden) return constant(0.0);

  // Far from 0 the exponentials overflow on paper too: subtract the largest, as the machine does.
  const double largest = largest_of(x.row(cell.batch, cell.head, cell.row));
  const bool shift = std::abs(largest) > 20.0;
  const auto term = [&](Expression score) {
    return exponential(shift ? sum({std::move(score), constant(-largest)}) : std::move(score));
  };
  std::vector<Expression> terms;
  for (Expression& score : visible) terms.push_back(term(std::move(score)));
  return quotient(term(leaf(x, 0, cell)), sum(std::move(terms)));
}

constexpr ParameterField kSoftmaxFields[] = {
    kEmptyRowField,
    {.name = "dtype",
     .kind = ParameterField::Kind::Word,
     .summary = "the number type that its intermediate results are rounded to",
     .words = kDtypeNames}};

std::vector<Share> backward_softmax(const Differentiated& step) {
  std::vector<std::string> inputs{step.gradient, step.id};
  if (fills_rows(step.parameters)) inputs.push_back(step.inputs[0]);
  return {{0, &softmax_gradient, std::move(inputs)}};
}

}  // namespace

const Operation softmax{.name = "softmax",
                        .formula = "softmax({0})",
                        .shape_rule = kLikeInput,
                        .write_rows = write_softmax,
                        .derive = derive_softmax,
                        .fields = kSoftmaxFields,
                        .sums_over_keys = always,
                        .backward = backward_softmax};

}  // namespace attn::ops
