// Published relatives of Llama: an outline needs their configuration and shapes alone.
#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "io/published_model.hpp"

namespace attn::testing {
namespace {

/// The names of Llama and its relatives.
struct LlamaSizes {
  Index layers, d, q, kv, ff, vocabulary;
};
ModelTensors llama_tensors(const LlamaSizes& s, const std::string& more,
                           const std::string& mark = "", const std::string& prefix = "model.") {
  const auto n = [](Index i) { return std::to_string(i); };
  const std::string layer = prefix + "layers.{" + n(s.layers) + "}.";
  std::string lines = prefix + "embed_tokens " + n(s.vocabulary) + "x" + n(s.d) + "\n" + prefix +
                      "norm " + n(s.d) + "\n";
  for (const auto& [name, out, in] :
       {std::tuple{"q", s.q, s.d}, {"k", s.kv, s.d}, {"v", s.kv, s.d}})
    lines += mark + layer + "self_attn." + name + "_proj " + n(out) + "x" + n(in) + "\n";
  lines += layer + "self_attn.o_proj " + n(s.d) + "x" + n(s.q) + "\n";
  for (const char* name : {"gate", "up"})
    lines += layer + "mlp." + name + "_proj " + n(s.ff) + "x" + n(s.d) + "\n";
  lines += layer + "mlp.down_proj " + n(s.d) + "x" + n(s.ff) + "\n";
  std::istringstream stream(more);
  for (std::string name, size; stream >> name >> size;)
    lines += (name[0] == '.' ? layer + name.substr(1) : name) + " " + size + "\n";
  return tensors_of(lines);
}

std::string norm_lines(Index d, const std::string& names) {
  std::istringstream stream(names);
  std::string lines;
  for (std::string name; stream >> name;) lines += "." + name + " " + std::to_string(d) + "\n";
  return lines;
}
const std::string kLlamaNorms = "input_layernorm post_attention_layernorm";
const std::string kGemmaNorms =
    "input_layernorm post_attention_layernorm pre_feedforward_layernorm post_feedforward_layernorm";
const std::string kOlmoNorms = "post_attention_layernorm post_feedforward_layernorm";

std::string of_gemma3(const std::string& more) {
  return R"({"model_type": "gemma3_text", "attention_bias": false, "attn_logit_softcapping": null,
    "cache_implementation": "hybrid", "eos_token_id": [1, 106], "final_logit_softcapping": null,
    "head_dim": 256, "hidden_activation": "gelu_pytorch_tanh", "pad_token_id": 0,
    "query_pre_attn_scalar": 256, "rms_norm_eps": 1e-06, "rope_local_base_freq": 10000,
    "rope_scaling": null, "rope_theta": 1000000, "sliding_window": 512,)" +
         more + "}";
}

std::vector<PublishedModel> llamas() {
  const auto sizes = [](const char* type, const LlamaSizes& s, Index heads,
                        const std::string& more) {
    const auto key = [](const char* name, Index n) {
      return std::string(", \"") + name + "\": " + std::to_string(n);
    };
    return R"({"model_type": ")" + std::string(type) + "\"" + key("hidden_size", s.d) +
           key("intermediate_size", s.ff) + key("num_hidden_layers", s.layers) +
           key("num_attention_heads", heads) + key("vocab_size", s.vocabulary) + more + "}";
  };
  const LlamaSizes mistral{32, 4096, 4096, 1024, 14336, 32000},
      llama{32, 4096, 4096, 1024, 14336, 128256}, qwen2{28, 3584, 3584, 512, 18944, 152064},
      qwen3{28, 1024, 2048, 1024, 3072, 151936}, gemma{18, 2048, 2048, 256, 16384, 256000},
      gemma2{26, 2304, 2048, 1024, 9216, 256000}, gemma3{26, 1152, 1024, 256, 6912, 262144},
      gemma300{24, 768, 768, 256, 1152, 262144}, gemma4b{34, 2560, 2048, 1024, 10240, 262208},
      olmo{32, 4096, 4096, 4096, 11008, 100352}, olmo3{32, 4096, 4096, 4096, 11008, 100278},
      smollm{36, 2048, 2048, 512, 11008, 128256}, granite{40, 2048, 2048, 512, 8192, 49155};
  return {
      {"Llama-3.1-8B",
       sizes("llama", llama, 32, R"(, "num_key_value_heads": 8, "attention_bias": false,
         "hidden_act": "silu", "max_position_embeddings": 131072, "mlp_bias": false,
         "rms_norm_eps": 1e-05, "rope_scaling": {"factor": 8.0, "low_freq_factor": 1.0,
         "high_freq_factor": 4.0, "original_max_position_embeddings": 8192, "rope_type": "llama3"},
         "rope_theta": 500000.0, "tie_word_embeddings": false)"),
       llama_tensors(llama, norm_lines(4096, kLlamaNorms) + "lm_head 128256x4096"), 8030261248,
       128256, "layers.31.self_attn"},
      {"Mistral-7B-v0.1",
       sizes("mistral", mistral, 32, R"(, "num_key_value_heads": 8, "hidden_act": "silu",
         "rms_norm_eps": 1e-05, "rope_theta": 10000.0, "sliding_window": 4096,
         "tie_word_embeddings": false)"),
       llama_tensors(mistral, norm_lines(4096, kLlamaNorms) + "lm_head 32000x4096"), 7241732096,
       32000, "layers.31.self_attn"},
      {"Qwen2.5-7B", sizes("qwen2", qwen2, 28, R"(, "num_key_value_heads": 4, "hidden_act": "silu",
         "max_window_layers": 28, "rms_norm_eps": 1e-06, "rope_theta": 1000000.0,
         "sliding_window": 131072, "tie_word_embeddings": false, "use_sliding_window": false)"),
       llama_tensors(qwen2, norm_lines(3584, kLlamaNorms) + "lm_head 152064x3584", "+"), 7615616512,
       152064, "layers.27.self_attn"},
      {"Qwen3-0.6B",
       sizes("qwen3", qwen3, 16, R"(, "num_key_value_heads": 8, "attention_bias": false,
         "head_dim": 128, "hidden_act": "silu", "max_position_embeddings": 40960,
         "max_window_layers": 28, "rms_norm_eps": 1e-06, "rope_scaling": null,
         "rope_theta": 1000000, "sliding_window": null, "tie_word_embeddings": true,
         "use_sliding_window": false)"),
       llama_tensors(qwen3, norm_lines(1024, kLlamaNorms) +
                                norm_lines(128, "self_attn.q_norm self_attn.k_norm") +
                                "lm_head 151936x1024"),
       751632384, 151936, "layers.27.self_attn"},
      {"SmolLM3-3B",
       sizes("smollm3", smollm, 16, R"(, "num_key_value_heads": 4, "attention_bias": false,
         "hidden_act": "silu", "max_position_embeddings": 65536, "max_window_layers": 28,
         "mlp_bias": false, "no_rope_layer_interval": 4, "pretraining_tp": 2,
         "rms_norm_eps": 1e-06, "rope_scaling": null, "rope_theta": 5000000.0,
         "sliding_window": null, "use_sliding_window": false)"),
       llama_tensors(smollm, norm_lines(2048, kLlamaNorms)), 3075098624, 128256,
       "layers.35.self_attn"},
      {"granite-3.1-2b",
       sizes("granite", granite, 32, R"(, "num_key_value_heads": 8, "attention_bias": false,
         "attention_multiplier": 0.015625, "embedding_multiplier": 12.0, "hidden_act": "silu",
         "logits_scaling": 8.0, "mlp_bias": false, "residual_multiplier": 0.22,
         "rms_norm_eps": 1e-05, "rope_scaling": null, "rope_theta": 5000000.0,
         "tie_word_embeddings": true)"),
       llama_tensors(granite, norm_lines(2048, kLlamaNorms)), 2533531648, 49155,
       "layers.39.self_attn"},
      {"gemma-2b", sizes("gemma", gemma, 8, R"(, "num_key_value_heads": 1, "attention_bias": false,
         "head_dim": 256, "hidden_act": "gelu", "rms_norm_eps": 1e-06, "rope_scaling": null,
         "rope_theta": 10000.0)"),
       llama_tensors(gemma, norm_lines(2048, kLlamaNorms)), 2506172416, 256000,
       "layers.17.self_attn"},
      {"gemma-2-2b",
       sizes("gemma2", gemma2, 8, R"(, "num_key_value_heads": 4, "attention_bias": false,
         "attn_logit_softcapping": 50.0, "cache_implementation": "hybrid",
         "final_logit_softcapping": 30.0, "head_dim": 256, "hidden_act": "gelu_pytorch_tanh",
         "hidden_activation": "gelu_pytorch_tanh", "query_pre_attn_scalar": 256,
         "rms_norm_eps": 1e-06, "rope_theta": 10000.0, "sliding_window": 4096)"),
       llama_tensors(gemma2, norm_lines(2304, kGemmaNorms)), 2614341888, 256000,
       "layers.25.self_attn"},
      {"gemma-3-1b", of_gemma3(R"("hidden_size": 1152, "intermediate_size": 6912,
         "num_attention_heads": 4, "num_hidden_layers": 26, "num_key_value_heads": 1,
         "sliding_window_pattern": 6, "vocab_size": 262144)"),
       llama_tensors(gemma3, norm_lines(1152, kGemmaNorms) +
                                 norm_lines(256, "self_attn.q_norm self_attn.k_norm")),
       999885952, 262144, "layers.25.self_attn"},
      {"embeddinggemma-300m", of_gemma3(R"("hidden_size": 768, "intermediate_size": 1152,
         "num_attention_heads": 3, "num_hidden_layers": 24, "num_key_value_heads": 1,
         "_sliding_window_pattern": 6, "use_bidirectional_attention": true,
         "vocab_size": 262144)"),
       llama_tensors(
           gemma300,
           norm_lines(768, kGemmaNorms) + norm_lines(256, "self_attn.q_norm self_attn.k_norm"), "",
           ""),
       302863104, 262144, "layers.23.self_attn"},
      {"gemma-3-4b", R"({"model_type": "gemma3", "eos_token_id": [1, 106], "text_config":
         {"hidden_size": 2560, "intermediate_size": 10240, "model_type": "gemma3_text",
         "num_hidden_layers": 34, "rope_scaling": {"factor": 8.0, "rope_type": "linear"},
         "sliding_window": 1024}, "vision_config": {"hidden_size": 1152}})",
       llama_tensors(
           gemma4b,
           norm_lines(2560, kGemmaNorms) + norm_lines(256, "self_attn.q_norm self_attn.k_norm"), "",
           "language_model.model."),
       3880263168, 262208, "layers.33.self_attn"},
      {"OLMo-2-1124-7B",
       sizes("olmo2", olmo, 32, R"(, "num_key_value_heads": 32, "attention_bias": false,
         "hidden_act": "silu", "max_position_embeddings": 4096, "rms_norm_eps": 1e-06,
         "rope_scaling": null, "rope_theta": 500000, "tie_word_embeddings": false)"),
       llama_tensors(olmo, norm_lines(4096, kOlmoNorms + " self_attn.q_norm self_attn.k_norm") +
                               "lm_head 100352x4096"),
       7298617344, 100352, "layers.31.self_attn"},
      {"Olmo-3-7B",
       sizes("olmo3", olmo3, 32, R"(, "num_key_value_heads": 32, "attention_bias": false,
         "hidden_act": "silu", "max_position_embeddings": 65536, "rms_norm_eps": 1e-06,
         "rope_scaling": {"attention_factor": 1.2079441541679836, "beta_fast": 32.0,
         "beta_slow": 1.0, "factor": 8.0, "original_max_position_embeddings": 8192,
         "rope_type": "yarn"}, "rope_theta": 500000, "sliding_window": 4096,
         "tie_word_embeddings": false)"),
       llama_tensors(olmo3, norm_lines(4096, kOlmoNorms + " self_attn.q_norm self_attn.k_norm") +
                                "lm_head 100278x4096"),
       7298011136, 100278, "layers.31.self_attn"},
  };
}

}  // namespace

TEST_CASE("published models: outlines of those like Llama") { check_outlines(llamas()); }

}  // namespace attn::testing
