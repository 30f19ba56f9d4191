// A config.json beside its weights: what they contradict each other about, and what has no effect.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/hugging_face.hpp"
#include "attn/phrases.hpp"
#include "attn/trace.hpp"
#include "io/published_model.hpp"
#include "support/errors.hpp"
#include "support/phrases.hpp"

namespace attn::testing {
namespace {

std::string typed(const std::string& type, const std::string& more) {
  return R"({"model_type": ")" + type + R"(", "num_attention_heads": 4, "num_hidden_layers": 2)" +
         (more.empty() ? "" : ", ") + more + "}";
}

ModelTensors named(const std::vector<std::string>& names) {
  ModelTensors tensors;
  for (const std::string& name : names) tensors[name] = {{4, 4}, [] { return Array(); }};
  return tensors;
}

ProblemDraft draft_with(const std::string& config, const std::vector<std::string>& names = {}) {
  return read_model_config(config, "config.json", named(names)).draft;
}

/// "/qk_layernorm what is wrong", or empty.
std::string contradiction(const std::string& config, const std::vector<std::string>& names = {}) {
  return place_and_what(refusal_from([&] { draft_with(config, names); }));
}

/// The place of what is wrong with the shapes of a model.
std::string place_of_outline(const std::string& config, const ModelTensors& tensors) {
  ProblemFile file = read_model_config(config, "config.json", tensors);
  supply_inputs(file.draft);
  const auto error = error_if_refused([&] { outline(make_problem(file.draft)); });
  if (!error) return "";
  const Place place = file.places.locate(*error).diagnostics().front().places.front();
  return filled("{}:{} {}", place.file, place.line, place.pointer);
}

}  // namespace

TEST_CASE("config and weights: Phi has norms of queries and keys if and only if it says so") {
  const std::string attention = "model.layers.0.self_attn.";
  const std::vector<std::string> bare{attention + "q_proj.weight", attention + "k_proj.weight"};
  std::vector<std::string> normed = bare;
  for (const char* name : {"q_layernorm.weight", "q_layernorm.bias", "k_layernorm.weight"})
    normed.push_back(attention + name);
  CHECK(contradiction(typed("phi", R"("qk_layernorm": false)"), bare) == "");
  CHECK(contradiction(typed("phi", R"("qk_layernorm": false)"), normed)
            .starts_with("/qk_layernorm "));
  CHECK(contradiction(typed("phi", ""), normed).starts_with("/qk_layernorm "));
  CHECK(contradiction(typed("phi", R"("qk_layernorm": true)"), bare)
            .ends_with("there is no " + attention + "q_layernorm.weight"));
  CHECK(contradiction(typed("phi", R"("qk_layernorm": true)"), normed)
            .ends_with("there is no " + attention + "k_layernorm.bias"));
  normed.push_back(attention + "k_layernorm.bias");
  CHECK(contradiction(typed("phi", R"("qk_layernorm": true)"), normed) == "");
}

TEST_CASE("config and weights: all biases of a part are there, or none") {
  const std::string attention = "model.layers.1.self_attn.";
  std::vector<std::string> some{"model.layers.0.mlp.down_proj.weight"};
  for (const char* part : {"q_proj", "k_proj", "v_proj", "o_proj"})
    some.push_back(attention + part + ".weight");
  const std::string biased = typed("llama", R"("attention_bias": true)");
  CHECK(contradiction(biased, some).starts_with("/attention_bias the configuration says t"));
  for (const char* part : {"q_proj", "k_proj", "v_proj"})
    some.push_back(attention + part + ".bias");
  CHECK(contradiction(biased, some).ends_with("there is no " + attention + "o_proj.bias"));
  some.push_back(attention + "o_proj.bias");
  CHECK(contradiction(biased, some) == "");
  CHECK(
      contradiction(typed("llama", R"("attention_bias": false)"), some).find("there is model.l") !=
      std::string::npos);
  CHECK(contradiction(typed("llama", R"("mlp_bias": true)"), some).starts_with("/mlp_bias "));
}

TEST_CASE("config and weights: families that always have biases may say that they have none") {
  for (const auto& [type, key] : {std::pair{"gpt_neox", "attention_bias"},
                                  {"opt", "enable_bias"},
                                  {"vit", "qkv_bias"},
                                  {"qwen2_moe", "qkv_bias"}}) {
    const std::string family = type;
    CAPTURE(family);
    CHECK(draft_with(typed(type, "")).model->attention_biases);
    const std::string none = std::string("\"") + key + "\": false";
    CHECK_FALSE(draft_with(typed(type, none)).model->attention_biases);
  }
  CHECK_FALSE(draft_with(typed("modernbert", R"("decoder_bias": false)")).model->linear_biases);
  CHECK_FALSE(draft_with(typed("opt", R"("enable_bias": false)")).model->linear_biases);
}

TEST_CASE("config and weights: T5 has a gate if and only if it says so") {
  const auto t5 = [](const std::string& more) {
    return R"({"model_type": "t5", "num_heads": 4)" + more + "}";
  };
  const std::string part = "encoder.block.0.layer.1.DenseReluDense.";
  const std::vector<std::string> plain{part + "wi.weight"},
      gated{part + "wi_0.weight", part + "wi_1.weight"};
  CHECK(contradiction(t5(""), plain) == "");
  CHECK(contradiction(t5(R"(, "feed_forward_proj": "gated-gelu")"), gated) == "");
  CHECK(contradiction(t5(R"(, "feed_forward_proj": "gated-gelu")"), plain) ==
        "/feed_forward_proj the feed-forward part is gated-gelu, with a gate, but there is " +
            part + "wi.weight");
  CHECK(contradiction(t5(R"(, "feed_forward_proj": "relu")"), gated).ends_with("wi_1.weight"));
  CHECK(contradiction(t5(""), gated).ends_with("wi_1.weight"));
}

TEST_CASE("config: ALiBi of Falcon needs the number of columns, whatever its key") {
  const std::string alibi = R"("alibi": true, "multi_query": false, )";
  const ProblemDraft draft = draft_with(typed("falcon", alibi + R"("n_embed": 16)"));
  CHECK(draft.positions.slopes == std::vector<double>{0.125, 0.03125, 0.0078125, 0.001953125});
  CHECK(contradiction(typed("falcon", R"("alibi": true)")).starts_with("/alibi "));
}

TEST_CASE("config and weights: which layers have experts is the same in both") {
  const std::string layer0 = "model.layers.0.mlp.", layer1 = "model.layers.1.mlp.";
  const std::vector<std::string> mixed{layer0 + "gate.weight", layer1 + "gate_proj.weight"};
  CHECK(contradiction(typed("qwen2_moe", R"("mlp_only_layers": [1])"), mixed) == "");
  CHECK(contradiction(typed("qwen2_moe", R"("mlp_only_layers": [])"), mixed) ==
        "/mlp_only_layers by mlp_only_layers, layer 1 has experts, " +
            unlike_weights("no model.layers.1.mlp.gate.weight"));
  CHECK(contradiction(typed("qwen3_moe", R"("decoder_sparse_step": 2)"), mixed)
            .starts_with("/decoder_sparse_step "));
  const std::vector<std::string> late{layer0 + "gate_proj.weight", layer1 + "gate.weight"};
  CHECK(contradiction(typed("deepseek_v3", R"("first_k_dense_replace": 1)"), late) == "");
  CHECK(contradiction(typed("deepseek_v3", R"("first_k_dense_replace": 2)"), late)
            .starts_with("/first_k_dense_replace "));
}

TEST_CASE("config: sizes are compared with the weights, also those of one part") {
  struct Row {
    std::string type, key;
    const char* what;
  };
  const Row rows[] = {{"deepseek_v3", "kv_lora_rank", "latent columns of keys"},
                      {"deepseek_v2", "q_lora_rank", "latent columns of queries"},
                      {"qwen2_moe", "shared_expert_intermediate_size", "shared expert size"}};
  for (const Row& row : rows) {
    const ProblemDraft draft = draft_with(typed(row.type, "\"" + row.key + "\": 7"));
    CHECK(draft.model->sizes.back().what == row.what);
    CHECK(draft.model->sizes.back().size == 7);
  }
  const ProblemDraft shared =
      draft_with(typed("deepseek_v3", R"("n_shared_experts": 2, "moe_intermediate_size": 5)"));
  CHECK(shared.model->sizes.back().size == 10);
  CHECK(shared.model->experts.shared);
  CHECK_FALSE(
      draft_with(typed("deepseek_v3", R"("n_shared_experts": null)")).model->experts.shared);
  const ProblemDraft t5 = draft_with(R"({"model_type": "t5", "num_heads": 4, "d_kv": 7})");
  CHECK(t5.model->sizes.back().what == "head size");
}

TEST_CASE("config: keys that change nothing in transformers change nothing, the rest is refused") {
  CHECK_FALSE(
      draft_with(typed("mixtral", R"("norm_topk_prob": false)")).model->experts.renormalize);
  CHECK(contradiction(typed("modernbert", R"("classifier_activation": "relu")"))
            .starts_with("/classifier_activation "));
  CHECK(contradiction(typed("modernbert", R"("classifier_activation": "gelu")")) == "");
  CHECK(contradiction(typed("llama", R"("rope_scaling": {"factor": 3})")) ==
        "/rope_scaling these numbers scale positions, but there is no \"rope_type\" that says how");
  CHECK_FALSE(draft_with(typed("llama", R"("rope_scaling": {"type": "default", "factor": 3})"))
                  .positions.scaling);
}

TEST_CASE("config: a decoder begins with the id that it says, unless ids are given") {
  const std::string config = R"({"model_type": "t5", "num_heads": 4, "decoder_start_token_id": 7})";
  CHECK(draft_with(config).model->start_id == 7);
}

TEST_CASE("config: a number of layers that no model has is refused at once") {
  for (const char* type : {"smollm3", "modernbert", "llama"})
    CHECK(contradiction(R"({"model_type": ")" + std::string(type) +
                        R"(", "num_attention_heads": 4, "num_hidden_layers": 2000000000})")
              .starts_with("/num_hidden_layers "));
  const std::vector<std::string> more{"model.layers.1.x", "model.layers.2.x", "model.layers.3.x"};
  const auto kept = [&](const char* count) {
    return draft_with(typed("deepseek_v3", R"("num_nextn_predict_layers": )" + std::string(count)),
                      more)
        .model_weights.size();
  };
  CHECK(kept("1") == 2);  // layer 2 is dropped, layer 3 is too much
  CHECK(kept("99999999") == 1);
  CHECK(kept("0") == 3);
}

