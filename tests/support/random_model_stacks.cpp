// Random whole models: stacks as in nn.Transformer.
#include "support/random_model_parts.hpp"

namespace attn::testing {
namespace {

const std::vector<std::string> kWords = {"the", "cat", "sat", "<pad>", "mat"};

/// No names, or one list for each batch entry.
TokenLists names(ModelWorkshop& shop, Index length, Index percent) {
  TokenLists lists;
  if (!shop.dice.chance(percent)) return lists;
  const Index count = shop.has_batch ? shop.batch : 1;
  for (Index n = 0; n < count; ++n) {
    lists.emplace_back();
    for (Index i = 0; i < length; ++i) lists.back().push_back(shop.dice.one_of(kWords));
  }
  return lists;
}

Array rows(ModelWorkshop& shop, Index length) {
  if (shop.has_batch) return shop.dice.numbers({shop.batch, length, shop.d_model});
  return shop.dice.numbers({length, shop.d_model});
}

EmbeddingTable table(ModelWorkshop& shop) {
  EmbeddingTable entries;
  for (const std::string& word : kWords) {
    entries.emplace_back(word, shop.dice.numbers({shop.d_model}).data);
  }
  return entries;
}

void add_inputs(ModelWorkshop& shop) {
  Dice& dice = shop.dice;
  ProblemDraft& draft = shop.draft;
  const bool from_table = (!shop.has_batch || shop.batch > 1) && dice.chance(25);
  draft.tokens = names(shop, shop.tokens, from_table ? 100 : 50);
  if (from_table) {
    draft.embedding_table = table(shop);
  } else {
    draft.embeddings = rows(shop, shop.tokens);
  }
  MemoryDraft other{names(shop, shop.source_tokens, from_table ? 100 : 50), {}};
  const bool whole = draft.model->kind == "transformer";
  if (from_table && whole) {
    other.embedding_table = table(shop);
  } else {
    other.embeddings = rows(shop, shop.source_tokens);
  }
  if (whole) draft.source = other;
  if (draft.model->kind == "decoder") draft.memory = other;
  if (!dice.chance(30)) return;
  draft.positions.kind = PositionKind::Sinusoidal;
  if (dice.chance(30)) draft.positions.base = 50 + 49 * dice.number();
  if (dice.chance(30)) draft.positions.offset = dice.between(0, 3);
}

void add_attention(ModelWorkshop& shop, const std::string& name) {
  const Index d = shop.d_model;
  add_weights(shop, name + ".in_proj_weight", {3 * d, d});
  if (shop.biases) add_weights(shop, name + ".in_proj_bias", {3 * d});
  add_layer(shop, name + ".out_proj", d, d);
}

void add_stack(ModelWorkshop& shop, const std::string& start, bool cross) {
  const bool bare = shop.draft.model->kind == "attention_only";
  for (Index n = 0; n < shop.layers; ++n) {
    const std::string layer = start + "layers." + std::to_string(n) + ".";
    add_attention(shop, layer + "self_attn");
    if (bare) continue;
    if (cross) add_attention(shop, layer + "multihead_attn");
    add_layer(shop, layer + "linear1", shop.d_model, shop.ff);
    add_layer(shop, layer + "linear2", shop.ff, shop.d_model);
    for (int norm = 1; norm <= (cross ? 3 : 2); ++norm) {
      add_norm(shop, layer + "norm" + std::to_string(norm));
    }
  }
  if (!bare && shop.last_norms) add_norm(shop, start + "norm");
}

void add_vocabulary(ModelWorkshop& shop) {
  Dice& dice = shop.dice;
  if (dice.chance(40)) return;
  shop.words = static_cast<Index>(kWords.size());
  VocabularyDraft vocabulary{kWords, dice.numbers({shop.d_model, shop.words}), {}, {}};
  if (dice.chance(50)) vocabulary.b = dice.numbers({shop.words});
  shop.draft.vocabulary = vocabulary;
  add_labels(shop);
}

}  // namespace

void add_stacks(ModelWorkshop& shop) {
  Dice& dice = shop.dice;
  ProblemDraft& draft = shop.draft;
  const std::string kind = draft.model->kind;
  shop.biases = dice.chance(70);
  if (kind != "attention_only" && dice.chance(50)) shop.prefix = kind + ".";
  add_inputs(shop);
  const bool whole = kind == "transformer";
  shop.last_norms = dice.chance(60);
  if (whole) {
    add_stack(shop, "encoder.", false);
    shop.layers = dice.between(1, 3);
  }
  add_stack(shop, whole ? "decoder." : "", whole || kind == "decoder");
  add_target_masks(shop);
  if (whole) {
    const TokenLists& tokens = draft.source->tokens;
    draft.source_masks = random_masks(dice, shop.source_tokens, shop.source_tokens, tokens);
    draft.memory_masks = random_masks(dice, shop.tokens, shop.source_tokens, tokens);
  }
  if (kind == "decoder") {
    draft.memory_masks = random_masks(dice, shop.tokens, shop.source_tokens, draft.memory->tokens);
  }
  add_vocabulary(shop);
}

}  // namespace attn::testing
