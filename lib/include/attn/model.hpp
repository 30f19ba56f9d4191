// Whole models as somebody wrote them: what kind, and weights that are read when they are needed.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "attn/core/array.hpp"
#include "attn/settings.hpp"
#include "attn/tensor.hpp"

namespace attn {

/// A tensor whose numbers are read when they are needed.
struct ModelTensor {
  std::vector<std::ptrdiff_t> shape;
  std::function<Array()> read;  ///< throws Error if the file does not hold its numbers
};

/// By the names under which a library saved them.
using ModelTensors = std::map<std::string, ModelTensor>;

/// A size that a configuration states, to be compared with the weights.
struct StatedSize {
  std::string what;     ///< "layers", "d_model", "vocabulary"
  std::ptrdiff_t size;  ///< at least 0
  std::string pointer;  ///< where it says so
};

/// What the attention of one layer does otherwise than the others; absent: the same.
struct LayerSettings {
  std::optional<Index> window;  ///< how many keys a query sees: itself and those before it
  std::optional<double> rope_base;
  std::optional<RopeScaling> scaling;     ///< of rotary positions; kind Default: none
  std::optional<PositionKind> positions;  ///< None: this layer knows no positions
  std::optional<ScaleRule> scale;         ///< of its scores
  std::optional<double> softcap;          ///< likewise
  bool operator==(const LayerSettings&) const = default;
};

/// How a router chooses experts, where a model has several; absent: as its kind does.
struct ExpertsDraft {
  std::optional<Index> per_token;            ///< "num_experts_per_tok"
  std::optional<bool> renormalize;           ///< "norm_topk_prob"
  std::optional<Index> groups, kept_groups;  ///< "n_group", "topk_group"
  std::optional<double> factor;              ///< "routed_scaling_factor"
  bool shared = true;  ///< false: a config.json says that no expert is for all tokens
};

/// The key "model" of a problem, or Hugging Face's config.json.
struct ModelDraft {
  std::string kind;  ///< "transformer": a row of the table of kinds
  bool norm_first = false;
  std::string activation;                  ///< "relu"; empty: that of the kind
  std::optional<double> layer_norm_eps;    ///< absent: that of the kind
  std::optional<double> rope_base;         ///< absent: 10000
  std::vector<LayerSettings> layers = {};  ///< one per layer; empty: all alike
  /// What embeddings, the branches of layers, and logits are multiplied or divided by: Granite's
  /// names. Absent: that of the kind, 1.
  std::optional<double> embedding_multiplier = {}, residual_multiplier = {}, logits_scaling = {};
  std::optional<double> logits_softcap = {};   ///< bounds the logits
  std::optional<bool> parallel_residual = {};  ///< false: GPT-NeoX with one branch after the other
  ExpertsDraft experts = {};
  std::optional<Index> pad_id = {};                    ///< RoBERTa: counts as no position
  bool attention_biases = true, linear_biases = true;  ///< false: a config.json says there are none
  std::vector<StatedSize> sizes = {};                  ///< of a config.json
  std::vector<std::ptrdiff_t> end_ids = {};            ///< of a config.json: where generating stops
  std::optional<Index> start_id = {};  ///< of a config.json: what a decoder reads unless ids say
};

/// What a model made of earlier tokens, kept so that it need not be made again.
struct ModelCache {
  struct Keys {
    Tensor k, v;  ///< one row for each token: (head ×) P × d
  };
  std::map<std::string, Keys> attentions;  ///< by their scopes
  std::optional<Tensor> memory;            ///< the encoder's output
  std::vector<std::string> tokens;         ///< the earlier ones
};

/// The numbers of a model's weights, held so that a second run need not read them
/// (core/attention/model_run.hpp).
struct HeldWeights;

/// One label: the index of the right word, or its text; neither for none.
struct LabelDraft {
  std::optional<std::ptrdiff_t> index;
  std::optional<std::string> text;
};

/// A last linear layer that compares each row of the output with every word.
struct VocabularyDraft {
  std::vector<std::string> tokens;
  Array w;                               ///< d_model × V
  std::optional<Array> b;                ///< V numbers
  std::optional<std::string> end_token;  ///< where generating stops
};

}  // namespace attn
