// The values of "model_type" in a config.json, and what the keys of each mean.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "attn/problem.hpp"
#include "io/models/config.hpp"

namespace attn {

/// A size that the weights have, too.
struct SizeKey {
  const char* what;
  const char* key;
};

/// What a configuration says about windows, where it does not list the types of its layers.
struct WindowKeys {
  std::optional<bool> used;
  std::optional<Index> first;  ///< the first layer that has one
  Index pattern = 0;           ///< layers from one without a window to the next
};

/// The keys of a configuration as Llama has them, and what the configurations of a family leave out
/// because it is the default.
struct ModelType {
  const char* name;
  const char* kind;
  std::span<const SizeKey> sizes;
  const char* heads = "num_attention_heads";
  Index usual_heads = 0, usual_kv_heads = 0;  ///< where configurations leave them out; 0: none does
  const char* activation = "hidden_act";
  const char* epsilon = "rms_norm_eps";
  bool tied = false;  ///< unless the config says otherwise, logits come from the embedding table
  double rope_base = 0.0;    ///< 0: 10000
  double rotary_part = 0.0;  ///< 0: all columns are rotated
  Index window = 0;          ///< of layers that have one; 0: what the config says
  bool (*has_window)(const WindowKeys& keys, Index layer) = nullptr;  ///< null: no layer has
  Index pattern = 0;                                                  ///< of WindowKeys
  bool plain_windows = false;  ///< layers with a window do not scale positions
  double local_base = 0.0;     ///< their base; 0: as all
  std::string_view keys = "";  ///< that change numbers, and that `read` knows
  void (*read)(Config& config, ProblemDraft& draft) = nullptr;  ///< these keys
  /// What the configuration says about tensors, beside the sizes.
  void (*check)(Config& config, const ModelTensors& weights) = nullptr;
};

/// Keys of families with experts, for `ModelType::read`.
void read_experts(Config& config, ProblemDraft& draft);
void read_qwen_experts(Config& config, ProblemDraft& draft);
void read_gpt_oss(Config& config, ProblemDraft& draft);
void read_deepseek_v2(Config& config, ProblemDraft& draft);
void read_deepseek_v3(Config& config, ProblemDraft& draft);

/// Keys of encoder-decoders; Whisper has those of BART.
void read_t5(Config& config, ProblemDraft& draft);
void read_bart(Config& config, ProblemDraft& draft);
void check_t5_gates(Config& config, const ModelTensors& weights);

/// Which layers have experts.
void check_qwen_experts(Config& config, const ModelTensors& weights);
void check_deepseek_experts(Config& config, const ModelTensors& weights);

/// Heads of keys, ALiBi and parallel branches of Falcon.
void read_falcon(Config& config, ProblemDraft& draft);

/// Complains about biases and norms that the weights have or lack against what the configuration
/// says; notes in `model` which it denies.
void check_more_tensors(Config& config, const ModelType& type, const ModelTensors& weights,
                        ModelDraft& model);

/// The row of the type that the config names; complaints are thrown.
const ModelType& type_of(Config& config);

}  // namespace attn
