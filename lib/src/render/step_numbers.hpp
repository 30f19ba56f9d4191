#pragma once

#include <vector>

#include "attn/explain.hpp"

namespace attn {

/// The steps that have a number, in order. The mask is told by the masked scores unless the view
/// asks for every detail.
std::vector<const Step*> numbered_steps(const Trace& trace, const View& view);

/// The steps that a view names, by id, symbol or number; all that have a number if it names none.
/// Throws Error (usage, id "no-such-step").
std::vector<const Step*> shown_steps(const Trace& trace, const View& view);

}  // namespace attn
