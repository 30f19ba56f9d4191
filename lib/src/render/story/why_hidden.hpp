// Why a cell is hidden, in sentences.
#pragma once

#include <string>

#include "attn/trace.hpp"

namespace attn {

/// What hid a cell and why, and the positions of query and key. Empty if the cell is not hidden.
std::string why_hidden(const Trace& trace, const Step& step, const Cell& cell);

}  // namespace attn
