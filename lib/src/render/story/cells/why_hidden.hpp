// Why a cell is hidden, and which keys a sum leaves out: remarks beside arithmetic.
#pragma once

#include <string>

#include "attn/trace.hpp"

namespace attn {

// All return an empty string if nothing is hidden.

/// Why a cell is hidden: "hidden by causal: the key comes later", or "this query
/// is padding"; where the fill leaves the key some weight, "masked by causal, but still given some
/// weight".
std::string hidden_text(const Trace& trace, const Step& step, const Cell& cell);

/// The same with the cell by name: "causal hides M[cat, dreams]: the key comes later".
std::string hides_text(const Trace& trace, const Step& step, const Cell& cell);

/// In sentences, why a cell is hidden, with the positions of query and key.
std::string why_hidden(const Trace& trace, const Step& step, const Cell& cell);

/// The keys that a sum over all keys leaves out, "3 of 5 keys hidden by causal", and those that a
/// mask covers but that still get some weight.
std::string hidden_keys_text(const Trace& trace, const Step& step, const Cell& cell);

}  // namespace attn
