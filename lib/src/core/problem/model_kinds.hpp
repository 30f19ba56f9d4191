// The table of whole models: what each reads, and what its library calls the parts of a layer.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attn/problem.hpp"
#include "attn/settings.hpp"
#include "attn/tensor.hpp"

namespace attn {

/// What a model starts from.
enum class ModelInput {
  Embeddings,  ///< rows of numbers
  Source,      ///< those, and rows for an encoder
  Memory,      ///< those, and an encoder's output
  Ids,         ///< ids of tokens
  SourceIds,   ///< ids or rows, and ids or rows for an encoder
};

/// A part of the model: our word for it, and the library's. A word may have several rows: the first
/// whose tensors are there counts.
struct ModuleName {
  const char* word;     ///< "norm1"; "decoder.norm2" where it has another name in the decoder
  const char* module;   ///< "ln_1"
  bool biased = false;  ///< it has a bias in every file
};
inline constexpr bool kBiased = true;

/// Where the norms of a layer are, and what it adds up; f is attention, then the feed-forward part.
enum class LayerForm {
  NormFirst,     ///< x + f(norm(x)): GPT-2, Llama
  NormLast,      ///< norm(x + f(x)): BERT
  NormOfBranch,  ///< x + norm(f(x)): OLMo 2
  NormAround,    ///< x + norm(f(norm(x))): Gemma 2
  Parallel,  ///< x + attention(norm(x)) + feed_forward(norm(x)): Phi with one norm, GPT-NeoX two
};

/// The keys of "model" that all language models of Hugging Face take.
inline constexpr std::string_view kLanguageKeys =
    "activation layer_norm_eps layers embedding_multiplier residual_multiplier logits_scaling "
    "logits_softcap";

/// How a model is run (core/attention/models.cpp).
enum class ModelPlan {
  LanguageModel,
  Transformer,
  Encoder,
  Decoder,
  AttentionOnly,
  Bert,
  Vit,
  EncoderDecoder,
  Part
};

/// How the router of a kind of model chooses among experts (ModelDraft::experts may say otherwise).
struct RouterForm {
  bool sigmoid = false;     ///< scores are sigmoids, not a softmax over all experts
  bool renormalize = true;  ///< the weights of the chosen add up to 1
  bool group_sum = false;   ///< groups count by the sum of their two largest scores
  bool clamped = false;     ///< the gate is gpt-oss's clamped_swiglu
  bool everywhere = false;  ///< every layer has experts
  bool shared = false;      ///< and one for all tokens, unless the configuration has none
  Index per_token = 2;
};

struct ModelKind {
  const char* name;  ///< "gpt2"
  const char* what;  ///< "GPT-2"
  ModelInput input;
  std::string_view keys = "activation layer_norm_eps";  ///< of "model", besides "kind"
  std::string_view more_keys = "";                      ///< likewise
  ModelPlan plan = ModelPlan::LanguageModel;
  const char* activation = "relu";   ///< unless the problem names another
  const char* head_activation = "";  ///< of the head, whatever that is; ""
  double epsilon = 1e-5;             ///< of its norms, likewise
  const char* prefix = "";           ///< which all names of weights may have: "transformer."
  bool causal = false;               ///< unless the problem gives a mask
  bool generates = true;             ///< its logits are about the next token
  bool rms_norms = false;            ///< no mean subtracted, no bias
  PositionKind positions = PositionKind::None;  ///< of attention, unless the problem has others
  LayerForm form = LayerForm::NormFirst;
  const char* stack = "layers";         ///< what the numbers of layers follow
  const char* self_attn = "self_attn";  ///< attention within a layer
  bool gated = false;              ///< the feed-forward part has a gate: linear1 of two projections
  double norm_offset = 0.0;        ///< added to the weights of norms: 1 in Gemma
  bool bare_first = false;         ///< the first layer has no norm before attention
  bool root_embeddings = false;    ///< embeddings are multiplied by √d_model
  Index first_position = 0;        ///< the row of the position table for the first token
  const char* encoder_stack = "";  ///< the same as `stack`, of the encoder of a SourceIds model
  const char* cross_attn = "";     ///< the same as `self_attn`, from the decoder to the encoder
  PositionKind source_positions = PositionKind::None;  ///< of an encoder whose file has no table
  const char* first_has = "";     ///< the end of a name that only the first layer of a stack has
  bool gate_if_any = false;       ///< the gate is there if its weights are
  bool scaled = true;             ///< scores are divided by √d_k, unless the problem says else
  bool root_logits = false;       ///< logits by the token table are divided by √d_model
  const char* not_computed = "";  ///< modules before the embeddings that a file may have, too
  const char* only = "";          ///< a part alone: what its names may leave out, "norm"
  bool weights_in_out = false;    ///< layers are stored in × out, as Conv1D does, not out × in
  const RouterForm* router = nullptr;           ///< of layers that have experts
  std::span<const char* const> attention = {};  ///< the projections of every attention
  std::span<const char* const> always = {};     ///< what else it has: biases, norms, sinks
  bool biases_alike = false;                    ///< all parts of layers have biases, or none has
  std::span<const ModuleName> modules = {};
  std::span<const ModuleName> usual = {};  ///< names of words that `modules` does not have

