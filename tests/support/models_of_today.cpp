// Tiny random models of today: sinks, experts and windows; latent attention; norms and softcaps.
#include <string>

#include "support/small_models.hpp"

namespace attn::testing {
namespace {

constexpr Index kTableRows = 8, kWide = 8, kUnits = 6, kExperts = 4;

struct Maker {
  Dice& dice;
  ProblemDraft draft = {};

  Maker(Dice& with, const std::string& kind, Index heads) : dice(with) {
    draft.model = ModelDraft{kind, false, "", std::nullopt, std::nullopt};
    draft.heads = heads;
    draft.ids = {{3, 1, 4, 6, 2}};
    add("embed_tokens.weight", {kTableRows, kWide});
    add("norm.weight", {kWide});
    add("lm_head.weight", {kTableRows, kWide});
  }
  void add(const std::string& name, const std::vector<Index>& shape) {
    draft.weights[name] = dice.numbers(shape);
  }
  void add_norms(const std::string& layer, std::initializer_list<const char*> names) {
    for (const char* name : names) add(layer + name + ".weight", {kWide});
  }
  void add_gated(const std::string& name) {
    for (const char* part : {".gate_proj.weight", ".up_proj.weight"})
      add(name + part, {kUnits, kWide});
    add(name + ".down_proj.weight", {kWide, kUnits});
  }
};

std::string layer_name(Index layer) { return "layers." + std::to_string(layer) + "."; }

}  // namespace

ProblemDraft gpt_oss_model(Dice& dice) {
  Maker make(dice, "gpt_oss", 4);
  make.draft.kv_heads = 2;
  make.draft.model->experts.per_token = 2;
  for (Index n = 0; n < 2; ++n) {
    const std::string layer = layer_name(n), own = layer + "self_attn.", mlp = layer + "mlp.";
    make.add_norms(layer, {"input_layernorm", "post_attention_layernorm"});
    for (const auto& [name, rows, cols] : {std::tuple{"q_proj", 16, kWide},
                                           {"k_proj", 8, kWide},
                                           {"v_proj", 8, kWide},
                                           {"o_proj", 8, Index{16}}}) {
      make.add(own + name + ".weight", {rows, cols});
      make.add(own + name + ".bias", {rows});
    }
    make.add(own + "sinks", {4});
    make.add(mlp + "router.weight", {kExperts, kWide});
    make.add(mlp + "router.bias", {kExperts});
    make.add(mlp + "experts.gate_up_proj", {kExperts, kWide, 2 * kUnits});
    make.add(mlp + "experts.gate_up_proj_bias", {kExperts, 2 * kUnits});
    make.add(mlp + "experts.down_proj", {kExperts, kUnits, kWide});
    make.add(mlp + "experts.down_proj_bias", {kExperts, kWide});
  }
  LayerSettings local;
  local.window = 2;
  make.draft.model->layers = {local, LayerSettings()};
  return make.draft;
}

ProblemDraft deepseek_model(Dice& dice) {
  Maker make(dice, "deepseek_v3", 2);
  for (Index n = 0; n < 2; ++n) {
    const std::string layer = layer_name(n), own = layer + "self_attn.";
    make.add_norms(layer, {"input_layernorm", "post_attention_layernorm"});
    make.add(own + "q_a_proj.weight", {5, kWide});
    make.add(own + "q_a_layernorm.weight", {5});
    make.add(own + "q_b_proj.weight", {2 * (4 + 2), 5});
    make.add(own + "kv_a_proj_with_mqa.weight", {5 + 2, kWide});
    make.add(own + "kv_a_layernorm.weight", {5});
    make.add(own + "kv_b_proj.weight", {2 * (4 + 3), 5});
    make.add(own + "o_proj.weight", {kWide, 2 * 3});
    make.add_gated(layer + "mlp");
  }
  return make.draft;
}

ProblemDraft gemma2_model(Dice& dice) {
  Maker make(dice, "gemma2", 2);
  for (Index n = 0; n < 2; ++n) {
    const std::string layer = layer_name(n), own = layer + "self_attn.";
    make.add_norms(layer, {"input_layernorm", "post_attention_layernorm",
                           "pre_feedforward_layernorm", "post_feedforward_layernorm"});
    for (const char* letter : {"q", "k", "v", "o"})
      make.add(own + letter + "_proj.weight", {kWide, kWide});
    make.add_gated(layer + "mlp");
  }
  make.draft.softcap = 3.0;
  make.draft.model->logits_softcap = 2.0;
  LayerSettings local;
  local.window = 3;
  make.draft.model->layers = {local, LayerSettings()};
  return make.draft;
}

}  // namespace attn::testing
