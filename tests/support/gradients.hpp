// Random problems with their gradients.
#pragma once

#include <cstdint>

#include "attn/gradient.hpp"
#include "attn/problem.hpp"

namespace attn::testing {

/// A random problem, and a random model, in which every row has a result.
ProblemDraft differentiable(std::uint64_t seed);
ProblemDraft differentiable_model(std::uint64_t seed);

/// A random upstream gradient, or none where there are labels; parts for odd seeds.
GradientChoice gradient_choice(const Trace& trace, std::uint64_t seed);

/// A random problem, and a random model, with all gradients; softmax in steps for odd seeds.
Trace with_gradients(std::uint64_t seed);
Trace model_with_gradients(std::uint64_t seed);

}  // namespace attn::testing
