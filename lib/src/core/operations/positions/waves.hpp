// The sines and cosines of positions: which column holds which, and how fast they turn.
#pragma once

#include <algorithm>

#include "core/operations/positions/row_positions.hpp"

namespace attn::ops {

inline constexpr ParameterField kHalvesField{.name = "halves",
                                             .kind = ParameterField::Kind::Flag,
                                             .summary = "whether all sines come before all cosines",
                                             .required = false};
inline constexpr ParameterField kToBaseField{
    .name = "to_base",
    .kind = ParameterField::Kind::Flag,
    .summary = "whether the longest wavelength is 2π·base: exponents i / (d/2 − 1)",
    .required = false};

/// Whether an optional flag of waves is set.
inline bool is_wave_flag(const Parameters& p, std::string_view name) {
  return p.find(name) != nullptr && p.flag(name);
}

/// The pair that a column belongs to, and whether the column is its sine.
struct Wave {
  Index pair;
  bool is_sine;
};

/// Sine in even columns, cosine in odd ones; or all sines, then all cosines.
inline Wave wave_of(const Parameters& p, Index cols, Index col) {
  if (!is_wave_flag(p, "halves")) return {col / 2, col % 2 == 0};
  const Index sines = (cols + 1) / 2;
  return {col % sines, col < sines};
}

/// What 2i is divided by in the exponent.
inline Index wave_columns(const Parameters& p, Index cols) {
  return is_wave_flag(p, "to_base") ? std::max<Index>(cols - 2, 2) : cols;
}

}  // namespace attn::ops
