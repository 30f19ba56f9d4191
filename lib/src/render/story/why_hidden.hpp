#pragma once

#include <string>

#include "attn/trace.hpp"

namespace attn {

/// Sentences about a cell that is hidden: what hid it and why, where query and key stand, and which
/// later masks would hide it too. Empty if the cell is not hidden.
std::string hidden_story(const Trace& trace, const Step& step, const Cell& cell);

}  // namespace attn
