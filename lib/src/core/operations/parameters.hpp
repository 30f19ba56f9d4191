#pragma once

#include "attn/attend.hpp"

namespace attn {

// The parameters of each operation in a problem, with the words that its formula shows.
Parameters split_parameters(Index heads, HeadCut cut);
Parameters scale_parameters(const Problem& problem);
Parameters softcap_parameters(double cap);
Parameters hide_parameters(const Problem& problem);
Parameters softmax_parameters(const Problem& problem, SoftmaxOver over);
Parameters sinusoid_parameters(const Problem& problem);
Parameters rotate_parameters(const Problem& problem, const std::vector<Index>& offsets);
Parameters alibi_parameters(const Problem& problem);

/// `p` with the words for it in the formula of `op`: text, latex, symbol.
Parameters worded(Op op, Parameters p);

bool is_rotary(PositionKind kind);

/// Modes replace and add change scores; multiply and renormalize change weights.
bool acts_before_softmax(MaskingMode mode);

/// A trace with the problem's words and settings, and no steps yet.
Trace opened(const Problem& problem);

/// Notes what the numbers make worth saying: what became of queries that see no key, overflow.
void note_numbers(Trace& trace, const Problem& problem);

}  // namespace attn
