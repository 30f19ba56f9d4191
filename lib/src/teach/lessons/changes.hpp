// Changes that lessons make to a problem, and what they ask of the result.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "teach/lessons/lesson_value.hpp"
#include "teach/lessons/telling.hpp"

namespace attn {

/// Nothing that hides: no mask, no bias, no matrix of what is allowed, no key lengths. What a mask
/// hides later gets −∞, and a row that it empties is zero.
void mask_only(ProblemDraft& draft);

/// Which parts of the reader's problem mask_only leaves out, in a sentence; not the mask that the
/// lesson uses anyway. `also`: one more part.
std::string what_is_set_aside(const Telling& lesson, const std::string& used_mask,
                              const std::string& also);

/// " --mask causal", unless that is the mask of the problem already: for commands to try.
std::string causal_option(const ProblemDraft& draft);

/// A problem that is not the lesson's, computed.
SharedTrace computed(const ProblemDraft& draft);

/// The weights that multiply the values. Throw LessonFault if there are none.
const Step& weights_step(const Trace& trace);
const Tensor& weights_of(const SharedTrace& trace);

/// The entropy of a row of weights, in bits: log2 n if n keys have equal shares.
double entropy(std::span<const double> weights);

}  // namespace attn
