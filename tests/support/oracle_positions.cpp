// The oracle: sinusoidal, rotary and ALiBi positions.
#include <algorithm>
#include <cmath>
#include <complex>

#include "support/infinity.hpp"
#include "support/narrow.hpp"
#include "support/oracle_bench.hpp"

namespace attn::testing {
namespace {

/// The angle of pair `i` among `columns` columns at position `p`: p · base^(−2i / columns).
double angle(const ProblemDraft& draft, Index p, Index i, Index columns) {
  const double base = draft.positions.base.value_or(10000);
  const auto exponent = -2 * static_cast<double>(i) / static_cast<double>(columns);
  return static_cast<double>(p) * std::pow(base, exponent);
}

/// The slopes of ALiBi as its authors compute them: a geometric sequence for a power of two,
/// otherwise that of the power below, filled up from every other one of the power above.
std::vector<double> published_slopes(Index heads) {
  Index power = 1;
  while (2 * power <= heads) power *= 2;
  std::vector<double> slopes;
  if (power == heads) {
    const double ratio = std::exp2(-8 / static_cast<double>(heads));
    for (Index i = 0; i < heads; ++i) slopes.push_back(i == 0 ? ratio : slopes.back() * ratio);
    return slopes;
  }
  slopes = published_slopes(power);
  const std::vector<double> finer = published_slopes(2 * power);
  for (std::size_t i = 0; static_cast<Index>(slopes.size()) < heads; i += 2) {
    slopes.push_back(finer[i]);
  }
  return slopes;
}

}  // namespace

namespace {

/// Where a row is: counted from `first`, unless the draft says it.
Index place(const ProblemDraft& draft, Index batch, Index row, Index first) {
  const auto& ids = draft.positions.ids;
  if (ids.empty()) return row + first + draft.positions.offset.value_or(0);
  return ids[ids.size() == 1 ? 0 : static_cast<std::size_t>(batch)][static_cast<std::size_t>(row)];
}

}  // namespace

namespace {

/// All sines in the first half; the waves of tensor2tensor are spread over i / (d/2 − 1).
double wave_in_halves(const ProblemDraft& draft, Index p, Index col, Index columns) {
  const Index half = columns - columns / 2, i = col < half ? col : col - half;
  double exponent = 2 * static_cast<double>(i) / static_cast<double>(columns);
  if (draft.positions.kind == PositionKind::SinusoidalT2t)
    exponent = static_cast<double>(i) / std::max(static_cast<double>(half) - 1, 1.0);
  const double t =
      static_cast<double>(p) * std::exp(-exponent * std::log(draft.positions.base.value_or(10000)));
  return col < half ? std::sin(t) : std::cos(t);
}

}  // namespace

Block position_signal(const ProblemDraft& draft, const Block& x) {
  const PositionKind kind = draft.positions.kind;
  return like(x, [&](Index b, Index, Index row, Index col) {
    if (kind == PositionKind::Learned) {
      const Array& table = *draft.positions.table;
      const double own =
          table.data[static_cast<std::size_t>(place(draft, b, row, 0) * table.shape[1] + col)];
      return narrowed(own, draft.dtype);
    }
    if (kind != PositionKind::Sinusoidal)
      return wave_in_halves(draft, place(draft, b, row, 0), col, x.cols);
    const double t = angle(draft, place(draft, b, row, 0), col / 2, x.cols);
    return col % 2 == 0 ? std::sin(t) : std::cos(t);
  });
}

Index turned_columns(const Positions& positions, Index columns) {
  if (positions.rotary_dim) return *positions.rotary_dim;
  double part = positions.partial_rotary_factor.value_or(1);
  if (!positions.partial_rotary_factor && positions.scaling)
    part = positions.scaling->partial_rotary_factor.value_or(1);
  return static_cast<Index>(std::floor(part * static_cast<double>(columns)));
}

Block turned(const ProblemDraft& draft, const Block& x, const std::vector<Index>& first) {
  const bool neighbours = draft.positions.kind == PositionKind::RopeInterleaved;
  const Index fixed = draft.latent ? *draft.latent->nope_dim : 0;
  const Index r = turned_columns(draft.positions, x.cols - fixed);
  const Index offset = draft.positions.offset.value_or(0);
  const Facts facts = facts_of(draft);
  Index length = facts.n_real;
  for (const Index each : first_positions(draft, facts))
    length = std::max(length, each + facts.n_queries);
  length += offset;
  if (!draft.positions.ids.empty()) length = 0;
  for (const auto& entry : draft.positions.ids) {
    for (const Index each : entry) length = std::max(length, each + 1);
  }
  const Stretched turns = stretched(draft.positions, r, length);
  Block y = filled(static_cast<Index>(first.size()), x.heads, x.rows, x.cols,
                   [&](Index b, Index h, Index i, Index j) { return x.at(b, h, i, j); });
  for_each(y.batch, y.heads, y.rows, r / 2, [&](Index b, Index h, Index row, Index i) {
    const Index one = fixed + (neighbours ? 2 * i : i);
    const Index other = fixed + (neighbours ? 2 * i + 1 : i + r / 2);
    const Index p = place(draft, b, row, first[static_cast<std::size_t>(b)]);
    const std::complex<double> point(x.at(b, h, row, one), x.at(b, h, row, other));
    const std::complex<double> after =
        point *
        std::polar(turns.factor, static_cast<double>(p) * turns.each[static_cast<std::size_t>(i)]);
    y.at(b, h, row, one) = after.real();
    y.at(b, h, row, other) = after.imag();
  });
  return y;
}

bool has_bias(const ProblemDraft& draft) {
  return draft.bias || draft.positions.kind == PositionKind::Alibi ||
         draft.positions.kind == PositionKind::T5;
}

Index t5_bucket(Index relative, bool bidirectional, Index buckets, Index max_distance) {
  Index bucket = 0;
  if (bidirectional) {
    buckets /= 2;
    if (relative > 0) bucket += buckets;
    relative = std::abs(relative);
  } else {
    relative = -std::min<Index>(relative, 0);
  }
  const Index max_exact = buckets / 2;
  if (relative < max_exact) return bucket + relative;
  const auto exact = static_cast<float>(max_exact);
  const auto logarithm = static_cast<float>(
      std::log(static_cast<double>(max_distance) / static_cast<double>(max_exact)));
  const float large = std::log(static_cast<float>(relative) / exact) / logarithm *
                      static_cast<float>(buckets - max_exact);
  return bucket + std::min(max_exact + static_cast<Index>(large), buckets - 1);
}

Block bias_of(const ProblemDraft& draft, const Facts& facts) {
  const Array nothing{{1, 1}, {0}};
  Block bias = spread(draft.bias.value_or(nothing), facts, -kInfinity, 0);
  bias = all_narrowed(bias, draft.dtype);
  const std::vector<Index> from = first_positions(draft, facts);
  if (draft.positions.kind == PositionKind::T5) {
    const Array& table = *draft.positions.table;
    for_each(facts.batch, facts.heads, facts.n_queries, facts.n_real,
             [&](Index b, Index h, Index i, Index j) {
               const Index bucket =
                   t5_bucket(j - (from[static_cast<std::size_t>(b)] + i),
                             draft.positions.bidirectional.value_or(true), table.shape[0],
                             draft.positions.max_distance.value_or(128));
               const auto at = static_cast<std::size_t>(bucket * facts.heads + h);
               bias.at(b, h, i, j) += narrowed(table.data[at], draft.dtype);
             });
    return bias;
  }
  if (draft.positions.kind != PositionKind::Alibi) return bias;
  const std::vector<double> slopes =
      draft.positions.slopes.empty() ? published_slopes(facts.heads) : draft.positions.slopes;
  for_each(facts.batch, facts.heads, facts.n_queries, facts.n_real,
           [&](Index b, Index h, Index i, Index j) {
             const Index p = from[static_cast<std::size_t>(b)] + i;
             const auto distance = static_cast<double>(std::abs(p - j));
             bias.at(b, h, i, j) -= slopes[static_cast<std::size_t>(h)] * distance;
           });
  return bias;
}

}  // namespace attn::testing
