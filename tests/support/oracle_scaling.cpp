// The oracle: how scaled rotary positions turn, written with whole lists and by cases.
// From the papers and the descriptions in transformers' documentation.
#include <algorithm>
#include <cmath>

#include "support/oracle_bench.hpp"

namespace attn::testing {
namespace {

using PerPair = std::vector<double>;

constexpr double kTurn = 6.283185307179586;

/// Wavelengths 2π·base^(2i/d): how many tokens one turn takes.
PerPair wavelengths(double base, Index columns) {
  PerPair waves;
  for (Index c = 0; c < columns; c += 2)
    waves.push_back(
        kTurn * std::exp(std::log(base) * static_cast<double>(c) / static_cast<double>(columns)));
  return waves;
}

/// The column, as a real number, whose pair turns `turns` times in `length` tokens, halved.
double place_of(double turns, double base, Index columns, double length) {
  return static_cast<double>(columns) / 2 * std::log(length / (kTurn * turns)) / std::log(base);
}

/// By what each wavelength is stretched.
PerPair stretches(const RopeScaling& s, double base, Index columns, double length, double trained,
                  double factor) {
  PerPair by(static_cast<std::size_t>(columns / 2), 1.0);
  const PerPair waves = wavelengths(base, columns);
  for (std::size_t i = 0; i < by.size(); ++i) {
    if (s.kind == RopeScalingKind::Linear) by[i] = factor;
    if (s.kind == RopeScalingKind::Dynamic && length > trained && i > 0) {
      const double more = 1 + factor * (length / trained - 1);
      by[i] = std::pow(more, 2 * static_cast<double>(i) / static_cast<double>(columns - 2));
    }
    if (s.kind == RopeScalingKind::LongRope)
      by[i] = (length > trained ? s.long_factor : s.short_factor)[i];
    if (s.kind == RopeScalingKind::Llama3) {
      const double longest = trained / *s.low_freq_factor;
      const double shortest = trained / *s.high_freq_factor;
      if (waves[i] >= longest) {
        by[i] = factor;
      } else if (waves[i] > shortest) {
        const double smooth =
            (trained / waves[i] - *s.low_freq_factor) / (*s.high_freq_factor - *s.low_freq_factor);
        by[i] = 1 / ((1 - smooth) / factor + smooth);
      }
    }
    if (s.kind == RopeScalingKind::Yarn) {
      double from = place_of(s.beta_fast.value_or(32), base, columns, trained);
      double to = place_of(s.beta_slow.value_or(1), base, columns, trained);
      if (s.truncate.value_or(true)) {
        from = std::floor(from);
        to = std::ceil(to);
      }
      from = from < 0 ? 0 : from;
      to = to > static_cast<double>(columns - 1) ? static_cast<double>(columns - 1) : to;
      const double width = to == from ? 0.001 : to - from;
      const double kept = 1 - std::clamp((static_cast<double>(i) - from) / width, 0.0, 1.0);
      by[i] = 1 / (kept + (1 - kept) / factor);
    }
  }
  return by;
}

double factor_of_waves(const RopeScaling& s, double trained, double factor) {
  if (s.attention_factor) return *s.attention_factor;
  if (s.kind == RopeScalingKind::LongRope)
    return factor > 1 ? std::sqrt(1 + std::log(factor) / std::log(trained)) : 1;
  if (s.kind != RopeScalingKind::Yarn || factor <= 1) return 1;
  const double tenth = std::log(factor) / 10;
  if (s.mscale && s.mscale_all_dim)
    return (*s.mscale * tenth + 1) / (*s.mscale_all_dim * tenth + 1);
  return tenth + 1;
}

}  // namespace

Stretched stretched(const Positions& positions, Index columns, Index length) {
  const RopeScaling s = positions.scaling.value_or(RopeScaling());
  const double base = positions.base.value_or(s.rope_theta.value_or(10000));
  const auto whole = static_cast<double>(s.max_position_embeddings.value_or(0));
  const double trained = s.original_max_position_embeddings
                             ? static_cast<double>(*s.original_max_position_embeddings)
                             : whole;
  const double factor = s.factor ? *s.factor : whole / trained;
  Stretched made;
  const PerPair by = stretches(s, base, columns, static_cast<double>(length),
                               s.kind == RopeScalingKind::Dynamic ? whole : trained, factor);
  const PerPair waves = wavelengths(base, columns);
  for (std::size_t i = 0; i < by.size(); ++i) made.each.push_back(kTurn / (waves[i] * by[i]));
  made.factor = factor_of_waves(s, trained, factor);
  return made;
}

}  // namespace attn::testing
