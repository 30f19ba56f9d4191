// What an attention takes, and what kind of matrix its scores are: for a summary.
#pragma once

#include <string>
#include <vector>

#include "attn/trace.hpp"

namespace attn {

/// Sentences without a full stop: the multiplications of all matrix products and the numbers of a
/// cache, for these sizes and as formulas in T, d_model (d), d_k, d_v, h and h_kv; the rank of the
/// scores of each head, and whether they are symmetric. Only for one attention whose numbers are
/// all there; what does not follow its formula has none.
std::vector<std::string> costs(const Trace& trace);

}  // namespace attn
