// Matrices of random numbers that a problem describes.
#pragma once

#include "io/json/value.hpp"

namespace attn::json {

/// {"rand": [8, 32], "seed": 42}, or the same with randn, randint or linear: what PyTorch or NumPy
/// draws with that seed. Throws Error (ids "wrong-type", "unknown-key", "missing-key",
/// "out-of-range", "too-large").
Array read_random(const Value& value);

/// Refuses an array that the memory of the problem has no room for.
void make_room(const Value& value, const std::vector<std::ptrdiff_t>& shape);

}  // namespace attn::json
