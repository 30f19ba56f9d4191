// Answers that are right by a different route: a scale applied earlier, tokens as columns, finite
// fills.
#pragma once

#include "attn/check.hpp"
#include "teach/check/graded_answer.hpp"
#include "teach/check/search.hpp"

namespace attn {

/// Whether a row is a different route to a right result, not a mistake.
bool is_equivalent(const MistakeRow& row);

/// The other routes that change the computation, and one mistake like them: scores scaled twice.
/// In a whole model, all attentions take them.
std::vector<Candidate> other_roads(const Parts& parts);

/// Leaving out b_k, where no answer shows the keys or the unscaled scores: softmax may ignore it.
std::vector<Candidate> without_b_k(const Trace& truth, const std::vector<GradedAnswer>& answers);

/// The answers with tokens as rows. If at least two have them as columns and no matrix contradicts
/// that, all are transposed, and the report says so.
Answers in_rows(const Trace& truth, Answers answers, CheckReport& report);

/// Accepts hidden scores that are filled with another number that hides them too.
void accept_fills(const Trace& truth, GradedAnswer& judged);

/// Marks what was wrong as right; the finding says why.
void accept(GradedAnswer& judged, Finding finding);

}  // namespace attn
