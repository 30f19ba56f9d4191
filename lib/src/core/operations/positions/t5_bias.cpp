// A learned number for each bucket of distances and each head (+ B).
// Raffel et al. 2020, section 2.1.
#include <cmath>
#include <cstdlib>

#include "core/operations/operations.hpp"
#include "core/operations/positions/distance_buckets.hpp"
#include "core/operations/shape_rules.hpp"

namespace attn::ops {

bool has_buckets(const Parameters& p, Index buckets) {
  const bool both = p.flag("bidirectional");
  const Index each = both ? buckets / 2 : buckets;
  return each >= 2 && (!both || buckets % 2 == 0) && p.count("max_distance") > each / 2;
}

Index bucket_of(const Parameters& p, Index buckets, Index distance) {
  const bool both = p.flag("bidirectional");
  const Index each = both ? buckets / 2 : buckets, exact = each / 2;
  const Index first = both && distance > 0 ? each : 0;
  const Index far = both ? std::abs(distance) : std::max<Index>(-distance, 0);
  if (far < exact) return first + far;
  const auto near = static_cast<double>(exact);
  const auto range =
      static_cast<float>(std::log(static_cast<double>(p.count("max_distance")) / near));
  const float share = std::log(static_cast<float>(far) / static_cast<float>(exact)) / range;
  const auto beyond = static_cast<Index>(share * static_cast<float>(each - exact));
  return first + std::min(exact + beyond, each - 1);
}

namespace {

void write_t5_bias(const RowsCall& call) {
  const Parameters& p = call.parameters;
  const Rows<const double>& table = call[0];
  const Index n = p.count("n_distances");
  for (Index r = 0; r < call.result.rows; ++r) {
    const auto row = call.result.row(r);
    for (Index j = 0; j < call.result.cols; ++j) {
      const Cell cell{call.batch, call.head, call.first + r, j};
      const auto at = static_cast<std::size_t>(j);
      row[at] = call.inputs.size() > 1 ? call[1].row(cell.row)[at] : 0.0;
      if (j >= n) continue;
      const Index bucket = bucket_of(p, table.rows, distance_of(p, cell));
      row[at] += table.row(bucket)[static_cast<std::size_t>(call.head)];
    }
  }
}

Expression derive_t5_bias(const Call& call, const Cell& cell) {
  const Parameters& p = call.parameters;
  Expression own = constant(0.0);
  if (cell.col < p.count("n_distances")) {
    const Index distance = distance_of(p, cell);
    const Index bucket = bucket_of(p, call[0].rows(), distance);
    own = leaf(call[0], 0, {0, 0, bucket, cell.head});
    own.reason =
        "key − query is " + std::to_string(distance) + ": bucket " + std::to_string(bucket);
  }
  if (call.inputs.size() == 1) return own;
  Expression both = sum({own, leaf(call[1], 1, cell)});
  both.reason = own.reason;
  return both;
}

/// A column for each head, buckets that distances can be cut into, and a position for each row.
bool table_fits(const Shape& table, const Parameters& p, const Shape& scores) {
  return !table.batch && !table.heads && table.cols == scores.heads.value_or(1) &&
         has_buckets(p, table.rows) && has_offsets(p, scores);
}

MaybeShape shape_of_t5_bias(Shapes in, const Parameters& p, const Shape& own) {
  const bool bias = in.size() == 1 ||
                    (in[1].rows == own.rows && in[1].cols == own.cols && spreads_to(in[1], own));
  return bias && table_fits(in[0], p, own) ? MaybeShape(own) : std::nullopt;
}

std::vector<Share> backward_t5_bias(const Differentiated& step) {
  std::vector<Share> shares{{0, &bucket_sums, {step.gradient}, step.parameters}};
  if (step.inputs.size() > 1) shares.push_back({1, &copy, {step.gradient}});
  return shares;
}

constexpr const char* kBucketRule =
    "The table has a row for each bucket, at least two in each direction, and a column for each "
    "head.";

}  // namespace

const Operation t5_bias{.name = "t5_bias",
                        .formula = "{0} at bucket(key − query)[ + {1}]",
                        .shape_rule = {1, 2, kBucketRule, shape_of_t5_bias},
                        .write_rows = write_t5_bias,
                        .inputs_by_row = [](const Parameters&) -> std::size_t { return 0; },
                        .derive = derive_t5_bias,
                        .fields = kBucketFields,
                        .backward = backward_t5_bias};

// What each number of the table gets: the sum of what the pairs of its bucket get.
namespace {

/// Calls f(cell) for the cells of one head of the scores that have a bucket.
template <typename F>
void for_each_pair(const Call& call, Index head, F f) {
  const Index n = std::min(call.parameters.count("n_distances"), call[0].cols());
  for (Index b = 0; b < call[0].batch(); ++b) {
    for (Index r = 0; r < call[0].rows(); ++r) {
      for (Index j = 0; j < n; ++j) f(Cell{b, head, r, j});
    }
  }
}

Tensor evaluate_bucket_sums(const Call& call) {
  Tensor y(call.shape);
  for (Index h = 0; h < y.cols(); ++h) {
    for_each_pair(call, h, [&](const Cell& at) {
      const Index bucket = bucket_of(call.parameters, y.rows(), distance_of(call.parameters, at));
      y.at({0, 0, bucket, h}) += call[0].at(at);
    });
  }
  return y;
}

Expression derive_bucket_sums(const Call& call, const Cell& cell) {
  std::vector<Expression> terms;
  for_each_pair(call, cell.col, [&](const Cell& at) {
    const Index distance = distance_of(call.parameters, at);
    if (bucket_of(call.parameters, call.shape.rows, distance) == cell.row)
      terms.push_back(leaf(call[0], 0, at));
  });
  if (terms.size() == 1) return terms.front();
  Expression total = sum(std::move(terms));
  if (total.parts.empty()) {
    total = constant(0.0);
    total.reason = "no pair has a distance of this bucket";
  }
  return total;
}

MaybeShape shape_of_bucket_sums(Shapes in, const Parameters& p, const Shape& own) {
  return table_fits(own, p, in[0]) ? MaybeShape(own) : std::nullopt;
}

}  // namespace

const Operation bucket_sums{
    .name = "bucket_sums",
    .formula = "{0}, added up by bucket",
    .shape_rule = {1, 1, kBucketRule, shape_of_bucket_sums},
    .evaluate = evaluate_bucket_sums,
    .derive = derive_bucket_sums,
    .fields = kBucketFields,
    .gradient_why = "A number of the table gets the sum of what the pairs of its bucket get."};

}  // namespace attn::ops
