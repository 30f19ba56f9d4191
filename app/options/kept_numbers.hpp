// Which numbers of a large problem a command shows; the others need not stay in memory.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "attn/trace.hpp"

namespace attn::app {

/// Ids of steps and givens.
using Ids = std::set<std::string>;

// All take an outline of the trace.

Ids all_numbers(const Trace& outline);

/// Of these steps. Of a whole model also of what each is made from, with the other steps of their
/// layers and those outside of layers, so that worked cells can follow them; of one attention also
/// of every step that has no number for each query and key.
Ids numbers_of(const Trace& outline, const std::vector<const Step*>& shown);

/// Of these steps, and of the givens that they are made from: what a file holds.
Ids numbers_in_file(const Trace& outline, const std::vector<const Step*>& written);

/// Of weights, and of what says which of them are hidden.
Ids numbers_of_weights(const Trace& outline);

/// Of what a summary has a line for.
Ids numbers_of_summary(const Trace& outline);

}  // namespace attn::app
