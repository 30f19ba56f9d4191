// What the names and shapes of a model's weights say before it runs.
#pragma once

#include "attn/problem.hpp"
#include "core/text/complaints.hpp"

namespace attn {

/// What to do where a config.json and the weights contradict each other.
inline constexpr const char* kSavedTogether =
    "Give the configuration that was saved with these weights.";

/// Whether a tensor of that name holds nothing to compute with: a mask or a table that a library
/// keeps beside the weights, or part of an output layer that attn does not run.
bool is_idle_weight(const std::string& name);

/// Complains about what only a whole model reads, in a problem without one.
void check_no_model(const ProblemDraft& draft, Complaints& complaints);

/// Complains about weights of models that attn does not have, by name, and about sizes, stated by
/// ModelDraft or found in the inputs, that the weights contradict.
void check_model_weights(const ProblemFacts& facts, Complaints& complaints);

/// Gives an id without a word a name such as v464. Complains about more words than the model has:
/// they belong to another model.
void fit_words(const ModelFacts& model, Prediction& prediction, Complaints& complaints);

}  // namespace attn
