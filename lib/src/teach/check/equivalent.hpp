// Answers that are right by a different route: scaled earlier, tokens as columns, finite fills.
#pragma once

#include <optional>

#include "attn/check.hpp"
#include "teach/check/graded_answer.hpp"
#include "teach/check/search.hpp"

namespace attn {

/// Whether a row is a different route to a right result, not a mistake.
bool is_equivalent(const MistakeRow& row);

/// The other routes that change the computation, and one mistake like them: scores scaled twice.
/// In a whole model, all attentions take them.
std::vector<Candidate> other_routes(const Parts& parts);

/// Leaving out b_k in every attention of which no answer shows the keys or the unscaled scores:
/// softmax may ignore it. One candidate, or none.
std::vector<Candidate> without_b_k(const Case& known);

/// The answers with tokens as rows. If at least two have them as columns, or the only one has, and
/// no matrix contradicts that, all are transposed, and the report says so. Scores alone prove
/// nothing: K·Qᵀ is the transpose of Q·Kᵀ, too.
Answers in_rows(const Trace& truth, Answers answers, const CheckOptions& options,
                CheckReport& report);

/// The answers of a table with rows and columns from 0. If all of them count from 1, which only a
/// matrix with one row or column too many shows, the report says so.
Answers counted_from_zero(const Trace& truth, Answers answers, CheckReport& report);

/// Whether the values of an answer in the shape of its step are right within a tolerance.
bool is_truth(const Answer& answer, const Trace& truth, const Step& step,
              const Tolerance& tolerance);

/// T × heads × d as heads × T × d, and the other way round; fewer than three axes stay.
Answer with_heads_first(Answer answer);

/// T × heads × d as T × (heads·d): the last two of at least three axes as one.
std::optional<Answer> in_columns(const Answer& answer);

/// The answers in the shapes of their steps, and under their names: heads after tokens come first,
/// keys and values that are repeated for each query head are there once, and scores that are scaled
/// (and masked) already are the step that they are. The report says so. What is wrong is rearranged
/// if it fits its step in one way alone.
Answers arranged(const Trace& truth, Answers answers, const CheckOptions& options,
                 CheckReport& report);

/// The masks that a program handed in, as the step has them: one for all heads or batch entries is
/// repeated, 0 and −∞ that are added to the scores are read as 1 and 0, and a mask that is just the
/// opposite is turned round where the matrix of a step that uses it is there, too, and right. Notes
/// say so. Other answers stay as they are.
Answers masks_as_here(const Trace& truth, Answers answers, const CheckOptions& options,
                      std::vector<std::string>& notes);

/// Accepts hidden scores that are filled with another number that hides them too, and those that
/// are rounded: a fill is much larger than what is visible.
void accept_fills(const Trace& truth, GradedAnswer& judged);

/// Accepts zeros in the rows of queries that are padding, which nobody sees as keys, if nothing
/// else is wrong: in the weights and in every step after them.
void accept_padded_rows(const Trace& truth, GradedAnswer& judged);

/// Marks what was wrong as right; the finding says why.
void accept(GradedAnswer& judged, Finding finding);

}  // namespace attn
