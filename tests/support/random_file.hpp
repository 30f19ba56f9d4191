// Random problem files, for tests of what the program writes and reads.
#pragma once

#include <cstdint>

#include "attn/problem.hpp"

namespace attn::testing {

/// A random problem, or a whole model, in which each key of the file may appear, also those that
/// the oracle does not know. The same seed gives the same file everywhere. It is valid, but with
/// EmptyRow::Error it may hold a query without a visible key.
ProblemDraft random_file(std::uint64_t seed);

}  // namespace attn::testing
