// Compares a trace with the steps that the oracle expects.
#pragma once

#include <string>
#include <vector>

#include "attn/trace.hpp"
#include "support/oracle.hpp"

namespace attn::testing {

/// The ids of all steps of one attention, from its input to its output, in the order of the table.
std::vector<std::string> attention_steps();

/// The ids of `steps` in the order of the table of steps, with spaces between.
std::string expected_order(const Steps& steps);

/// "weights [0, 2, 1] is …" for the first step in which the trace differs, by its presence, its
/// place or its numbers; empty if none does. With `masked_first`, scores are scaled after the mask.
std::string first_wrong_step(const Steps& expected, const Trace& trace, bool masked_first = false);

}  // namespace attn::testing
