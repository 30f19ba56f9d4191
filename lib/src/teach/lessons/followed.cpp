// Finds the rows of one query.
#include "teach/lessons/followed.hpp"

#include <algorithm>

#include "core/tensor/slices.hpp"
#include "core/trace/axis_names.hpp"
#include "core/trace/hidden_cells.hpp"
#include "teach/lessons/changes.hpp"

namespace attn {
namespace {

std::vector<std::size_t> visible_keys(const HiddenCells& hidden, const Tensor& weights,
                                      Cell query) {
  std::vector<std::size_t> keys;
  for (query.col = 0; query.col < weights.cols(); ++query.col) {
    if (weights.at(query) > 0.0 && !hidden(query))
      keys.push_back(static_cast<std::size_t>(query.col));
  }
  return keys;
}

/// 'the', or '2:the' where the token is there more than once.
std::string token_text(const AxisName& name, Index index) {
  return quoted_token(unique_name(name, index));
}

std::vector<std::span<const double>> rows_of(const Tensor& t, Index batch, Index head) {
  std::vector<std::span<const double>> rows;
  for (Index r = 0; r < t.rows(); ++r) rows.push_back(t.row(batch, head, r));
  return rows;
}

}  // namespace

const Step& mixed_step(const Trace& trace) {
  const Step* context = trace.find("context");
  return context != nullptr ? *context : trace.at("output");
}

std::size_t Followed::strongest() const {
  return static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) -
                                  weights.begin());
}

Followed followed(const Trace& trace) {
  const Tensor& weights = weights_step(trace).value;
  const HiddenCells hidden(trace, trace.attention());
  Cell best;
  std::ptrdiff_t most = -1;
  for (Index i = 0; i < weights.rows(); ++i) {
    const auto seen = std::ssize(visible_keys(hidden, weights, {0, 0, i, 0}));
    if (seen > most) best.row = i;
    most = std::max(most, seen);
  }
  return followed(trace, best);
}

Followed followed(const Trace& trace, const Cell& query) {
  const auto [batch, head, row, unused] = query;
  const Step &scores = trace.at("scores"), &weights = trace.at("weights");
  const Step& last = weights_step(trace);
  const Tensor &q = trace.input(scores, 0).value, &k = trace.input(scores, 1).value;
  const Step& mixed = mixed_step(trace);
  const Tensor& v = trace.input(mixed, 1).value;
  const Index heads = trace.settings().heads;
  Followed f;
  f.cell = {batch, head, row, 0};
  f.token = token_text(name_of_row(last, f.cell), row);
  for (Index j = 0; j < last.value.cols(); ++j)
    f.keys.push_back(token_text(name_of_col(last, {batch, head, row, j}), j));
  f.query = q.row(batch, head, row);
  f.key_rows = rows_of(k, batch, kv_head(head, heads, k));
  f.scores = trace.input(weights, 0).value.row(batch, head, row);
  f.weights = last.value.row(batch, head, row);
  f.values = rows_of(v, batch, kv_head(head, heads, v));
  f.mixed = mixed.value.row(batch, head, row);
  f.visible = visible_keys(HiddenCells(trace, trace.attention()), last.value, f.cell);
  return f;
}

bool lies_between(const Followed& row) {
  for (std::size_t c = 0; c < row.mixed.size(); ++c) {
    double least = row.values[row.strongest()][c], most = least;
    for (const std::size_t j : row.visible) {
      least = std::min(least, row.values[j][c]);
      most = std::max(most, row.values[j][c]);
    }
    const bool inside = row.mixed[c] >= least && row.mixed[c] <= most;
    if (!inside && !is_close(row.mixed[c], least) && !is_close(row.mixed[c], most)) return false;
  }
  return true;
}

}  // namespace attn
