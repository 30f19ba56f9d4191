// The table of whole models: what each reads, and what its library calls the parts of a layer.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// What a model starts from.
enum class ModelInput {
  Embeddings,  ///< rows of numbers
  Source,      ///< those, and rows for an encoder
  Memory,      ///< those, and an encoder's output
  Ids,         ///< ids of tokens
};

/// A part of the model: our word for it, and the library's.
struct ModuleName {
  const char* word;    ///< "norm1"
  const char* module;  ///< "ln_1"
};

struct ModelKind {
  const char* name;  ///< "gpt2"
  const char* what;  ///< "GPT-2"
  ModelInput input;
  std::string_view keys = "activation layer_norm_eps";  ///< of "model", besides "kind"
  const char* activation = "relu";                      ///< unless the problem names another
  double epsilon = 1e-5;                                ///< of its norms, likewise
  const char* prefix = "";      ///< which all names of weights may have: "transformer."
  bool causal = false;          ///< unless the problem gives a mask
  bool generates = true;        ///< its logits are about the next token
  bool rms_norms = false;       ///< no mean subtracted, no bias
  bool rotary = false;          ///< positions rotate queries and keys
  bool weights_in_out = false;  ///< layers are stored in × out, as Conv1D does, not out × in
  std::span<const char* const> attention = {};  ///< the tensors that every attention has
  std::span<const ModuleName> modules = {};

  /// The library's name for one of our words: the word itself if the table has none.
  std::string module(std::string_view word) const;
};

std::span<const ModelKind> model_kinds();

/// The activations that a layer may have: operations of these names.
std::vector<std::string> activation_names();

/// The kind of that name, or nullptr.
const ModelKind* find_model_kind(std::string_view name);

}  // namespace attn
