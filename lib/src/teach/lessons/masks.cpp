// Masks side by side: causal, padded keys, padded queries, and all of them together.
#include <algorithm>
#include <numeric>

#include "attn/phrases.hpp"
#include "core/trace/hidden_cells.hpp"
#include "teach/lessons/changes.hpp"
#include "teach/lessons/followed.hpp"

namespace attn {
namespace {

/// The tokens that the problem calls padding; if those are none or all, the last one.
std::vector<Index> padded_tokens(const SharedTrace& padded) {
  std::vector<Index> found;
  const Tensor& weights = weights_of(padded);
  for (Index j = 0; j < weights.cols(); ++j) {
    if (padded->value("mask").at({0, 0, 0, j}) == 0.0) found.push_back(j);
  }
  if (found.empty() || std::ssize(found) == weights.cols()) return {weights.cols() - 1};
  return found;
}

/// "keys:3,4".
std::string mask_of(const std::string& kind, const std::vector<Index>& tokens) {
  std::vector<std::string> texts;
  for (const Index token : tokens) texts.push_back(std::to_string(token));
  return kind + ":" + separated(texts, ",");
}

/// Whether the first row of A·V is the first row of V, digit for digit.
bool passes_first_row(const Trace& trace) {
  const Followed row = followed(trace, {});
  return std::equal(row.mixed.begin(), row.mixed.end(), row.values[0].begin());
}

bool rows_add_up(const Tensor& weights) {
  return all_cells(weights, [&](const Cell& c) {
    const auto row = weights.row(c.batch, c.head, c.row);
    return is_close(std::accumulate(row.begin(), row.end(), 0.0), 1.0);
  });
}

/// Whether rows of zeros are found as padding, whatever their tokens are.
bool finds_zero_rows(const Telling& lesson, const std::vector<Index>& pads) {
  const SharedTrace found = lesson.attended([&](ProblemDraft& draft) {
    mask_only(draft, {"padding"});
    const Index d = draft.embeddings->shape[1];
    for (std::string& token : draft.tokens.at(0)) token = "word";
    for (const Index pad : pads) std::fill_n(draft.embeddings->data.begin() + pad * d, d, 0.0);
  });
  const std::vector<Index> hidden = padded_tokens(found);  // other rows may be 0 as well
  return std::includes(hidden.begin(), hidden.end(), pads.begin(), pads.end());
}

void tell_causal(Telling& lesson, const SharedTrace& plain, const SharedTrace& causal,
                 const View& one) {
  const Index last = plain->settings().n_keys - 1;
  lesson.say(
      "A mask says which keys a query may see; nothing else changes. These are the weights "
      "without a mask, and with a causal one, which hides all later tokens:");
  lesson.beside(plain, "weights", "no mask", one);
  lesson.beside(causal, "weights", "causal", one);
  lesson.ask("Which row has the same numbers in both?",
             "That of " + followed(*plain, {0, 0, last, 0}).token +
                 ": it is the last one, and there are no later tokens to hide.");
  lesson.claim("The last row is the same with and without the causal mask.",
               all_cells(weights_of(causal), [&](const Cell& c) {
                 return c.row < last || weights_of(causal).at(c) == weights_of(plain).at(c);
               }));
  lesson.claim(
      "The first token sees only itself: its weight is 1, and the first row of A·V is the "
      "first row of V, digit for digit.",
      passes_first_row(*causal));

  lesson.say(
      "Papers and libraries often write the mask as a matrix that is added to the scores: 0 "
      "where a key is visible, −∞ where it is hidden.");
  const SharedTrace added = lesson.attended([](ProblemDraft& draft) {
    mask_only(draft, {"causal"});
    draft.masking = MaskingMode::Add;
  });
  lesson.beside(added, "added_mask", "added to the scores", one);
  lesson.claim("Adding −∞ gives the same weights as putting −∞ in place of the score.",
               same_weights(added, causal));
}

/// A command that asks why a key is hidden: by a mask of the problem, or else by this one.
void tell_why_hidden(Telling& lesson, const std::string& mask, Index key) {
  const SharedTrace trace =
      lesson.attended([](ProblemDraft& draft) { draft.empty_row = EmptyRow::Zero; });
  const std::string cell = " --cell weights:0," + std::to_string(key), says = "why a key is hidden";
  if (HiddenCells(*trace, trace->attention())({0, 0, 0, key}))
    lesson.next("explain {}" + cell, says);
  else
    lesson.next("explain {} --mask " + mask + cell, says, to_mask(mask));
}

SharedTrace masked(const Telling& lesson, const std::vector<std::string>& masks) {
  return lesson.attended([&](ProblemDraft& draft) { mask_only(draft, masks); });
}

bool is_one_of(const std::vector<Index>& tokens, Index token) {
  return std::find(tokens.begin(), tokens.end(), token) != tokens.end();
}

void tell_padding(Telling& lesson, const SharedTrace& keys, const SharedTrace& queries,
                  const std::vector<Index>& pads, const View& one) {
  std::vector<std::string> names;
  for (const Index pad : pads) names.push_back(followed(*keys, {0, 0, pad, 0}).token);
  lesson.say(
      "Padding fills short sentences up to the length of the longest, and nobody should look "
      "at it. Taken as padding here: " +
      listed(names) +
      ". The list of padded tokens has an entry for "
      "each row of X; in Q·Kᵀ the keys are the columns, so hiding a key hides a column. The "
      "padded rows still ask, although nobody needs their answers: a mask of queries sets "
      "them to 0.");
  lesson.beside(keys, "weights", "padded keys hidden", one);
  lesson.beside(queries, queries->last_weights()->id, "padded queries too", one);
  lesson.claim("The column of a hidden key is 0 in every row, and each row still adds up to 1.",
               rows_add_up(weights_of(keys)) && all_cells(weights_of(keys), [&](const Cell& c) {
                 return !is_one_of(pads, c.col) || weights_of(keys).at(c) == 0.0;
               }));
  lesson.claim("A mask of queries changes only the rows of the queries that it hides.",
               all_cells(weights_of(keys), [&](const Cell& c) {
                 const double w = weights_of(queries).at(c);
                 return is_one_of(pads, c.row) ? w == 0.0 : w == weights_of(keys).at(c);
               }));
  if (lesson.draft().embeddings && lesson.draft().embeddings->shape.size() == 2 &&
      lesson.draft().tokens.size() == 1)
    lesson.claim("Where padding has no name, rows of X that are all 0 give it away.",
                 finds_zero_rows(lesson, pads));
}

void tell_all(Telling& lesson, const SharedTrace& causal, const SharedTrace& queries,
              const SharedTrace& all, const View& one) {
  lesson.ask("The mask of keys acts before softmax. Why does the mask of queries act after it?",
             "It hides a whole row. Before softmax that would be −∞ everywhere, and 0 / 0.");
  lesson.say(
      "All together, as in a decoder: causal and padded keys before softmax, padded queries "
      "after it.");
  lesson.beside(all, all->last_weights()->id, "causal, keys, queries", one);
  lesson.claim("A weight is above 0 exactly where each mask by itself leaves it above 0.",
               all_cells(weights_of(all), [&](const Cell& c) {
                 const bool visible =
                     weights_of(causal).at(c) != 0.0 && weights_of(queries).at(c) != 0.0;
                 return (weights_of(all).at(c) != 0.0) == visible;
               }));
}

void tell_other_names(Telling& lesson) {
  lesson.say("The same masks under the names of nn.Transformer:");
  lesson.table(
      {{"argument", "mask", "hides"},
       {{"tgt_mask", "causal", "later words of the output"},
        {"src_mask, memory_mask", "a matrix", "whatever it lists; rarely used"},
        {"src_key_padding_mask", "padding", "padding, in the encoder"},
        {"tgt_key_padding_mask", "padding", "padding, in the decoder"},
        {"memory_key_padding_mask", "padding", "the source's padding, in cross attention"}},
       3});
}

}  // namespace

void tell_masks(Telling& lesson) {
  const SharedTrace plain = masked(lesson, {}), causal = masked(lesson, {"causal"});
  needs_self_attention(lesson, *plain, 3);
  View one;
  one.batch = one.head = 0;
  say_what_is_set_aside(lesson);
  tell_causal(lesson, plain, causal, one);

  const std::vector<Index> pads = padded_tokens(masked(lesson, {"padding"}));
  const std::string hidden_keys = mask_of("keys", pads), no_queries = mask_of("queries", pads);
  const SharedTrace queries = masked(lesson, {hidden_keys, no_queries});
  tell_padding(lesson, masked(lesson, {hidden_keys}), queries, pads, one);
  tell_all(lesson, causal, queries, masked(lesson, {"causal", hidden_keys, no_queries}), one);
  tell_other_names(lesson);

  lesson.next("explain {} --mask causal --detail full", "the mask as a step", to_mask("causal"));
  tell_why_hidden(lesson, hidden_keys, pads.front());
  lesson.next("heatmap {} --mask window:1", "only one token back", to_mask("window:1"));
  lesson.next("help masks", "every kind of mask");
}

}  // namespace attn
