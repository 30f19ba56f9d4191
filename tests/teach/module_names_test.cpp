// Dumps of every module of a model, under the names that Hugging Face's implementations give them.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "attn/check.hpp"
#include "attn/teach/names.hpp"
#include "support/model_diagnosis.hpp"
#include "support/small_models.hpp"

namespace attn::testing {
namespace {

/// A module, and the step that it makes, from reading the library's forward functions; "" : none.
using Modules = std::vector<std::pair<std::string, std::string>>;

const Modules kLlama = {
    {"model.embed_tokens", "x"},
    {"model.layers.1.input_layernorm", "layers.1.norm1"},
    {"model.layers.1.self_attn.q_proj", "layers.1.self_attn.q"},
    {"model.layers.1.self_attn.k_proj", "layers.1.self_attn.k"},
    {"model.layers.1.self_attn.v_proj", "layers.1.self_attn.v"},
    {"model.layers.1.self_attn.o_proj", "layers.1.self_attn.output"},
    {"model.layers.1.self_attn", "layers.1.self_attn.output"},
    {"model.layers.1.post_attention_layernorm", "layers.1.norm2"},
    {"model.layers.1.mlp.gate_proj", "layers.1.linear1"},
    {"model.layers.1.mlp.act_fn", "layers.1.activation"},
    {"model.layers.1.mlp.up_proj", "layers.1.linear3"},
    {"model.layers.1.mlp.down_proj", "layers.1.linear2"},
    {"model.layers.1.mlp", "layers.1.linear2"},
    {"model.layers.1", "layers.1.residual2"},
    {"model.norm", "norm"},
    {"lm_head", "logits"},
};

const Modules kGemma2 = {
    {"model.embed_tokens", ""},  // before √d_model
    {"model.layers.0.input_layernorm", "layers.0.norm1"},
    {"model.layers.0.self_attn", "layers.0.self_attn.output"},
    {"model.layers.0.post_attention_layernorm", "layers.0.norm2"},
    {"model.layers.0.pre_feedforward_layernorm", "layers.0.norm3"},
    {"model.layers.0.post_feedforward_layernorm", "layers.0.norm4"},
    {"model.layers.0.mlp", "layers.0.linear2"},
    {"model.layers.0", "layers.0.residual2"},
    {"lm_head", "raw_logits"},
};

const Modules kBert = {
    {"bert.embeddings.word_embeddings", "token_embeddings"},
    {"bert.embeddings.LayerNorm", "x"},
    {"bert.embeddings", "x"},
    {"bert.encoder.layer.0.attention.self.query", "encoder.layer.0.attention.q"},
    {"bert.encoder.layer.0.attention.output.dense", "encoder.layer.0.attention.output"},
    {"bert.encoder.layer.0.attention.output.LayerNorm", "encoder.layer.0.norm1"},
    {"bert.encoder.layer.0.attention.output", "encoder.layer.0.norm1"},
    {"bert.encoder.layer.0.attention", "encoder.layer.0.norm1"},
    {"bert.encoder.layer.0.intermediate.dense", "encoder.layer.0.linear1"},
    {"bert.encoder.layer.0.intermediate", "encoder.layer.0.activation"},
    {"bert.encoder.layer.0.output.dense", "encoder.layer.0.linear2"},
    {"bert.encoder.layer.0.output", "encoder.layer.0.norm2"},
    {"bert.encoder.layer.0", "encoder.layer.0.norm2"},
    {"cls.predictions.transform.dense", "predictions.linear"},
    {"cls.predictions.transform.LayerNorm", "predictions.norm"},
    {"cls.predictions.transform", "predictions.norm"},
    {"cls.predictions.decoder", "logits"},
};

const Modules kGptOss = {
    {"model.layers.1.self_attn.o_proj", "layers.1.self_attn.output"},
    {"model.layers.1.mlp.router", "layers.1.router_weights"},
    {"model.layers.1.mlp.experts", "layers.1.experts"},
    {"model.layers.1.mlp", "layers.1.experts"},
    {"model.layers.1", "layers.1.residual2"},
    {"lm_head", "logits"},
};

const Modules kDeepSeek = {
    {"model.layers.1.self_attn.q_a_proj", "layers.1.self_attn.q_latent"},
    {"model.layers.1.self_attn.q_a_layernorm", "layers.1.self_attn.q_latent_normed"},
    {"model.layers.1.self_attn.kv_a_layernorm", "layers.1.self_attn.kv_latent_normed"},
    {"model.layers.1.self_attn.o_proj", "layers.1.self_attn.output"},
    {"model.layers.1.mlp", "layers.1.linear2"},
};

/// What the hooks of these modules give, each entry of a batch of one.
Answers dump(const Trace& truth, const Modules& modules) {
  Answers answers{.source = "dump.npz", .by_program = true};
  for (const auto& [module, step] : modules) {
    const Tensor& made = truth.value(step.empty() ? "norm" : step);
    std::vector<Index> shape = made.shape().sizes();
    shape.insert(shape.begin(), 1);
    answers.matrices.push_back({.id = module, .shape = shape, .numbers = made.data().copy()});
  }
  return answers;
}

}  // namespace

TEST_CASE("names: what a hook on every module dumps is right, in the words of each family") {
  const std::pair<SmallModel, const Modules*> families[] = {{llama_model, &kLlama},
                                                            {gemma2_model, &kGemma2},
                                                            {bert_model, &kBert},
                                                            {gpt_oss_model, &kGptOss},
                                                            {deepseek_model, &kDeepSeek}};
  for (const auto& [make, modules] : families) {
    const TinyModel model = tiny_model(make, 4);
    CAPTURE(model.truth.model);
    NamesOfOthers found;
    const Answers own = with_own_names(model.truth, dump(model.truth, *modules), {}, found);
    const CheckReport report = check_answers(model.truth, own);
    CHECK(report.right);
    CHECK(found.not_compared.empty());
    for (const auto& [module, step] : *modules) {  // each alone stands for that step
      if (step.empty()) continue;
      const std::string name = module;
      CAPTURE(name);
      NamesOfOthers again;
      Modules alone{{module, step}};
      if (module.ends_with("attention.output"))  // a module: others are within it
        alone.emplace_back("bert.encoder.layer.0.attention.output.dense",
                           "encoder.layer.0.attention.output");
      const Answers one = with_own_names(model.truth, dump(model.truth, alone), {}, again);
      REQUIRE(one.matrices.size() == alone.size());
      CHECK(one.matrices.front().id == step);
    }
  }
}

TEST_CASE("names: a dump of another number of tokens is said to be one, not only called misshapen" *
          doctest::test_suite("long")) {
  const TinyModel model = tiny_model(llama_model, 4);
  Answers answers = dump(model.truth, kLlama);
  for (Answer& each : answers.matrices) {
    each.shape[1] = 4;  // of 5 tokens
    each.numbers.resize(static_cast<std::size_t>(each.shape[1] * each.shape[2]));
  }
  NamesOfOthers found;
  const CheckReport report =
      check_answers(model.truth, with_own_names(model.truth, answers, {}, found));
  const std::string said =
      "the matrices have 4 rows, but this problem has 5 tokens: are both of the same text?";
  CHECK(std::count(report.notes.begin(), report.notes.end(), said) == 1);
}

TEST_CASE("names: the weights of a norm and what its module makes differ in their sizes") {
  Dice dice(3);
  ProblemDraft draft = llama_model(dice);
  draft.model->kind = "qwen3";
  draft.qk_norm.kind = QkNormKind::Rms;
  draft.qk_norm.is_given = true;
  draft.qk_norm.offset = 0.0;
  for (const char* layer : {"0", "1"}) {
    for (const char* norm : {"q_norm", "k_norm"}) {
      std::string name = std::string("layers.") + layer + ".self_attn." + norm + ".weight";
      if (!draft.weights.contains(std::string("layers.0.input_layernorm.weight")))
        name = "model." + name;
      draft.weights[name] = dice.numbers({4});
    }
  }
  const Trace truth = attend(make_problem(draft));
  const Step& normed = truth.at("layers.0.self_attn.q_normed");
  Answers answers{.source = "dump.npz", .by_program = true};
  answers.matrices.push_back({.id = "model.layers.0.self_attn.q_norm",
                              .shape = normed.value.shape().sizes(),
                              .numbers = normed.value.data().copy()});
  NamesOfOthers found;
  const CheckReport report = check_answers(truth, with_own_names(truth, answers, {}, found));
  CHECK(report.right);
  CHECK(report.steps.front().id == normed.id);
}

}  // namespace attn::testing
