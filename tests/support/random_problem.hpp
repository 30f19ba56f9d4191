// Random drafts that are valid, for comparison with the oracle.
#pragma once

#include <cstdint>

#include "attn/problem.hpp"

namespace attn::testing {

/// A valid problem with every part of it left to chance: where Q, K and V come from, sizes, batch,
/// heads, biases, past, masks of all kinds, scale, positions, added keys; computed in float64. The
/// same seed gives the same problem everywhere. With EmptyRow::Error it may still hold a query
/// without a visible key.
ProblemDraft random_problem(std::uint64_t seed);

}  // namespace attn::testing
