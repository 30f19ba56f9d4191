// Works out the arithmetic of cells again.
#pragma once

#include <string>

#include "attn/trace.hpp"

namespace attn::testing {

/// What is wrong with the first cell of a step whose arithmetic, worked out from its leaves and
/// never from its own values, does not give the cell; empty if there is none.
std::string first_wrong_derivation(const Trace& trace, const Step& step);

}  // namespace attn::testing
