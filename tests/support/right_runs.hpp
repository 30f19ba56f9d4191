// Right runs of everything that attn computes, which nobody may find fault with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace attn::testing {

/// What `check_answers` finds wrong with one right run, handed in one way; `said` is empty for
/// nothing.
struct RightRun {
  std::string how;
  std::string said;
};

/// The right runs of one random problem, or for every fourth seed of a random whole model: worked
/// out in plain loops, in full, with noise of float32 or with 3 decimals; by the library in
/// narrower number types; in the arrangements that other programs have. None where nothing can be
/// computed.
/// With `exact`, only what another program computes in float64, and sheets with 3 decimals.
std::vector<RightRun> right_runs(std::uint64_t seed, bool exact = false);

}  // namespace attn::testing
