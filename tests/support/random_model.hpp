// Random whole models, for comparison with the oracle.
#pragma once

#include <cstdint>

#include "attn/problem.hpp"

namespace attn::testing {

/// A valid problem with a whole model, all kinds in turn; its sizes, weights, masks and options are
/// left to chance. The same seed gives the same model everywhere.
ProblemDraft random_model(std::uint64_t seed);

}  // namespace attn::testing
