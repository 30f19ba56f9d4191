// Changes that lessons make to a problem, and what they ask of the result.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "teach/lessons/telling.hpp"

namespace attn {

using SharedTrace = std::shared_ptr<const Trace>;

/// These masks and nothing else that hides: −∞ in place of hidden scores. No bias, no matrix of
/// what is allowed, no key lengths.
void mask_only(ProblemDraft& draft, const std::vector<std::string>& masks);

/// Says which parts of the reader's problem mask_only leaves out; not the mask that the lesson uses
/// anyway. `also`: one more part.
void say_what_is_set_aside(Telling& lesson, const std::string& used_mask = "causal",
                           const std::string& also = "");

std::string what_is_set_aside(const Telling& lesson, const std::string& used_mask,
                              const std::string& also);

/// A change to this mask, as the option --mask makes it: nothing else that hides is touched.
Edit to_mask(const std::string& mask);

/// " --mask causal", unless that is the mask of the problem already: for commands to try.
std::string causal_option(const ProblemDraft& draft);

/// Whether " --mask none" would leave nothing hidden, apart from what a bias hides.
bool can_unmask(const ProblemDraft& draft);

/// A problem that is not the lesson's, computed.
SharedTrace computed(const ProblemDraft& draft);

/// The weights that multiply the values.
const Tensor& weights_of(const SharedTrace& trace);

/// The largest size of a number of a tensor.
double largest_size(const Tensor& t);

/// Whether something is true of every cell of a tensor.
bool all_cells(const Tensor& t, const std::function<bool(const Cell& cell)>& holds);

/// Whether two traces have the same weights, up to `tolerance` (is_close); 0: digit for digit.
bool same_weights(const SharedTrace& a, const SharedTrace& b, double tolerance = 0.0);

/// The entropy of a row of weights, in bits: log2 n if n keys have equal shares.
double entropy(std::span<const double> weights);

/// Whether queries and keys are the same tokens, at least `least` of them.
bool is_self_attention(const Trace& trace, Index least);

/// Throws as Telling::needs unless queries and keys are the same tokens, at least `least` of them.
void needs_self_attention(const Telling& lesson, const Trace& trace, Index least);

}  // namespace attn
