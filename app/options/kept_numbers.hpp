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

/// The numbers of these steps. For a whole model also those of what each is made from, of the other
/// steps of their layers and of those outside of layers, so that worked cells can follow them; for
/// a single attention also those of every step that is not a query × key matrix.
Ids numbers_of(const Trace& outline, const std::vector<const Step*>& shown);

/// Those of these steps, and of the givens that they are made from: what a file holds.
Ids numbers_in_file(const Trace& outline, const std::vector<const Step*>& written);

/// Those of weights, and of what says which of them are hidden.
Ids numbers_of_weights(const Trace& outline);

/// Those of the probabilities of words.
Ids numbers_of_probabilities(const Trace& outline);

/// Those of what a summary of a model has a line for.
Ids numbers_of_summary(const Trace& outline);
/// Those of what a summary of these steps needs.
Ids numbers_of_summary(const Trace& outline, const std::vector<const Step*>& shown);

}  // namespace attn::app
