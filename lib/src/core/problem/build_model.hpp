// A whole model: its inputs and its weights, before any layer looks at them.
#pragma once

#include "attn/problem.hpp"
#include "core/problem/foreign_weights.hpp"
#include "core/problem/model_kinds.hpp"

namespace attn {

/// The facts of a problem with a model. What its weights lack is found out when the model runs,
/// because only then is it known what it needs.
ProblemFacts build_model(const ProblemDraft& draft);

/// The first id of a decoder, where the configuration says it and the draft has no ids.
void start_decoder(ProblemDraft& draft);

/// What the attentions of one kind share in `model`, for which its masks are counted.
ModelAttention build_attention(Attends attends, const ProblemDraft& draft, ProblemFacts& model,
                               const ModelKind& kind);

/// The attention of each layer, where the draft says in what they differ. Layers that are alike
/// share all of it; those whose masks are alike share these.
std::vector<std::shared_ptr<const ModelAttention>> build_layers(const ProblemDraft& draft,
                                                                ProblemFacts& model,
                                                                const ModelKind& kind);

/// One attention of the model as a problem of its own, without inputs: its weights, whose names
/// begin with `prefix`, and all that the model says about that layer. Throws Error (id
/// "unknown-tensor") if there are none.
ProblemDraft attention_of_layer(const ProblemDraft& whole, const std::string& prefix);

/// The facts of one of them whose projections have these sizes.
ProblemFacts attention_facts(const ModelAttention& shared, Index q_cols, Index k_cols,
                             Index v_cols);

/// The same for latent attention, with its weights, all but w_o; their names begin with `scope`.
ProblemFacts latent_facts(const ModelAttention& shared, AdoptedWeights weights,
                          const std::string& scope, Index d_model);

/// Adds the norm of queries and keys, and the sinks, of one of them. Throws Error for gains and
/// sinks that do not fit.
void add_norm_and_sinks(const ModelAttention& shared, AdoptedWeights weights, ProblemFacts& facts);

/// The word of an id, or "v464" where the words are not known: the name of that column of the
/// logits, which is never mistaken for the index of a row.
std::string word_of_id(Index id, const std::vector<std::string>& words);

/// The error with pointers that begin with `from` turned into ones that begin with `to`.
Error with_pointers(const Error& error, const std::string& from, const std::string& to);

}  // namespace attn
