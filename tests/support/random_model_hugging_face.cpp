// Random whole models: GPT-2, BERT and Llama.
#include "support/random_model_parts.hpp"

namespace attn::testing {
namespace {

/// Ids of tokens, masks, and the prefix that most files have.
void add_inputs(ModelWorkshop& shop, const std::string& prefix) {
  Dice& dice = shop.dice;
  if (shop.batch == 1) shop.has_batch = false;
  shop.prefix = dice.chance(50) ? prefix : "";
  for (Index n = 0; n < shop.batch; ++n) {
    std::vector<Index> ids;
    for (Index i = 0; i < shop.tokens; ++i) ids.push_back(dice.between(0, shop.words - 1));
    shop.draft.ids.push_back(ids);
  }
  add_target_masks(shop);
}

/// Weights without the prefix.
void add_outside(ModelWorkshop& shop, const std::string& name, const std::vector<Index>& shape) {
  shop.draft.weights[name] = shop.dice.numbers(shape);
}

}  // namespace

void add_gpt2(ModelWorkshop& shop) {
  const Index d = shop.d_model;
  add_inputs(shop, "transformer.");
  add_weights(shop, "wte.weight", {shop.words, d});
  add_weights(shop, "wpe.weight", {shop.tokens + shop.dice.between(0, 2), d});
  shop.in_out = true;
  for (Index n = 0; n < shop.layers; ++n) {
    const std::string s = "h." + std::to_string(n) + ".";
    add_norm(shop, s + "ln_1");
    add_layer(shop, s + "attn.c_attn", d, 3 * d);
    add_layer(shop, s + "attn.c_proj", d, d);
    add_norm(shop, s + "ln_2");
    add_layer(shop, s + "mlp.c_fc", d, shop.ff);
    add_layer(shop, s + "mlp.c_proj", shop.ff, d);
  }
  add_norm(shop, "ln_f");
  if (shop.dice.chance(30)) add_outside(shop, "lm_head.weight", {shop.words, d});
  add_labels(shop);
}

void add_bert(ModelWorkshop& shop) {
  const Index d = shop.d_model;
  add_inputs(shop, "bert.");
  add_weights(shop, "embeddings.word_embeddings.weight", {shop.words, d});
  add_weights(shop, "embeddings.position_embeddings.weight",
              {shop.tokens + shop.dice.between(0, 2), d});
  add_weights(shop, "embeddings.token_type_embeddings.weight", {2, d});
  add_norm(shop, "embeddings.LayerNorm");
  for (Index n = 0; n < shop.layers; ++n) {
    const std::string s = "encoder.layer." + std::to_string(n) + ".";
    for (const char* part : {"query", "key", "value"}) {
      add_layer(shop, s + "attention.self." + part, d, d);
    }
    add_layer(shop, s + "attention.output.dense", d, d);
    add_norm(shop, s + "attention.output.LayerNorm");
    add_layer(shop, s + "intermediate.dense", d, shop.ff);
    add_layer(shop, s + "output.dense", shop.ff, d);
    add_norm(shop, s + "output.LayerNorm");
  }
  if (shop.dice.chance(40)) return;
  shop.prefix = "cls.predictions.";
  add_weights(shop, "bias", {shop.words});
  add_layer(shop, "transform.dense", d, d);
  add_norm(shop, "transform.LayerNorm");
  add_labels(shop);
}

void add_llama(ModelWorkshop& shop) {
  const Index d = shop.d_model, d_k = shop.dice.chance(30) ? 2 : d / shop.heads;
  const Index own = shop.heads * d_k, shared = shop.kv_heads * d_k;
  add_inputs(shop, "model.");
  add_weights(shop, "embed_tokens.weight", {shop.words, d});
  shop.biases = shop.dice.chance(30);
  for (Index n = 0; n < shop.layers; ++n) {
    const std::string s = "layers." + std::to_string(n) + ".";
    add_norm(shop, s + "input_layernorm");
    add_layer(shop, s + "self_attn.q_proj", d, own);
    add_layer(shop, s + "self_attn.k_proj", d, shared);
    add_layer(shop, s + "self_attn.v_proj", d, shared);
    add_layer(shop, s + "self_attn.o_proj", own, d);
    add_norm(shop, s + "post_attention_layernorm");
    add_layer(shop, s + "mlp.gate_proj", d, shop.ff);
    add_layer(shop, s + "mlp.up_proj", d, shop.ff);
    add_layer(shop, s + "mlp.down_proj", shop.ff, d);
  }
  add_norm(shop, "norm");
  if (shop.dice.chance(50)) add_outside(shop, "lm_head.weight", {shop.words, d});
  add_labels(shop);
}

}  // namespace attn::testing
