// Random whole models: sizes, options and masks.
#include "support/random_model.hpp"

#include "support/random_model_parts.hpp"

namespace attn::testing {
namespace {

const std::vector<std::string> kKinds = {"transformer", "encoder", "decoder", "attention_only",
                                         "gpt2",        "bert",    "llama"};

void choose_sizes(ModelWorkshop& shop, bool rotary) {
  Dice& dice = shop.dice;
  shop.heads = dice.between(1, 4);
  const Index step = rotary ? 2 : 1;
  const Index least = shop.heads == 1 && !rotary ? 2 : 1;
  const Index d_k = step * dice.between(least, 8 / (shop.heads * step));
  shop.d_model = shop.heads * d_k;
  shop.kv_heads = shop.heads;
  if (rotary) {
    do {
      shop.kv_heads = dice.between(1, shop.heads);
    } while (shop.heads % shop.kv_heads != 0);
  }
  shop.layers = dice.between(1, 3);
  shop.ff = dice.between(1, 9);
  shop.tokens = dice.between(1, 6);
  shop.source_tokens = dice.between(1, 6);
  shop.words = dice.between(2, 7);
  shop.has_batch = dice.chance(35);
  if (shop.has_batch) shop.batch = dice.between(1, 3);
}

/// What each layer does otherwise, and what multiplies embeddings, branches and logits.
void choose_layers(ModelWorkshop& shop) {
  Dice& dice = shop.dice;
  ModelDraft& model = *shop.draft.model;
  for (Index i = 0; i < shop.layers; ++i) {
    LayerSettings& layer = model.layers.emplace_back();
    if (dice.chance(50)) layer.window = dice.between(1, 4);
    if (dice.chance(30)) layer.scaling = RopeScaling();
    if (dice.chance(30)) layer.rope_base = 50 + 49 * dice.number();
    if (dice.chance(20)) {
      layer.positions = PositionKind::None;
      layer.scaling.reset();
      layer.rope_base.reset();
    }
    if (dice.chance(20)) layer.scale = ScaleRule{ScaleRule::Kind::Number, 1 + dice.number() / 2};
  }
  if (dice.chance(40)) model.embedding_multiplier = 2 + dice.number();
  if (dice.chance(40)) model.residual_multiplier = 0.5 + dice.number() / 4;
  if (dice.chance(40)) model.logits_scaling = 3 + dice.number();
  if (dice.chance(40)) model.logits_softcap = 2 + dice.number();
}

void choose_options(ModelWorkshop& shop, const std::string& kind, bool stacks) {
  Dice& dice = shop.dice;
  ProblemDraft& draft = shop.draft;
  const bool layered = stacks && kind != "attention_only";
  draft.model = ModelDraft{kind, layered && dice.chance(50), "", std::nullopt, std::nullopt};
  if (kind != "attention_only" && dice.chance(60)) {
    draft.model->activation = dice.one_of<std::string>({"relu", "gelu", "gelu_tanh", "silu"});
  }
  if (kind != "attention_only" && dice.chance(60))
    draft.model->layer_norm_eps = dice.one_of<double>({1e-6, 1e-4, 1e-2, 0.5});
  if (kind == "llama" && dice.chance(50)) draft.model->rope_base = 100 + 99 * dice.number();
  if (kind == "llama" && dice.chance(30)) {
    draft.positions.kind = PositionKind::Rope;
    RopeScaling& scaling = draft.positions.scaling.emplace();
    scaling.kind = RopeScalingKind::Llama3;
    scaling.factor = 8;
    scaling.low_freq_factor = 1;
    scaling.high_freq_factor = 4;
    scaling.original_max_position_embeddings = dice.between(2, 16);
  }
  if (kind == "llama" && dice.chance(50)) choose_layers(shop);
  draft.heads = shop.heads;
  if (shop.kv_heads != shop.heads) draft.kv_heads = shop.kv_heads;
  if (dice.chance(15)) draft.scale = {ScaleRule::Kind::Number, 1 + dice.number() / 2};
  if (dice.chance(10)) draft.scale.kind = ScaleRule::Kind::None;
  if (dice.chance(15)) draft.softcap = 2 + dice.number();
  if (dice.chance(20)) draft.empty_row = EmptyRow::Uniform;
  if (dice.chance(15)) draft.empty_row = EmptyRow::Nan;
  if (dice.chance(30)) {
    draft.masking = dice.one_of<MaskingMode>(
        {MaskingMode::Add, MaskingMode::Multiply, MaskingMode::Renormalize});
  }
  const bool afterwards =
      draft.masking == MaskingMode::Multiply || draft.masking == MaskingMode::Renormalize;
  if (!afterwards && !draft.softcap) draft.mask_before_scale = dice.chance(20);
}

/// One row or a range of them.
std::string rows_text(Dice& dice, Index count) {
  const Index first = dice.between(0, count - 1);
  if (dice.chance(60)) return std::to_string(first);
  return std::to_string(first) + "-" + std::to_string(dice.between(first, count - 1));
}

}  // namespace

void add_weights(ModelWorkshop& shop, const std::string& name, const std::vector<Index>& shape) {
  shop.draft.weights[shop.prefix + name] = shop.dice.numbers(shape);
}

void add_layer(ModelWorkshop& shop, const std::string& name, Index n_in, Index n_out) {
  const std::vector<Index> in_out = {n_in, n_out}, out_in = {n_out, n_in};
  add_weights(shop, name + ".weight", shop.in_out ? in_out : out_in);
  if (shop.biases) add_weights(shop, name + ".bias", {n_out});
}

void add_norm(ModelWorkshop& shop, const std::string& name) {
  add_weights(shop, name + ".weight", {shop.d_model});
  for (double& x : shop.draft.weights[shop.prefix + name + ".weight"].data) x = 1 + x / 2;
  const bool rms = shop.draft.model->kind == "llama";
  if (shop.biases && !rms) add_weights(shop, name + ".bias", {shop.d_model});
}

std::vector<MaskSpec> random_masks(Dice& dice, Index n_queries, Index n_keys,
                                   const TokenLists& key_tokens) {
  std::vector<MaskSpec> masks;
  for (Index n = dice.between(0, 3); n > 0; --n) {
    const std::string left = std::to_string(dice.between(0, 2));
    const std::string right = std::to_string(dice.between(0, 2));
    std::string keys = rows_text(dice, n_keys);
    if (!key_tokens.empty() && dice.chance(40)) keys = dice.one_of(dice.one_of(key_tokens));
    const Index first = dice.between(1, n_keys);
    std::string documents = "documents:" + std::to_string(first);
    if (first < n_keys) documents += "," + std::to_string(n_keys - first);
    masks.push_back(parse_mask(dice.one_of<std::string>(
        {"none", "causal", "causal", "window:" + left, "window:" + left + "," + right,
         "prefix:" + std::to_string(first), "padding", "padding:" + keys, "keys:" + keys,
         "queries:" + rows_text(dice, n_queries), documents})));
  }
  return masks;
}

void add_target_masks(ModelWorkshop& shop) {
  Dice& dice = shop.dice;
  ProblemDraft& draft = shop.draft;
  draft.masks = random_masks(dice, shop.tokens, shop.tokens, draft.tokens);
  if (!draft.masks.empty() && dice.chance(15)) {
    draft.allowed = dice.numbers({shop.heads, shop.tokens, shop.tokens});
    for (double& x : draft.allowed->data) x = x < 0.5 ? 1 : 0;
  }
  if (dice.chance(15)) draft.bias = dice.numbers({shop.tokens, shop.tokens});
  if (!dice.chance(15)) return;
  for (Index n = 0; n < shop.batch; ++n) {
    draft.key_lengths.push_back(dice.between(0, shop.tokens));
  }
}

void add_labels(ModelWorkshop& shop) {
  Dice& dice = shop.dice;
  if (dice.chance(40)) return;
  const auto& vocabulary = shop.draft.vocabulary;
  for (Index n = 0; n < shop.batch; ++n) {
    std::vector<LabelDraft> labels;
    for (Index i = 0; i < shop.tokens; ++i) {
      LabelDraft label;
      const Index word = dice.between(0, shop.words - 1);
      const bool some = i == 0 || dice.chance(70);
      const bool by_text = vocabulary && !vocabulary->tokens.empty() && dice.chance(50);
      if (some && by_text) label.text = vocabulary->tokens[static_cast<std::size_t>(word)];
      if (some && !by_text) label.index = word;
      labels.push_back(label);
    }
    shop.draft.labels.push_back(labels);
  }
}

ProblemDraft random_model(std::uint64_t seed) {
  ModelWorkshop shop{Dice(seed)};
  const std::string kind = kKinds[seed % kKinds.size()];
  const bool stacks = seed % kKinds.size() < 4;
  choose_sizes(shop, kind == "llama");
  choose_options(shop, kind, stacks);
  if (kind == "gpt2")
    add_gpt2(shop);
  else if (kind == "bert")
    add_bert(shop);
  else if (kind == "llama")
    add_llama(shop);
  else
    add_stacks(shop);
  return shop.draft;
}

}  // namespace attn::testing
