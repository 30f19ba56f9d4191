// Draws the weights of models with few tokens, words and layers.
#include "support/small_models.hpp"

#include <numeric>
#include <string>
#include <utility>

#include "support/random_model_parts.hpp"

namespace attn::testing {
namespace {

ModelWorkshop workshop(Dice& dice, const std::string& kind, Index d_model, Index heads) {
  ModelWorkshop shop{Dice(static_cast<std::uint64_t>(dice.between(1, 1000000)))};
  shop.draft.model = ModelDraft{kind, false, "", std::nullopt, std::nullopt};
  shop.draft.heads = heads;
  shop.heads = shop.kv_heads = heads;
  shop.layers = 2;
  shop.d_model = shop.ff = d_model;
  shop.tokens = shop.source_tokens = 5;
  shop.words = 8;
  return shop;
}

/// Other ids than the first and the last, no two the same; no masks but those of the kind.
ProblemDraft with_ids(ModelWorkshop shop, const std::string& masks) {
  ProblemDraft draft = std::move(shop.draft);
  for (std::vector<Index>& ids : draft.ids) {
    std::vector<Index> all(static_cast<std::size_t>(shop.words - 2));
    std::iota(all.begin(), all.end(), 1);
    for (Index& id : ids) {
      const auto at = all.begin() + shop.dice.between(0, std::ssize(all) - 1);
      id = *at;
      all.erase(at);
    }
  }
  draft.masks.clear();
  if (!masks.empty()) draft.masks.push_back(parse_mask(masks));
  draft.allowed.reset();
  draft.bias.reset();
  draft.key_lengths.clear();
  draft.labels.clear();
  return draft;
}

ProblemDraft gpt2(Dice& dice, bool tied) {
  ModelWorkshop shop = workshop(dice, "gpt2", 6, 2);
  add_gpt2(shop);
  Array head = shop.dice.numbers({shop.words, shop.d_model});
  shop.draft.weights.erase("lm_head.weight");
  if (!tied) shop.draft.weights["lm_head.weight"] = std::move(head);
  return with_ids(std::move(shop), "");
}

ProblemDraft translation(Dice& dice, bool norm_first) {
  for (;;) {
    ModelWorkshop shop = workshop(dice, "transformer", 6, 2);
    shop.draft.model->norm_first = norm_first;
    add_stacks(shop);
    ProblemDraft& draft = shop.draft;
    const bool biased = shop.biases && shop.layers == 2;
    if (!biased || !draft.embeddings || !draft.source->embedding_table.empty()) continue;
    draft.tokens.clear();
    draft.source->tokens.clear();
    draft.positions = {};
    draft.source_masks = draft.memory_masks = {parse_mask("padding:4")};
    return with_ids(std::move(shop), "causal");
  }
}

}  // namespace

ProblemDraft gpt2_model(Dice& dice) { return gpt2(dice, true); }

ProblemDraft untied_gpt2_model(Dice& dice) { return gpt2(dice, false); }

ProblemDraft llama_model(Dice& dice) {
  for (;;) {
    ModelWorkshop shop = workshop(dice, "llama", 16, 4);
    shop.kv_heads = 2;
    shop.draft.kv_heads = 2;
    add_llama(shop);
    const std::string queries = shop.prefix + "layers.0.self_attn.q_proj.weight";
    const bool wide = shop.draft.weights.at(queries).shape[0] == shop.d_model;
    if (wide && shop.biases && shop.draft.weights.contains("lm_head.weight"))
      return with_ids(std::move(shop), "");
  }
}

ProblemDraft layered_llama_model(Dice& dice) {
  ProblemDraft draft = llama_model(dice);
  draft.model->logits_softcap = 2.0;
  LayerSettings local;
  local.window = 2;
  local.rope_base = 7.0;
  draft.model->layers = {local, LayerSettings()};
  return draft;
}

ProblemDraft bert_model(Dice& dice) {
  for (;;) {
    ModelWorkshop shop = workshop(dice, "bert", 6, 2);
    add_bert(shop);
    if (shop.draft.weights.contains("cls.predictions.bias"))
      return with_ids(std::move(shop), "padding:4");
  }
}

ProblemDraft pre_norm_translation(Dice& dice) { return translation(dice, true); }

ProblemDraft post_norm_translation(Dice& dice) { return translation(dice, false); }

}  // namespace attn::testing
