// The settings of an attention with their defaults filled in.
#include "attn/settings.hpp"

#include <cmath>
#include <limits>

namespace attn {
namespace {

/// ALiBi's slopes for h heads: 2^(−8/h), 2^(−16/h), …; if h is not a power of two, those of the
/// next smaller power, then every other one of the next larger (Press et al. 2022 and their code).
std::vector<double> standard_slopes(Index heads) {
  Index power = 1;
  while (power * 2 <= heads) power *= 2;
  std::vector<double> slopes;
  const auto slope = [](Index i, Index n) {
    return std::pow(2.0, -8.0 * static_cast<double>(i) / static_cast<double>(n));
  };
  for (Index i = 1; i <= power; ++i) slopes.push_back(slope(i, power));
  for (Index i = 1; static_cast<Index>(slopes.size()) < heads; i += 2) {
    slopes.push_back(slope(i, 2 * power));
  }
  return slopes;
}

}  // namespace

AttentionSettings with_defaults(const AttentionSettings& written, Index d_k, Index heads,
                                std::optional<Index> rotated) {
  AttentionSettings s = written;
  const bool plain = s.score != ScoreKind::Dot || s.positions.kind == PositionKind::T5;
  if (s.scale.kind == ScaleRule::Kind::Usual)
    s.scale.kind = plain ? ScaleRule::Kind::None : ScaleRule::Kind::InverseSqrtDk;
  if (s.scale.kind == ScaleRule::Kind::None) s.scale.number = 1.0;
  if (s.scale.kind == ScaleRule::Kind::InverseSqrtDk)
    s.scale.number = 1.0 / std::sqrt(static_cast<double>(d_k));
  s.fill = s.fill.value_or(-std::numeric_limits<double>::infinity());
  s.qk_norm.eps = s.qk_norm.eps.value_or(1e-6);
  s.qk_norm.offset = s.qk_norm.offset.value_or(0.0);
  Positions& p = s.positions;
  const RopeScaling scaling = p.scaling.value_or(RopeScaling());
  p.base = p.base.value_or(scaling.rope_theta.value_or(10000.0));
  if (!p.partial_rotary_factor) p.partial_rotary_factor = scaling.partial_rotary_factor;
  const double part =
      p.partial_rotary_factor.value_or(1.0) * static_cast<double>(rotated.value_or(d_k));
  p.rotary_dim = p.rotary_dim.value_or(static_cast<Index>(part));
  p.offset = p.offset.value_or(0);
  if (p.slopes.empty()) p.slopes = standard_slopes(heads);
  if (p.table && !p.table->shape.empty()) p.num_buckets = p.num_buckets.value_or(p.table->shape[0]);
  p.max_distance = p.max_distance.value_or(128);
  p.bidirectional = p.bidirectional.value_or(true);
  return s;
}

}  // namespace attn
