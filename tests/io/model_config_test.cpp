// Hugging Face's config.json and tokenizer.json.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "attn/hugging_face.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/phrases.hpp"

namespace attn::testing {
namespace {

using Texts = std::vector<std::string>;

ProblemDraft config_draft(const std::string& text, ModelTensors weights = {}) {
  return read_model_config(text, "config.json", std::move(weights)).draft;
}

Diagnostic refused_config(const std::string& text, ModelTensors weights = {}) {
  return error_from([&] { config_draft(text, std::move(weights)); }).diagnostics().front();
}

std::string llama(const std::string& more) {
  return R"({"model_type": "llama", "num_attention_heads": 4, )" + more + "}";
}

/// "layers 2 at /n_layer"
Texts sizes_of(const ProblemDraft& draft) {
  Texts sizes;
  for (const StatedSize& each : draft.model->sizes)
    sizes.push_back(each.what + " " + std::to_string(each.size) + " at " + each.pointer);
  return sizes;
}

/// The windows of the layers, 0 for none.
std::vector<Index> windows_of(const ProblemDraft& draft) {
  std::vector<Index> windows;
  for (const LayerSettings& layer : draft.model->layers)
    windows.push_back(layer.window.value_or(0));
  return windows;
}

std::string of_type(const std::string& type, const std::string& more) {
  return R"({"model_type": ")" + type + R"(", "num_attention_heads": 4, "num_hidden_layers": 4)" +
         (more.empty() ? "" : ", ") + more + "}";
}

}  // namespace

TEST_CASE("config: GPT-2's, as it is published, becomes a model with its sizes") {
  const ProblemDraft draft =
      config_draft(read_test_file("reference/models/hugging_face_gpt2/config.json"));
  CHECK(draft.model->kind == "gpt2");
  CHECK(draft.model->activation == "gelu_tanh");
  CHECK(draft.model->layer_norm_eps == 1e-5);
  CHECK(draft.heads == 2);
  CHECK_FALSE(draft.kv_heads);
  CHECK(sizes_of(draft) == Texts{"layers 2 at /n_layer", "d_model 8 at /n_embd",
                                 "vocabulary 11 at /vocab_size", "positions 8 at /n_positions"});
}

TEST_CASE("config: end-of-text ids are one or several") {
  CHECK(config_draft(llama(R"("eos_token_id": 2)")).model->end_ids == std::vector<Index>{2});
  CHECK(config_draft(llama(R"("eos_token_id": [2, 7])")).model->end_ids ==
        std::vector<Index>{2, 7});
  CHECK(config_draft(llama(R"("eos_token_id": null)")).model->end_ids.empty());
  CHECK(refused_config(llama(R"("eos_token_id": -1)")).places.front().pointer == "/eos_token_id");
}

TEST_CASE("config: BERT's and Llama's have other names for the same settings") {
  const ProblemDraft bert =
      config_draft(read_test_file("reference/models/hugging_face_bert/config.json"));
  CHECK(bert.model->kind == "bert");
  CHECK(bert.model->activation == "gelu");
  CHECK(bert.model->layer_norm_eps == 1e-12);
  CHECK(bert.heads == 2);
  CHECK(sizes_of(bert).back() == "token types 2 at /type_vocab_size");
  const ModelTensors weights{{"lm_head.weight", {}}};
  const ProblemDraft llama =
      config_draft(read_test_file("reference/models/hugging_face_llama/config.json"), weights);
  CHECK(llama.model->kind == "llama");
  CHECK(llama.model->activation == "silu");
  CHECK(llama.model->layer_norm_eps == 1e-5);
  CHECK(llama.model->rope_base == 10000.0);
  CHECK(llama.heads == 4);
  CHECK(llama.kv_heads == 2);
  CHECK(llama.model_weights.contains("lm_head.weight"));
}

TEST_CASE("config: windows are in the layers that the family has them in") {
  struct Row {
    const char* type;
    std::string more;
    std::vector<Index> windows;
  };
  const Row rows[] = {
      {"mistral", R"("sliding_window": null, "rope_theta": 500)", {}},
      {"mistral", R"("sliding_window": 7)", {7, 7, 7, 7}},
      {"mistral", "", {4096, 4096, 4096, 4096}},
      {"qwen2", R"("sliding_window": 7, "max_window_layers": 2)", {}},
      {"qwen2",
       R"("sliding_window": 7, "use_sliding_window": true, "max_window_layers": 2)",
       {0, 0, 7, 7}},
      {"qwen2",
       R"("sliding_window": 7, "layer_types": ["sliding_attention", "full_attention",
       "full_attention", "full_attention"])",
       {7, 0, 0, 0}},
      {"gemma2", R"("sliding_window": 7)", {7, 0, 7, 0}},
      {"gemma3_text", R"("sliding_window": 7, "sliding_window_pattern": 2)", {7, 0, 7, 0}},
      {"gemma3_text", R"("sliding_window": 7)", {7, 7, 7, 7}},
      {"gemma3_text",
       R"("sliding_window": 512, "use_bidirectional_attention": true)",
       {257, 257, 257, 257}},
      {"olmo2", "", {}},
      {"olmo3", R"("sliding_window": 7)", {7, 7, 7, 0}},
      {"qwen3", R"("sliding_window": null, "use_sliding_window": false)", {}},
      {"phi3", R"("sliding_window": 7)", {7, 7, 7, 7}},
      {"phi3", "", {}},
      {"llama", "", {}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.type);
    CAPTURE(row.more);
    CHECK(windows_of(config_draft(of_type(row.type, row.more))) == row.windows);
  }
}

