// Rows of the table of whole models: encoder-decoders of Hugging Face.
#pragma once

#include "core/problem/model_kinds.hpp"
#include "core/problem/module_names.hpp"

namespace attn {

inline constexpr ModuleName kT5Modules[] = {
    {"norm1", "layer.0.layer_norm"},
    {"norm2", "layer.1.layer_norm"},
    {"norm3", "layer.2.layer_norm"},
    {"linear1", "layer.1.DenseReluDense.wi"},
    {"linear1", "layer.1.DenseReluDense.wi_0"},
    {"linear3", "layer.1.DenseReluDense.wi_1"},
    {"linear2", "layer.1.DenseReluDense.wo"},
    {"decoder.linear1", "layer.2.DenseReluDense.wi"},
    {"decoder.linear1", "layer.2.DenseReluDense.wi_0"},
    {"decoder.linear3", "layer.2.DenseReluDense.wi_1"},
    {"decoder.linear2", "layer.2.DenseReluDense.wo"},
    {"encoder.norm", "encoder.final_layer_norm"},
    {"decoder.norm", "decoder.final_layer_norm"},
    {"token_table", "shared"},
    {"logits", "lm_head"},
};

/// The layers of BART and Whisper.
inline constexpr ModuleName kBartLayers[] = {
    {"norm1", "self_attn_layer_norm", kBiased},
    {"norm2", "final_layer_norm", kBiased},
    {"decoder.norm2", "encoder_attn_layer_norm", kBiased},
    {"norm3", "final_layer_norm", kBiased},
    {"linear1", "fc1", kBiased},
    {"linear2", "fc2", kBiased},
    {"encoder.position_table", "encoder.embed_positions"},
    {"decoder.position_table", "decoder.embed_positions"},
};

inline constexpr ModuleName kBartModules[] = {
    {"encoder.x", "encoder.layernorm_embedding", kBiased},
    {"decoder.x", "decoder.layernorm_embedding", kBiased},
    {"token_table", "shared"},
    {"token_table", "decoder.embed_tokens"},
    {"logits", "lm_head"},
    {"predictions.bias", "final_logits_bias"},
};

inline constexpr ModuleName kWhisperModules[] = {
    {"encoder.norm", "encoder.layer_norm", kBiased},
    {"decoder.norm", "decoder.layer_norm", kBiased},
    {"token_table", "decoder.embed_tokens"},
    {"logits", "proj_out"},
};

inline constexpr const char* kT5Attention[] = {"q.weight", "k.weight", "v.weight", "o.weight"};

inline constexpr ModelKind kT5{.name = "t5",
                               .what = "T5",
                               .input = ModelInput::SourceIds,
                               .keys = "activation layer_norm_eps logits_scaling",
                               .plan = ModelPlan::EncoderDecoder,
                               .epsilon = 1e-6,
                               .causal = true,
                               .rms_norms = true,
                               .positions = PositionKind::T5,
                               .stack = "decoder.block",
                               .self_attn = "layer.0.SelfAttention",
                               .encoder_stack = "encoder.block",
                               .cross_attn = "layer.1.EncDecAttention",
                               .first_has = "layer.0.SelfAttention.relative_attention_bias.weight",
                               .gate_if_any = true,
                               .scaled = false,
                               .root_logits = true,
                               .attention = kT5Attention,
                               .modules = kT5Modules};

/// The keys of attention have no bias in Whisper.
inline constexpr const char* kWhisperAlways[] = {"q_proj.bias", "v_proj.bias", "out_proj.bias"};

inline constexpr ModelKind kBart{.name = "bart",
                                 .what = "BART",
                                 .input = ModelInput::SourceIds,
                                 .keys = "activation layer_norm_eps embedding_multiplier",
                                 .plan = ModelPlan::EncoderDecoder,
                                 .activation = "gelu",
                                 .prefix = "model.",
                                 .causal = true,
                                 .form = LayerForm::NormLast,
                                 .stack = "decoder.layers",
                                 .first_position = 2,
                                 .encoder_stack = "encoder.layers",
                                 .cross_attn = "encoder_attn",
                                 .attention = kSeparateAttention,
                                 .always = kSeparateAlways,
                                 .modules = kBartModules,
                                 .usual = kBartLayers};

inline constexpr ModelKind kWhisper = like(kBart, "whisper", "Whisper", [](ModelKind& kind) {
  kind.form = LayerForm::NormFirst;
  kind.first_position = 0;
  kind.source_positions = PositionKind::SinusoidalT2t;
  kind.not_computed = "encoder.conv";
  kind.always = kWhisperAlways;
  kind.modules = kWhisperModules;
});

}  // namespace attn
