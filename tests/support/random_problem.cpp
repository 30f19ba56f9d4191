// Puts random drafts together.
#include "support/random_problem.hpp"
#include "support/infinity.hpp"

#include <algorithm>
#include <string>

#include "support/random_workshop.hpp"

namespace attn::testing {
namespace {

using Words = std::vector<std::string>;
const Words kVocabulary = {"the", "cat", "sat", "on", "<pad>", "[PAD]", "mat"};

void choose_sizes(Workshop& shop) {
  Dice& dice = shop.dice;
  shop.has_batch = dice.chance(40);
  shop.has_heads = dice.chance(65);
  if (shop.has_batch) shop.batch = dice.between(1, 3);
  if (shop.has_heads) {
    shop.kv_heads = dice.between(1, 3);
    shop.heads = shop.kv_heads * dice.between(1, 3);
  }
  shop.n_queries = dice.between(1, 5);
  shop.n_new = dice.between(1, 6);
  if (dice.chance(30)) shop.n_past = dice.between(1, 3);
  shop.d_model = dice.between(1, 5);
  shop.d_k = dice.between(1, 6);
  shop.d_v = dice.chance(50) ? shop.d_k : dice.between(1, 4);
}

Words sentence(Dice& dice, Index length) {
  Words words;
  for (Index i = 0; i < length; ++i) words.push_back(dice.one_of(kVocabulary));
  return words;
}

/// No labels, one list for all, or one list for each batch entry.
TokenLists labels(Workshop& shop, Index length) {
  if (shop.dice.chance(45)) return {};
  const Index lists = shop.has_batch && shop.dice.chance(50) ? shop.batch : 1;
  TokenLists tokens;
  for (Index n = 0; n < lists; ++n) tokens.push_back(sentence(shop.dice, length));
  return tokens;
}

/// rows × cols, with N in front if `batched`; now and then a row of zeros.
Array rows_of_numbers(Workshop& shop, Index rows, Index cols, bool batched) {
  const std::vector<Index> shape =
      batched ? std::vector<Index>{shop.batch, rows, cols} : std::vector<Index>{rows, cols};
  Array array = shop.dice.numbers(shape);
  for (std::size_t start = 0; start < array.data.size(); start += static_cast<std::size_t>(cols)) {
    if (!shop.dice.chance(10)) continue;
    for (std::size_t c = 0; c < static_cast<std::size_t>(cols); ++c) array.data[start + c] = 0;
  }
  return array;
}

/// Embeddings by way of a table, for a single sentence.
void choose_table(Workshop& shop) {
  ProblemDraft& draft = shop.draft;
  draft.tokens = {sentence(shop.dice, shop.n_queries)};
  for (const std::string& word : kVocabulary) {
    draft.embedding_table.emplace_back(word, rows_of_numbers(shop, 1, shop.d_model, false).data);
  }
}

/// X, and the memory for cross attention. Either may lack the batch axis if the other has it.
void choose_inputs(Workshop& shop) {
  Dice& dice = shop.dice;
  ProblemDraft& draft = shop.draft;
  const bool cross = dice.chance(40);
  draft.tokens = labels(shop, shop.n_queries);
  bool x_batched = shop.has_batch;
  if (!cross) {
    shop.n_new = shop.n_queries;
    if (!shop.has_batch && dice.chance(40)) return choose_table(shop);
  } else {
    const bool memory_batched = shop.has_batch && dice.chance(70);
    if (memory_batched) x_batched = dice.chance(70);
    draft.memory = ProblemDraft::Memory{
        labels(shop, shop.n_new), rows_of_numbers(shop, shop.n_new, shop.d_model, memory_batched)};
  }
  draft.embeddings = rows_of_numbers(shop, shop.n_queries, shop.d_model, x_batched);
}

/// W and perhaps b of one projection, whole or per head.
void choose_projection(Workshop& shop, const std::string& letter, Index heads, Index width) {
  Dice& dice = shop.dice;
  const bool per_head = shop.has_heads && dice.chance(25);
  shop.draft.weights["w_" + letter] = per_head ? dice.numbers({heads, shop.d_model, width})
                                               : dice.numbers({shop.d_model, heads * width});
  if (!dice.chance(45)) return;
  const bool bias_per_head = shop.has_heads && dice.chance(30);
  shop.draft.weights["b_" + letter] =
      bias_per_head ? dice.numbers({heads, width}) : dice.numbers({heads * width});
}

void choose_weights(Workshop& shop) {
  choose_projection(shop, "q", shop.heads, shop.d_k);
  choose_projection(shop, "k", shop.kv_heads, shop.d_k);
  choose_projection(shop, "v", shop.kv_heads, shop.d_v);
  if (!shop.dice.chance(60)) return;
  const Index d_out = shop.dice.between(1, 5);
  shop.draft.weights["w_o"] = shop.dice.numbers({shop.heads * shop.d_v, d_out});
  if (shop.dice.chance(50)) shop.draft.weights["b_o"] = shop.dice.numbers({d_out});
}

/// Q, K or V as it is given directly: rank 2, 3 or 4.
Array given(Workshop& shop, bool split, Index heads, Index rows, Index width) {
  if (split) return shop.dice.numbers({shop.batch, heads, rows, width});
  if (shop.has_batch) return shop.dice.numbers({shop.batch, rows, heads * width});
  return shop.dice.numbers({rows, heads * width});
}

/// Q, K and V themselves; rank 4 brings its own heads.
void choose_given(Workshop& shop) {
  Dice& dice = shop.dice;
  ProblemDraft& draft = shop.draft;
  const bool split = shop.has_batch && shop.has_heads && dice.chance(60);
  draft.q = given(shop, split, shop.heads, shop.n_queries, shop.d_k);
  draft.k = given(shop, split, shop.kv_heads, shop.n_new, shop.d_k);
  draft.v = given(shop, split, shop.kv_heads, shop.n_new, shop.d_v);
  draft.tokens = labels(shop, shop.n_queries);
  if (dice.chance(50)) draft.key_tokens = labels(shop, shop.n_new);
  if (split && dice.chance(50)) return;
  if (shop.has_heads) draft.heads = shop.heads;
  if (shop.has_heads && shop.kv_heads != shop.heads) draft.kv_heads = shop.kv_heads;
}

void choose_past(Workshop& shop) {
  shop.n_keys = shop.n_past + shop.n_new;
  if (shop.n_past == 0) return;
  std::vector<Index> lead;
  if (shop.has_batch) lead.push_back(shop.batch);
  if (shop.has_heads) lead.push_back(shop.kv_heads);
  std::vector<Index> k_shape = lead, v_shape = lead;
  k_shape.insert(k_shape.end(), {shop.n_past, shop.d_k});
  v_shape.insert(v_shape.end(), {shop.n_past, shop.d_v});
  const Words tokens = shop.dice.chance(50) ? sentence(shop.dice, shop.n_past) : Words{};
  shop.draft.past =
      ProblemDraft::Past{tokens, shop.dice.numbers(k_shape), shop.dice.numbers(v_shape)};
}

void choose_numbers(Workshop& shop) {
  Dice& dice = shop.dice;
  ProblemDraft& draft = shop.draft;
  draft.masking = dice.one_of<MaskingMode>(
      {MaskingMode::Replace, MaskingMode::Add, MaskingMode::Multiply, MaskingMode::Renormalize});
  const bool afterwards =
      draft.masking == MaskingMode::Multiply || draft.masking == MaskingMode::Renormalize;
  if (!afterwards && dice.chance(50)) {
    draft.fill = dice.one_of<double>({-kInfinity, -1e9, -4294967295.0});
  }
  draft.empty_row = dice.one_of<EmptyRow>(
      {EmptyRow::Zero, EmptyRow::Zero, EmptyRow::Nan, EmptyRow::Uniform, EmptyRow::Error});
  if (dice.chance(20)) draft.scale.kind = ScaleRule::Kind::None;
  if (dice.chance(25)) draft.scale = {ScaleRule::Kind::Number, 2 * dice.number()};
  if (dice.chance(25)) draft.softcap = 2 + dice.number();
}

/// Values from a memory whose width is their own; W_v follows.
void choose_memory_values(Workshop& shop) {
  ProblemDraft& draft = shop.draft;
  if (!draft.memory || draft.latent || !shop.dice.chance(40)) return;
  const Index width = shop.dice.between(1, 5);
  draft.memory->values =
      rows_of_numbers(shop, shop.n_new, width, shop.has_batch && shop.dice.chance(60));
  const bool batched = draft.embeddings->rank() == 3 || draft.memory->embeddings.rank() == 3;
  if (draft.memory->values->rank() == 3 && !batched) draft.memory->values.reset();
  if (!draft.memory->values) return;
  Array& w_v = draft.weights["w_v"];
  std::vector<Index> shape = w_v.shape;
  shape[shape.size() - 2] = width;
  w_v = shop.dice.numbers(shape);
}

/// Padding of queries without names, and rows of given Q and K that are zero.
void choose_padding(Workshop& shop) {
  ProblemDraft& draft = shop.draft;
  if (shop.dice.chance(10)) draft.masks.push_back(parse_mask("queries"));
  for (auto* rows : {&draft.q, &draft.k}) {
    if (!*rows || (*rows)->rank() != 2 || !shop.dice.chance(40)) continue;
    const Index width = (*rows)->shape[1], row = shop.dice.between(0, (*rows)->shape[0] - 1);
    std::fill_n((*rows)->data.begin() + row * width, width, 0.0);
  }
}

void choose_order(Workshop& shop) {
  ProblemDraft& draft = shop.draft;
  const bool afterwards =
      draft.masking == MaskingMode::Multiply || draft.masking == MaskingMode::Renormalize;
  const bool turned = draft.scale.kind == ScaleRule::Kind::Number && draft.scale.number <= 0;
  if (!afterwards && !turned && !draft.softcap) draft.mask_before_scale = shop.dice.chance(40);
}

/// Other scores than dot products, and other weights than those of softmax.
void choose_kinds(Workshop& shop, Dice& dice) {
  ProblemDraft& draft = shop.draft;
  if (dice.chance(25)) {
    draft.score = dice.chance(40) ? ScoreKind::Distance : ScoreKind::Additive;
    const bool own = dice.chance(50) && shop.has_heads;
    if (draft.score == ScoreKind::Additive)
      draft.weights["v_score"] =
          own ? dice.numbers({shop.heads, shop.d_k}) : dice.numbers({shop.d_k});
  }
  if (draft.sinks || draft.weights.contains("sinks") || !dice.chance(20)) return;
  draft.normalize = dice.chance(50) ? NormalizeKind::Sum : NormalizeKind::Sigmoid;
  const bool fills_rows = draft.empty_row == EmptyRow::Uniform || draft.empty_row == EmptyRow::Nan;
  if (draft.normalize == NormalizeKind::Sigmoid && fills_rows) draft.empty_row = EmptyRow::Zero;
  if (draft.normalize == NormalizeKind::Sum) draft.fill.reset();
}

}  // namespace

ProblemDraft random_problem(std::uint64_t seed) {
  Workshop shop{Dice(seed)};
  choose_sizes(shop);
  if (shop.dice.chance(35)) {
    choose_given(shop);
  } else {
    choose_inputs(shop);
    choose_weights(shop);
    choose_latent(shop, Dice(seed + 7919));  // of its own: other problems stay as they are
    if (shop.has_heads) shop.draft.heads = shop.heads;
    const bool told = shop.kv_heads != shop.heads || shop.dice.chance(50);
    if (shop.has_heads && told) shop.draft.kv_heads = shop.kv_heads;
  }
  choose_past(shop);
  choose_masks(shop);
  choose_numbers(shop);
  shorten_masks(shop);
  choose_positions(shop);
  choose_extra_keys(shop);
  choose_memory_values(shop);
  choose_padding(shop);
  choose_order(shop);
  choose_qk_norm(shop);
  choose_sinks(shop);
  choose_gate(shop);
  Dice more(seed + 1000003);  // so that other choices do not depend on these
  choose_other_kinds(shop, more);
  choose_kinds(shop, more);
  return shop.draft;
}

}  // namespace attn::testing