TEST_CASE("config: what families add is read, and refused where it means nothing") {
  const ProblemDraft granite =
      config_draft(of_type("granite", R"("attention_multiplier": 0.5, "residual_multiplier": 0.25,
                    "embedding_multiplier": 12, "logits_scaling": 8)"));
  CHECK(granite.scale == ScaleRule{ScaleRule::Kind::Number, 0.5});
  CHECK(granite.model->residual_multiplier == 0.25);
  CHECK(granite.model->embedding_multiplier == 12.0);
  CHECK(granite.model->logits_scaling == 8.0);
  CHECK(refused_config(of_type("llama", R"("logits_scaling": 8)")).places[0].pointer ==
        "/logits_scaling");
  const ProblemDraft gemma = config_draft(
      of_type("gemma2", R"("query_pre_attn_scalar": 16, "final_logit_softcapping": null)"));
  CHECK(gemma.scale == ScaleRule{ScaleRule::Kind::Number, 0.25});
  CHECK(gemma.softcap == 50.0);
  CHECK_FALSE(gemma.model->logits_softcap);
  const ProblemDraft smollm = config_draft(of_type("smollm3", R"("no_rope_layers": [1, 0, 1, 1])"));
  CHECK(smollm.model->layers.at(1).positions == PositionKind::None);
  CHECK_FALSE(smollm.model->layers.at(0).positions);
  CHECK(config_draft(of_type("smollm3", "")).model->layers.at(3).positions == PositionKind::None);
  const ProblemDraft neox =
      config_draft(of_type("gpt_neox", R"("rotary_pct": 0.5, "use_parallel_residual": false)"));
  CHECK(neox.positions.partial_rotary_factor == 0.5);
  CHECK(neox.model->parallel_residual == false);
  CHECK(config_draft(of_type("gpt_neox", "")).positions.partial_rotary_factor == 0.25);
  CHECK(config_draft(of_type("phi", "")).positions.partial_rotary_factor == 0.5);
}

TEST_CASE("config: the norm of queries and keys is that of the family") {
  struct Row {
    const char* type;
    const char* more;
    QkNormKind kind;
    double eps, offset;
  };
  const Row rows[] = {
      {"qwen3", R"("rms_norm_eps": 1e-5)", QkNormKind::Rms, 1e-5, 0},
      {"qwen3", "", QkNormKind::Rms, 1e-6, 0},
      {"gemma3_text", "", QkNormKind::Rms, 1e-6, 1},
      {"olmo2", "", QkNormKind::Rms, 1e-5, 0},
      {"olmo3", "", QkNormKind::Rms, 1e-5, 0},
      {"phi", R"("qk_layernorm": true, "layer_norm_eps": 1e-4)", QkNormKind::Layer, 1e-4, 0},
  };
  for (const Row& row : rows) {
    CAPTURE(row.type);
    const QkNorm norm = config_draft(of_type(row.type, row.more)).qk_norm;
    CHECK(norm.is_given);
    CHECK(norm.kind == row.kind);
    CHECK(norm.eps == row.eps);
    CHECK(norm.offset == row.offset);
  }
  for (const char* type : {"llama", "gemma2", "phi"})
    CHECK_FALSE(config_draft(of_type(type, "")).qk_norm.is_given);
}

TEST_CASE("config: windows of Gemma 3 and OLMo 3 have a base of their own, and no scaling") {
  const ProblemDraft gemma =
      config_draft(of_type("gemma3_text", R"("sliding_window": 7, "sliding_window_pattern": 4,
      "rope_scaling": {"factor": 8.0, "rope_type": "linear"}, "rope_local_base_freq": 20)"));
  CHECK(gemma.positions.scaling->factor == 8.0);
  CHECK(gemma.model->rope_base == 1e6);
  CHECK(gemma.model->layers.at(0).rope_base == 20.0);
  CHECK(gemma.model->layers.at(0).scaling->kind == RopeScalingKind::Default);
  CHECK_FALSE(gemma.model->layers.at(3).scaling);
  const ProblemDraft olmo = config_draft(
      of_type("olmo3", R"("sliding_window": 7, "rope_theta": 500, "rope_scaling": {"factor": 8.0,
      "rope_type": "linear"})"));
  CHECK(olmo.model->layers.at(0).rope_base == 500.0);
  CHECK(olmo.model->layers.at(0).scaling->kind == RopeScalingKind::Default);
  CHECK_FALSE(olmo.model->layers.at(3).scaling);
}

TEST_CASE("config: Falcon's heads, branches and slopes, as in its three forms") {
  const ProblemDraft first = config_draft(of_type("falcon", ""));
  CHECK(first.kv_heads == 1);
  CHECK(first.model->parallel_residual.value_or(true));
  CHECK(config_draft(of_type("falcon", R"("new_decoder_architecture": true, "num_kv_heads": 2)"))
            .kv_heads == 2);
  const ProblemDraft alibi =
      config_draft(of_type("falcon", R"("multi_query": false, "parallel_attn": false, "alibi": true,
      "hidden_size": 16)"));
  CHECK(alibi.kv_heads == 4);
  CHECK(alibi.model->parallel_residual == false);
  CHECK(alibi.positions.kind == PositionKind::Alibi);
  CHECK(alibi.positions.slopes == std::vector<double>{0.125, 0.03125, 0.0078125, 0.001953125});
}

TEST_CASE("config: rotary positions may differ between layers with and without windows") {
  const ProblemDraft draft =
      config_draft(of_type("qwen2", R"("layer_types": ["full_attention", "sliding_attention",
      "full_attention", "full_attention"], "sliding_window": 4, "rope_parameters": {"full_attention": {"rope_type": "linear", "factor": 8, "rope_theta": 300},
      "sliding_attention": {"rope_type": "default", "rope_theta": 20}})"));
  REQUIRE(draft.model->layers.size() == 4);
  CHECK(draft.model->layers[0].rope_base == 300.0);
  CHECK(draft.model->layers[0].scaling->factor == 8.0);
  CHECK(draft.model->layers[1].rope_base == 20.0);
  CHECK(draft.model->layers[1].scaling->kind == RopeScalingKind::Default);
}

TEST_CASE("config: the language model of one that also sees is read without its prefix") {
  const ModelTensors all{{"language_model.model.norm.weight", {}},
                         {"language_model.lm_head.weight", {}},
                         {"vision_tower.x", {}}};
  const ProblemDraft draft = config_draft(R"({"model_type": "mistral3", "text_config": )" +
                                              of_type("mistral", R"("sliding_window": null)") + "}",
                                          all);
  CHECK(draft.model->kind == "mistral");
  CHECK(draft.model_weights.size() == 2);
  CHECK(draft.model_weights.contains("model.norm.weight"));
  CHECK(refused_config(R"({"text_config": {"model_type": "llama"}})").places[0].pointer ==
        "/text_config");
}

TEST_CASE("config: models that attn reads one layer of are refused by name") {
  for (const auto& [type, name] : {std::pair{"llama4", "Llama 4"},
                                   {"gemma3n_text", "Gemma 3n"},
                                   {"cohere2", "Cohere's models"},
                                   {"glm4", "GLM"},
                                   {"qwen3_next", "Qwen3-Next"}}) {
    const Diagnostic found = refused_config(of_type(type, ""));
    CHECK(found.what == std::string(kNotComputed) + name + " as a whole");
    CHECK(found.fix.find("one of its attention layers") != std::string::npos);
  }
}

TEST_CASE("config: what attn does not compute is refused by name, at its place") {
  struct Row {
    std::string json;
    const char* pointer;
    std::string part;
  };
  const std::string gpt2 = R"({"model_type": "gpt2", "n_head": 2, )";
  const Row rows[] = {
      {llama(R"("num_local_experts": 8)"), "/num_local_experts", "what num_local_experts means"},
      {R"({"model_type": "mixtral", "num_attention_heads": 1, "norm_topk_prob": true})",
       "/norm_topk_prob", "what norm_topk_prob means"},
      {llama(R"("quantization_config": {"bits": 4})"), "/quantization_config", "quantised weights"},
      {llama(R"("quantization_config": {"quant_method": "mxfp4"})"), "/quantization_config",
       "quantised weights (mxfp4)"},
      {R"({"model_type": "t5", "num_heads": 4, "feed_forward_proj": "gated-relu"})",
       "/feed_forward_proj", "attn has no T5 whose feed-forward part is gated-relu"},
      {R"({"model_type": "bart", "encoder_attention_heads": 4, "decoder_attention_heads": 8})",
       "/decoder_attention_heads", "different numbers of"},
      {llama(R"("is_encoder_decoder": true)"), "/is_encoder_decoder", "is_encoder_decoder means"},
      {llama(R"("rope_scaling": {"rope_type": "mrope"})"), "/rope_scaling/rope_type",
       "rope_type cannot be \"mrope\""},
      {llama(R"("rope_scaling": {"rope_type": "yarn", "mrope_section": 3})"),
       "/rope_scaling/mrope_section", "mrope_section"},
      {llama(R"("rope_parameters": {"a": {"rope_theta": 3}, "b": {"rope_theta": 4}})"),
       "/rope_parameters", "there are objects for"},
      {llama(R"("layer_types": ["full_attention", "sliding_attention"])"), "/layer_types",
       "sliding_window does not say"},
      {gpt2 + R"("scale_attn_by_inverse_layer_idx": true})", "/scale_attn_by_inverse_layer_idx",
       "scores that are scaled by the layer's number"},
      {R"({"model_type": "bert", "position_embedding_type": "relative_key"})",
       "/position_embedding_type", "relative position embeddings"},
      {R"({"model_type": "bert", "is_decoder": true})", "/is_decoder",
       "an encoder that is used as a decoder"},
      {gpt2 + R"("activation_function": "mish"})", "/activation_function",
       "attn has no activation called \"mish\""},
      {llama(R"("num_experts": 8)"), "/num_experts", "what num_experts means"},
      {llama(R"("n_routed_experts": 8)"), "/n_routed_experts", "what n_routed_experts means"},
      {gpt2 + R"("add_cross_attention": true})", "/add_cross_attention", "cross attention"},
      {gpt2 + R"("scale_attn_weights": false})", "/scale_attn_weights", "no scale"},
      {llama(R"("sliding_window": 9, "use_sliding_window": true)"), "/sliding_window",
       "sliding windows"},
      {llama(R"("rms_norm_eps": -1)"), "/rms_norm_eps", "expected a number above 0"},
      {llama(R"("rope_theta": 0)"), "/rope_theta", "expected a number above 0"},
      {R"({"model_type": "rwkv"})", "/model_type", "attn has no models of the type \"rwkv\""},
      {R"({"n_head": 2})", "", "this file has no \"model_type\""},
      {R"([1])", "", "expected an object"},
      {R"({"model_type": "gpt2"})", "", "expected the key \"n_head\""},
      {R"({"model_type": "gpt2", "n_head": 0})", "/n_head", "expected " + whole_number("1", "")},
      {R"({"model_type": "gpt2", "n_head": "two"})", "/n_head",
       "expected " + std::string("a whole number")},
  };
  for (const Row& row : rows) {
    CAPTURE(row.json);
    const Diagnostic found = refused_config(row.json);
    CHECK(found.what.find(row.part) != std::string::npos);
    REQUIRE(!found.places.empty());
    CHECK(found.places[0].file == "config.json");
    CHECK(found.places[0].pointer == row.pointer);
  }
  CHECK(
      config_draft(llama(R"("rope_scaling": null, "head_dim": 16, "layer_types": ["full_attention"],
                          "rope_parameters": {"rope_type": "default", "rope_theta": 300})"))
          .model->rope_base == 300.0);
}

TEST_CASE("config: rotary positions are scaled as it says, with the lengths beside it") {
  const ProblemDraft llama31 = config_draft(llama(R"("rope_theta": 500000.0,
      "max_position_embeddings": 131072, "rope_scaling": {"factor": 8.0, "low_freq_factor": 1.0,
      "high_freq_factor": 4.0, "original_max_position_embeddings": 8192, "rope_type": "llama3"})"));
  CHECK(llama31.model->rope_base == 500000.0);
  CHECK(llama31.positions.kind == PositionKind::Rope);
  REQUIRE(llama31.positions.scaling);
  CHECK(llama31.positions.scaling->kind == RopeScalingKind::Llama3);
  CHECK(llama31.positions.scaling->factor == 8.0);
  CHECK(llama31.positions.scaling->original_max_position_embeddings == 8192);
  CHECK(llama31.positions.scaling->max_position_embeddings == 131072);
  const ProblemDraft nested = config_draft(llama(R"("original_max_position_embeddings": 64,
      "rope_parameters": {"full_attention": {"rope_type": "yarn", "factor": 4, "rope_theta": 300,
      "partial_rotary_factor": 0.5}})"));
  CHECK(nested.model->rope_base == 300.0);
  CHECK(nested.positions.scaling->partial_rotary_factor == 0.5);
  CHECK(nested.positions.scaling->original_max_position_embeddings == 64);
  const ProblemDraft unscaled = config_draft(
      llama(R"("rope_parameters": {"rope_type": "default", "partial_rotary_factor": 0.5})"));
  REQUIRE(unscaled.positions.scaling);
  CHECK(unscaled.positions.scaling->partial_rotary_factor == 0.5);
  const ProblemDraft part = config_draft(llama(R"("partial_rotary_factor": 0.5)"));
  CHECK(part.positions.partial_rotary_factor == 0.5);
  CHECK_FALSE(part.positions.scaling);
}

TEST_CASE("config: tied logits use the table, whatever else the file holds") {
  const ModelTensors both{{"lm_head.weight", {}}, {"model.embed_tokens.weight", {}}};
  CHECK(config_draft(llama(R"("tie_word_embeddings": true)"), both).model_weights.size() == 1);
  CHECK(config_draft(llama(R"("tie_word_embeddings": false)"), both).model_weights.size() == 2);
  CHECK(config_draft(R"({"model_type": "gpt2", "n_head": 2})", both).model_weights.size() == 1);
  const Diagnostic found = refused_config(llama(R"("tie_word_embeddings": false)"));
  CHECK(found.what ==
        "the configuration says that logits have weights of their own, but there is no "
        "lm_head.weight");
  CHECK(found.places.at(0).pointer == "/tie_word_embeddings");
}

TEST_CASE("tokenizer: GPT-2's bytes become text, a leading space is shown") {
  CHECK(read_token_texts(
            R"({"!": 0, "Ġthe": 1, "Ċ": 2, "Ã©": 3, "Ã": 4, "ĠĠ": 5, "<|endoftext|>": 7})", "v") ==
        Texts{"!", "␣the", "\\n", "é", "<0xC3>", "␣␣", "v6", "<|endoftext|>"});
}

TEST_CASE("tokenizer: GPT-2 writes the byte AD, a soft hyphen, as another character") {
  CHECK(read_token_texts(R"({"Ġa": 0, "ÃŃ": 1})", "v") == Texts{"␣a", "í"});  // í is C3 AD
}

TEST_CASE("tokenizer: tokenizer.json has the vocabulary inside, and tokens that were added") {
  CHECK(read_token_texts(R"({"model": {"type": "WordPiece", "vocab": {"[PAD]": 0, "##ing": 1}},
                             "added_tokens": [{"id": 3, "content": "[CLS]"}]})",
                         "t") == Texts{"[PAD]", "##ing", "v2", "[CLS]"});
  CHECK(read_token_texts(R"({"model": {"type": "Unigram", "vocab": [["<unk>", 0], ["▁I", -1.5]]}})",
                         "t") == Texts{"<unk>", "␣I"});
}

TEST_CASE("tokenizer: nothing in a token is invisible, or reverses what comes after it") {
  CHECK(read_token_texts(R"({"po\ufeffsi": 0, "a\u202eb": 1, "\u200b": 2, "👩‍🚀": 3})",
                         "v") == Texts{"po\\u{feff}si", "a\\u{202e}b", "\\u{200b}", "👩‍🚀"});
}

TEST_CASE("tokenizer: a file without a vocabulary, or with wrong ids, is refused") {
  const auto refusal = [](const std::string& text) {
    const Error error = error_from([&] { read_token_texts(text, "vocab.json"); });
    CHECK(error.diagnostics().front().places.at(0).file == "vocab.json");
    return error.diagnostics().front().id;
  };
  CHECK(refusal("{}") == "wrong-type");
  CHECK(refusal("3") == "wrong-type");
  CHECK(refusal(R"({"the": "0"})") == "wrong-type");
  CHECK(refusal(R"({"the": -1})") == "out-of-range");
  CHECK(refusal(R"({"the": 2000000000})") == "out-of-range");
  CHECK(refusal(R"({"model": {"vocab": [[], 3]}})") == "wrong-type");
  CHECK(refusal("{") == "json-syntax");
}

}  // namespace attn::testing
