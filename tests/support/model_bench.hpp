// The oracle of whole models: what the kinds of model share.
#pragma once

#include <string>
#include <vector>

#include "support/block.hpp"
#include "support/oracle.hpp"

namespace attn::testing {

/// What the oracle reads, and where it puts its results.
struct ModelBench {
  const ProblemDraft& draft;
  bool has_batch = false;
  Steps steps = {};
};

/// Makes `block` the step of that id and returns it.
Block kept(ModelBench& bench, const std::string& id, const Block& block);

/// The weights of that name, with or without the prefix of the whole model; if there are none,
/// nullptr or std::out_of_range.
const Array* found(const ModelBench& bench, const std::string& name);
const Array& tensor(const ModelBench& bench, const std::string& name);

/// How many layers have weights that begin with `start`: "encoder.layers.".
Index layer_count(const ModelBench& bench, const std::string& start);

/// Columns `first` to `first + count` of what the layer makes, as d_in × count. A layer is stored
/// out × in, with `in_out` the other way round.
Array columns_of(const Array& stored, bool in_out, Index first, Index count);

/// X · W + b by the layer of that name.
Block through(const ModelBench& bench, const Block& x, const std::string& name,
              bool in_out = false);

/// Each row less its mean, over its standard deviation; with `rms` only over its root mean square.
Block normed(const ModelBench& bench, const Block& x, const std::string& name, bool rms = false);

/// The activation of the model: its own, or that of its kind.
Block activated(const ModelBench& bench, const Block& x, const std::string& usual);

/// Element by element.
Block sum(const Block& x, const Block& y);
Block product(const Block& x, const Block& y);

/// An array of numbers, with a batch axis if the model has one.
Array array_of(const ModelBench& bench, const Block& block);

/// One attention of a model.
struct ModelAttention {
  std::string scope;
  WeightArrays weights;  ///< w_q, b_q, …: d_in × d_out
  std::vector<MaskSpec> masks;
  TokenLists tokens, key_tokens;
  Positions positions = {};
  bool of_target = true;     ///< `allowed`, `bias` and `key_lengths` of the problem apply to it
  LayerSettings layer = {};  ///< what its layer does otherwise
};

/// Its output; every step of it is kept below its scope. Keys and values come from `memory`, if
/// there is one.
Block attended(ModelBench& bench, const ModelAttention& attention, const Block& x,
               const Block* memory = nullptr);

/// logits, probabilities and, with labels, loss and mean_loss: each row of `output` compared with
/// the columns of `w`.
void predict(ModelBench& bench, const Block& output, const Array& w, const Array* b);

/// Every step of a model of these kinds.
void run_stacks(ModelBench& bench);
void run_gpt2(ModelBench& bench);
void run_bert(ModelBench& bench);
void run_llama(ModelBench& bench);

}  // namespace attn::testing
