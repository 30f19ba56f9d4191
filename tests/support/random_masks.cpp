// Random masks, `allowed` and `bias` for a random draft.
#include <string>

#include "support/infinity.hpp"
#include "support/random_workshop.hpp"

namespace attn::testing {
namespace {

/// Indices, ranges and labels among `count` rows, one to three of them.
std::string choose_rows(Dice& dice, Index count, const TokenLists& known) {
  std::string text;
  for (Index n = dice.between(1, 3); n > 0; --n) {
    if (!text.empty()) text += ',';
    const Index first = dice.between(0, count - 1);
    if (!known.empty() && dice.chance(40)) {
      text += dice.one_of(dice.one_of(known));
    } else {
      text += std::to_string(first);
      if (dice.chance(30)) text.append("-").append(std::to_string(dice.between(first, count - 1)));
    }
  }
  return text;
}

/// The labels of the keys as far as they are written in the draft.
TokenLists written_key_labels(const Workshop& shop) {
  const ProblemDraft& draft = shop.draft;
  if (draft.memory) return draft.memory->tokens;
  if (!draft.q) return draft.tokens;
  if (!draft.key_tokens.empty()) return draft.key_tokens;
  return shop.n_queries == shop.n_new ? draft.tokens : TokenLists{};
}

std::string choose_documents(Workshop& shop) {
  std::string text = "documents:";
  Index left = shop.n_keys;
  while (left > 0) {
    const Index length = shop.dice.between(1, left);
    left -= length;
    text += std::to_string(length) + (left > 0 ? "," : "");
  }
  return text;
}

std::string choose_mask(Workshop& shop) {
  Dice& dice = shop.dice;
  const std::string left = std::to_string(dice.between(0, 3));
  const std::string right = std::to_string(dice.between(0, 3));
  const std::string keys = choose_rows(dice, shop.n_keys, written_key_labels(shop));
  const std::string queries = choose_rows(dice, shop.n_queries, shop.draft.tokens);
  return dice.one_of<std::string>(
      {"none", "causal", "window:" + left, "window:" + left + "," + right,
       "prefix:" + std::to_string(dice.between(0, shop.n_keys)), "padding", "padding:" + keys,
       "keys:" + keys, "queries:" + queries, choose_documents(shop)});
}

/// A shape that spreads to N × h × T_q × T_k: rank 1 to 4, each axis there or of size 1.
std::vector<Index> spreading_shape(Workshop& shop) {
  Dice& dice = shop.dice;
  const auto rank = static_cast<std::size_t>(dice.between(1, 4));
  const Index third = shop.has_heads || rank == 4 ? shop.heads : shop.batch;
  const std::vector<Index> whole = {shop.batch, third, shop.n_queries, shop.n_keys};
  std::vector<Index> shape(whole.end() - static_cast<std::ptrdiff_t>(rank), whole.end());
  for (Index& size : shape) {
    if (dice.chance(20)) size = 1;
  }
  return shape;
}

/// The array without the last `count` numbers of each row.
Array without_last(const Array& array, Index count) {
  const Index cols = array.shape.back();
  Array result{array.shape, {}};
  result.shape.back() -= count;
  for (std::size_t n = 0; n < array.data.size(); ++n) {
    if (static_cast<Index>(n) % cols < cols - count) result.data.push_back(array.data[n]);
  }
  return result;
}

void shorten(Workshop& shop, std::optional<Array>& array) {
  if (!array || array->shape.back() < 3 || !shop.dice.chance(30)) return;
  array = without_last(*array, shop.dice.between(1, array->shape.back() - 2));
}

}  // namespace

void choose_masks(Workshop& shop) {
  Dice& dice = shop.dice;
  ProblemDraft& draft = shop.draft;
  const Index count = dice.chance(25) ? 0 : dice.between(1, 3);
  for (Index n = 0; n < count; ++n) draft.masks.push_back(parse_mask(choose_mask(shop)));
  if (dice.chance(25)) {
    draft.allowed = dice.numbers(spreading_shape(shop));
    for (double& x : draft.allowed->data) x = x < 0.5 ? 1 : 0;
  }
  if (dice.chance(30)) {
    draft.bias = dice.numbers(spreading_shape(shop));
    for (double& x : draft.bias->data) x = dice.chance(15) ? -kInfinity : 3 * x;
  }
  if (dice.chance(20)) {
    for (Index b = 0; b < shop.batch; ++b) {
      draft.key_lengths.push_back(dice.between(0, shop.n_keys));
    }
  }
  if (dice.chance(25)) draft.align = Align::End;
  if (!draft.key_lengths.empty() && dice.chance(40)) draft.align = Align::KeyLengths;
}

void shorten_masks(Workshop& shop) {
  shorten(shop, shop.draft.allowed);
  shorten(shop, shop.draft.bias);
}

}  // namespace attn::testing
