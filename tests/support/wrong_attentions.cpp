// Mistakes of a single attention, made in whole models.
#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>

#include "support/wrong_models.hpp"

namespace attn::testing {
namespace {

/// Where an attention is spoiled as it is alone.
struct Spoiled {
  const char *code, *variant;
  SmallModel model;
  std::vector<std::string> places;
};

/// The first way of a code with that variant, or with any.
const WrongWay& way_of(const Spoiled& row) {
  static const WrongWays ways = wrong_ways();
  const std::string code = row.code, variant = row.variant;
  return *std::find_if(ways.begin(), ways.end(), [&](const WrongWay& way) {
    return way.code == code && (variant.empty() || way.variant == variant);
  });
}

}  // namespace

std::vector<WrongModel> wrong_attentions() {
  const auto gpt2 = gpt2_model, llama = llama_model, bert = bert_model;
  const auto pre = pre_norm_translation, post = post_norm_translation;
  const std::string all = "*", gpt2_one = "h.N.attn", llama_one = "layers.N.self_attn";
  const std::string bert_one = "encoder.layer.N.attention";
  const std::string cross = "decoder.layers.*.multihead_attn";
  const std::string cross_one = "decoder.layers.N.multihead_attn";
  const std::string decoder = "decoder.layers.*.self_attn", encoder = "encoder.layers.*.self_attn";
  const std::vector<Spoiled> rows = {
      {"scale.missing", "", gpt2, {all, gpt2_one}},
      {"scale.missing", "step left out", post, {all, cross}},
      {"scale.d_model", "", llama, {all, llama_one}},
      {"scale.d_k", "divided by d_k", bert, {all, bert_one}},
      {"softmax.columns", "", gpt2, {all, gpt2_one}},
      {"softmax.columns", "no mask", bert, {all}},
      {"softmax.no_keepdims", "", gpt2, {gpt2_one}},
      {"softmax.twice", "", llama, {all, llama_one}},
      {"mask.missing", "", gpt2, {all, gpt2_one}},
      {"mask.missing", "step left out", pre, {all, decoder, encoder, cross_one}},
      {"mask.missing", "padding", bert, {all, bert_one}},
      {"mask.inverted", "hidden = −10⁹", gpt2, {all}},
      {"mask.inverted", "padding", bert, {all}},
      {"mask.triangle_flipped", "", llama, {all}},
      {"mask.diagonal", "hidden = −10⁹", gpt2, {all, gpt2_one}},
      {"mask.leak", "", llama, {all, llama_one}},
      {"mask.query_rows", "hidden = −10⁹", bert, {all, bert_one}},
      {"mask.after_softmax", "", gpt2, {all}},
      {"mask.window_added", "", gpt2, {all, gpt2_one}},
      {"mask.causal_added", "padding", bert, {all, bert_one}},
      {"mask.weak_fill", "", llama, {all, llama_one}},
      {"rope.pairs", "", llama, {all, llama_one}},
      {"rope.base", "500000", llama, {all}},
      {"rope.missing", "", llama, {all, llama_one}},
      {"rope.one_side", "queries", llama, {all}},
      {"rope.values", "", llama, {all, llama_one}},
      {"kv_heads.tiled", "", llama, {all, llama_one}},
      {"heads.merge_reshaped", "", gpt2, {all, gpt2_one}},
      {"heads.split_reshaped", "", gpt2, {all, gpt2_one}},
      {"heads.interleaved", "", bert, {all}},
      {"heads.order", "", post, {all, cross_one}},
      {"bias.missing", "", gpt2, {all, gpt2_one}},
      {"bias.missing_v", "", bert, {all, bert_one}},
      {"bias.missing_o", "", pre, {all, cross}},
      {"output.w_o_missing", "", gpt2, {all, gpt2_one}},
      {"output.w_o_transposed", "", post, {all}},
      {"queries_keys.swapped", "", gpt2, {all, gpt2_one}},
      {"keys_values.swapped", "", bert, {all, bert_one}},
      {"values.from_w_k", "", llama, {all}},
      {"cross.swapped", "", pre, {cross, cross_one}},
      {"cross.self", "", post, {cross, cross_one}},
      {"context.weights_transposed", "", gpt2, {all}},
      {"scores.query_query", "", pre, {all, decoder}},
  };
  std::vector<WrongModel> models;
  for (const Spoiled& row : rows) {
    for (const std::string& place : row.places) {
      const auto spoil = way_of(row).spoil;
      const std::string variant = row.variant;
      models.push_back({row.code, (variant.empty() ? "" : variant + ", ") + place, row.model, place,
                        [spoil](ModelAttempt& attempt) { attempt.wrong.attention = spoil; }});
    }
  }
  return models;
}

const std::vector<WrongModel>& wrong_models() {
  static const std::vector<WrongModel> all = [] {
    std::vector<WrongModel> made;
    for (const auto& part : {wrong_norms(), wrong_layers(), wrong_wholes(), wrong_attentions()}) {
      made.insert(made.end(), part.begin(), part.end());
    }
    return made;
  }();
  return all;
}

}  // namespace attn::testing
