// Two mistakes on one sheet.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "support/wrong_sheets.hpp"

namespace attn::testing {

/// What `check_answers` makes of a sheet with two mistakes.
struct TwoNamed {
  bool right_place = false;  // the first wrong step is the first that differs
  bool both_named = false;   // each is the first finding of some step, or tied with it
  std::string said;          // the mistakes, and every step's first finding
};

/// Two random mistakes of causal self-attention in different steps; absent if they get in each
/// other's way: only one of them shows, or both change the same step.
std::optional<TwoNamed> two_mistakes(std::uint64_t seed, const Handed& handed);

}  // namespace attn::testing