TEST_CASE("config: layer_types says which layers have windows, and is about all layers") {
  const std::string full = R"("sliding_window": 9, "layer_types": ["full_attention")";
  CHECK(contradiction(typed("smollm3", full + R"(, "full_attention"])")) == "");
  CHECK(contradiction(typed("smollm3", full + "]")) ==
        "/layer_types layer_types is about 1 layer, but there are 2");
  CHECK(contradiction(typed("smollm3", R"("sliding_window": 9)")).starts_with("/sliding_window "));
}

TEST_CASE("config: models that also see are read as their language models, with plain positions") {
  const std::string scaling = R"("rope_theta": 5e5, "rope_scaling": {"type": "mrope",
      "mrope_section": [16, 24, 24]})";
  for (const char* type : {"qwen2_vl", "qwen2_5_vl", "qwen2_5_vl_text"}) {
    const ProblemDraft draft = draft_with(typed(type, scaling), {"visual.x", "model.norm.weight"});
    CHECK(draft.model->kind == "qwen2");
    CHECK(draft.model->rope_base == 5e5);
    CHECK_FALSE(draft.positions.scaling);
    CHECK(draft.model_weights.size() == 1);
  }
  const ProblemDraft qwen3 = draft_with(typed("qwen3_vl_text", R"("rope_parameters": {
      "mrope_interleaved": true, "mrope_section": [24, 20, 20], "rope_theta": 5000000,
      "rope_type": "default"})"));
  CHECK(qwen3.model->kind == "qwen3");
  CHECK(qwen3.model->rope_base == 5e6);
  CHECK(qwen3.qk_norm.kind == QkNormKind::Rms);
  CHECK(contradiction(typed("llama", scaling)).starts_with("/rope_scaling/type "));
}

