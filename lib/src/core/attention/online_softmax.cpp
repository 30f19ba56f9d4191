// Softmax and the weighted sum of values, one block of keys at a time.
#include "attn/core/online_softmax.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/operations/rows.hpp"
#include "core/tensor/slices.hpp"

namespace attn {

double OnlineRow::add(std::span<const double> scores,
                      std::span<const std::span<const double>> values) {
  const double before = maximum, largest = ops::largest_of(scores);
  maximum = std::isnan(before) || largest < before ? before : largest;
  if (maximum == -std::numeric_limits<double>::infinity()) return 0.0;  // no visible key so far
  const double rescale = ops::shifted_exp(before, maximum);
  sum *= rescale;
  for (double& x : output) x *= rescale;
  for (std::size_t j = 0; j < scores.size(); ++j) {
    const double e = ops::shifted_exp(scores[j], maximum);
    sum += e;
    for (std::size_t c = 0; c < output.size(); ++c) output[c] += e * values[j][c];
  }
  return rescale;
}

std::vector<OnlineBlock> online_softmax(const Trace& trace, const Cell& query, Index block) {
  if (block < 1) throw std::invalid_argument("a block has at least one key");
  if (trace.settings().normalize != NormalizeKind::Softmax)
    throw std::invalid_argument("only softmax can be computed online");
  const Step* context = trace.find("context");
  const Step& product = context != nullptr ? *context : trace.at("output");
  const Tensor& v = trace.input(product, 1).value;
  const Tensor& masked = trace.input(trace.at("weights"), 0).value;
  const auto scores = masked.row(query.batch, query.head, query.row);
  const Index group = kv_head(query.head, trace.settings().heads, v);
  std::vector<std::span<const double>> values;
  for (Index j = 0; j < v.rows(); ++j) values.push_back(v.row(query.batch, group, j));

  std::vector<OnlineBlock> blocks;
  OnlineRow row{.output = std::vector<double>(static_cast<std::size_t>(v.cols()))};
  for (std::size_t first = 0; first < scores.size(); first += static_cast<std::size_t>(block)) {
    const std::size_t count = std::min(static_cast<std::size_t>(block), scores.size() - first);
    const auto some = scores.subspan(first, count);
    const double rescale = row.add(some, std::span(values).subspan(first, count));
    blocks.push_back({static_cast<Index>(first), {some.begin(), some.end()}, rescale, row});
  }
  return blocks;
}

}  // namespace attn
