// Answers that are right by another road: a scale applied earlier, tokens as columns, finite fills.
#pragma once

#include "attn/check.hpp"
#include "teach/check/judged.hpp"
#include "teach/check/search.hpp"

namespace attn {

/// Whether a row stands for another road to a right result, not for a mistake.
bool is_equivalent(const MistakeRow& row);

/// The other roads that are changes of the computation.
std::vector<Candidate> other_roads(const Trace& truth);

/// Leaving out b_k, where no answer shows the keys or the unscaled scores: softmax ignores it.
std::vector<Candidate> without_b_k(const Trace& truth, const std::vector<Judged>& answers);

/// The answers with tokens as rows. If all of them have tokens as columns, they are transposed, and
/// the report says so.
Answers in_rows(const Trace& truth, const Answers& answers, CheckReport& report);

/// Hidden scores that are filled with another number that hides as well are right.
void accept_fills(const Trace& truth, Judged& judged);

/// What was wrong is right, and the finding says why.
void accept(Judged& judged, Finding finding);

}  // namespace attn