TEST_CASE("config: errors about settings name the key of the configuration") {
  const ModelTensors tensors = tensors_of(
      "model.embed_tokens 9x16\n model.norm 16\n model.layers.{2}.self_attn.q_proj 16x16\n"
      "model.layers.{2}.self_attn.k_proj 16x16\n model.layers.{2}.self_attn.v_proj 16x16\n"
      "model.layers.{2}.self_attn.o_proj 16x16\n model.layers.{2}.input_layernorm 16\n"
      "model.layers.{2}.post_attention_layernorm 16\n model.layers.{2}.mlp.gate_proj 8x16\n"
      "model.layers.{2}.mlp.up_proj 8x16\n model.layers.{2}.mlp.down_proj 16x8");
  CHECK(place_of_outline(typed("llama", ""), tensors) == "");
  CHECK(place_of_outline(typed("llama", R"("partial_rotary_factor": 0.3)"), tensors) ==
        "config.json:1 /partial_rotary_factor");
  CHECK(place_of_outline(typed("llama", R"("rope_scaling": {"rope_type": "yarn"})"), tensors) ==
        "config.json:1 /rope_scaling");
  CHECK(place_of_outline(typed("llama", R"("num_key_value_heads": 3)"), tensors) ==
        "config.json:1 /num_attention_heads");
}

}  // namespace attn::testing