  /// `modules`, and those of `usual` that it does not name otherwise.
  std::vector<ModuleName> all_modules() const;
  /// The library's name for one of our words: the word itself if the table has none. In the table,
  /// # is any number: "expert.#.linear1".
  std::string module(std::string_view word) const;
  /// All its names, in the order of the table.
  std::vector<std::string> names_of(std::string_view word) const;
  /// Whether the table has that word.
  bool has(std::string_view word) const;
  /// Whether every file has a bias of that part.
  bool is_biased(std::string_view word) const;
  /// Which tensors an attention with these lacks: projections unless it is `complete` under other
  /// names, and what else every attention of this kind has; biases only if they are `biased`.
  std::vector<std::string> lacking(const WeightArrays& own, bool complete, bool biased) const;
  /// Whether its attention is latent.
  bool is_latent() const {
    return attention.front() == std::string_view("kv_a_proj_with_mqa.weight");
  }
  /// What people call it, if it has names of its own; empty for the layers of PyTorch.
  const char* family() const { return modules.empty() && usual.empty() ? "" : what; }
  /// Whether the experts of a layer are in one tensor.
  bool stacks_experts() const { return module("expert.0.linear1") == module("expert.1.linear1"); }
  /// Whether "model" may have that key.
  bool reads(std::string_view key) const;
  bool reads_ids() const { return input == ModelInput::Ids || input == ModelInput::SourceIds; }
  /// Whether it starts from the ids of a draft: an encoder-decoder may have rows in their place.
  bool starts_from_ids(const ProblemDraft& draft) const {
    const bool in_place = input == ModelInput::SourceIds && draft.ids.empty() && draft.has_rows();
    return reads_ids() && !in_place;
  }
  /// Whether it has an encoder of its own.
  bool encodes() const { return input == ModelInput::Source || input == ModelInput::SourceIds; }
  /// Whether linear1 and linear3 are the halves of one tensor.
  bool is_half_gate() const { return gated && module("linear1") == module("linear3"); }
};

/// Another family of the same kind: what is different.
template <typename F>
constexpr ModelKind like(ModelKind kind, const char* name, const char* what, F change) {
  kind.name = name;
  kind.what = what;
  change(kind);
  return kind;
}
constexpr ModelKind like(const ModelKind& kind, const char* name, const char* what) {
  return like(kind, name, what, [](ModelKind&) {});
}

std::span<const ModelKind> model_kinds();

/// The activations that a layer may have: operations of these names.
std::vector<std::string> activation_names();

/// The kind of that name, or nullptr.
const ModelKind* find_model_kind(std::string_view name);

}  // namespace attn
