// Mistakes with heads and the output projection.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "attn/phrases.hpp"
#include "core/tensor/slices.hpp"
#include "teach/mistakes/mistake_rows.hpp"

namespace attn {
namespace {

bool split(const Wiring& w) {
  return w.settings().heads > 1 && w.made_by("q_heads", "split_heads") && w.has("concat");
}

Recipe cut(const char* how) {
  Recipe recipe;
  for (const char* id : {"q_heads", "k_heads", "v_heads"})
    recipe.push_back(with(id, {{"cut", std::string(how)}}));
  return recipe;
}

/// Heads cut wrongly, then merged correctly or just as wrongly.
Recipes cut_wrongly(const Wiring& w, const char* how) {
  if (!split(w)) return {};
  Recipes recipes{cut(how), cut(how)};
  recipes[1].push_back(with("concat", {{"cut", std::string(how)}}));
  return recipes;
}

Recipes merged(const Wiring& w) {
  if (w.settings().heads < 2 || !w.has("concat")) return {};
  return {{with("concat", {{"cut", std::string("reshaped")}})}};
}

Recipes input_sliced(const Wiring& w) {
  if (!split(w)) return {};
  Recipe recipe;
  for (const char* id : {"q", "k", "v"}) {
    if (!w.made_by(id, "linear")) return {};
    const Index heads = id == std::string_view("q") ? w.settings().heads : w.settings().kv_heads;
    recipe.push_back(instead(id, "sliced_linear", {}, {{"heads", heads}}));
  }
  return {recipe};
}

Recipes blended(const Wiring& w, const char* how) {
  if (w.settings().heads < 2 || !w.has("concat")) return {};
  return {{instead("concat", "blend_heads", {}, {{"how", std::string(how)}})}};
}

/// Every wrong order of up to four heads; of more, only the reverse.
Recipes reordered(const Wiring& w) {
  const Index heads = w.settings().heads;
  if (heads < 2 || !w.has("concat")) return {};
  std::vector<Index> order(static_cast<std::size_t>(heads));
  std::iota(order.begin(), order.end(), 0);
  const std::vector<Index> right = order;
  Recipes recipes;
  const auto add = [&] {
    if (order != right) recipes.push_back({with("concat", {{"order", order}})});
  };
  std::reverse(order.begin(), order.end());
  add();
  if (heads > 4) return recipes;
  order = right;
  while (std::next_permutation(order.begin(), order.end())) add();
  return recipes;
}

/// The first head of a mask or bias, if all heads are equal.
std::optional<Tensor> without_heads(const Tensor& t) {
  if (!t.shape().heads) return t;
  Tensor one(Shape{t.shape().batch, std::nullopt, t.rows(), t.cols()});
  for (Index b = 0; b < t.batch(); ++b) {
    const auto first = t.matrix(b, 0);
    std::copy(first.begin(), first.end(), one.matrix(b, 0).begin());
    for (Index h = 1; h < t.heads(); ++h) {
      const auto other = t.matrix(b, h);
      if (!std::equal(first.begin(), first.end(), other.begin())) return std::nullopt;
    }
  }
  return one;
}

Recipes single(const Wiring& w) {
  if (!split(w) || w.settings().kv_heads != w.settings().heads) return {};
  Recipe recipe;
  for (const char* id : {"q_heads", "k_heads", "v_heads", "concat"})
    recipe.push_back({.step = id, .left_out = true});
  for (const char* id : {"mask", "bias", "kept_queries"}) {
    if (!w.has(id)) continue;
    std::optional<Tensor> one = without_heads(w.find(id)->value);
    if (!one || !w.find(id)->is_given()) return {};
    recipe.push_back(replaced(id, std::move(*one)));
  }
  const auto width = static_cast<double>(w.settings().heads * w.settings().d_k);
  Recipes recipes{recipe};
  if (w.made_by("scaled_scores", "scale"))
    recipes[0].push_back(with("scaled_scores", {{"factor", 1.0 / std::sqrt(width)}}));
  recipes.push_back(std::move(recipe));
  return recipes;
}

constexpr Index kMostOtherCounts = 6;

/// Every other number of heads that divides the width, the nearest first, with the scale of its
/// heads and with the right one.
Recipes other_count(const Wiring& w) {
  const Settings& s = w.settings();
  if (!split(w) || s.kv_heads != s.heads || w.made_by("bias", "alibi_bias")) return {};
  Recipe alike;
  for (const char* id : {"mask", "bias", "kept_queries"}) {
    if (!w.has(id) || !w.find(id)->value.shape().heads) continue;
    std::optional<Tensor> one = without_heads(w.find(id)->value);
    if (!one || !w.find(id)->is_given()) return {};
    alike.push_back(replaced(id, std::move(*one)));
  }
  std::vector<Index> counts;
  for (Index heads = 2; heads <= s.heads * s.d_k; ++heads) {
    if (heads != s.heads && s.heads * s.d_k % heads == 0 && s.heads * s.d_v % heads == 0)
      counts.push_back(heads);
  }
  const auto far = [&](Index heads) {
    return std::abs(std::log(static_cast<double>(heads) / static_cast<double>(s.heads)));
  };
  std::stable_sort(counts.begin(), counts.end(), [&](Index a, Index b) { return far(a) < far(b); });
  counts.resize(std::min(counts.size(), static_cast<std::size_t>(kMostOtherCounts)));
  Recipes recipes;
  for (const Index heads : counts) {
    Recipe recipe = alike;
    for (const char* id : {"q_heads", "k_heads", "v_heads"})
      recipe.push_back(with(id, {{"heads", heads}}));
    recipe.back().words = filled("There are {} heads.", heads);
    recipes.push_back(recipe);
    if (!w.made_by("scaled_scores", "scale")) continue;
    const double d = static_cast<double>(s.heads * s.d_k) / static_cast<double>(heads);
    recipes.back().push_back(with("scaled_scores", {{"factor", 1.0 / std::sqrt(d)}}));
    recipes.push_back(std::move(recipe));
  }
  return recipes;
}

Recipes no_w_o(const Wiring& w) {
  if (w.to_output() == nullptr) return {};
  return {{skipped("output")}};
}

Recipes w_o_transposed(const Wiring& w) {
  if (w.to_output() == nullptr) return {};
  return {{with("output", {{"transposed", true}})}};
}

Recipes tiled(const Wiring& w) {
  const Settings& s = w.settings();
  if (s.kv_heads < 2 || s.kv_heads >= s.heads || w.mixture() == nullptr) return {};
  return {{with("scores", {{"tiled", true}}), with(w.mixture()->id, {{"tiled", true}})}};
}

/// Keys and values of the first group for all heads.
Recipes first_group(const Wiring& w) {
  const Step* mixture = w.mixture();
  if (w.settings().kv_heads < 2 || mixture == nullptr || !w.has("scores")) return {};
  Rewiring scores = from("scores", {"{0}", "k_heads1"}),
           mixed = from(mixture->id, {"{0}", "v_heads1"});
  const Parameters first{{"how", std::string("first")}};
  scores.before = {{"k_heads1", find_operation("blend_heads"), {"{1}"}, first}};
  mixed.before = {{"v_heads1", find_operation("blend_heads"), {"{1}"}, first}};
  return {{std::move(scores), std::move(mixed)}};
}

constexpr const char* kHeadPage = "shapes";

constexpr std::array kHeadRows = {
    MistakeRow{{"heads.split_reshaped", "heads split without a transpose",
                "The matrices are reshaped into heads without swapping the token and head axes.",
                "Does row i of every head still belong to token i?", kHeadPage},
               [](const Wiring& w) { return cut_wrongly(w, "reshaped"); },
               true},
    MistakeRow{{"heads.merge_reshaped", "heads merged without a transpose",
                "The heads are reshaped into one matrix without swapping the axes back.",
                "Does each row of the result hold every head of one token?", kHeadPage},
               merged,
               true},
    MistakeRow{{"heads.interleaved", "columns dealt to the heads in turn",
                "Each head takes every h-th column instead of a block of neighbouring columns.",
                "Which columns belong to head 0?", kHeadPage},
               [](const Wiring& w) { return cut_wrongly(w, "interleaved"); }},
    MistakeRow{{"heads.input_sliced", "input sliced per head before projecting",
                "Each head projects only its own slice of the input.",
                "How much of the input does each head see?", kHeadPage},
               input_sliced},
    MistakeRow{
        {"heads.averaged", "heads averaged", "The heads are averaged instead of put side by side.",
         "How wide is the matrix of all heads?", kHeadPage},
        [](const Wiring& w) { return blended(w, "mean"); }},
    MistakeRow{
        {"heads.summed", "heads added up", "The heads are added up instead of put side by side.",
         "How wide is the matrix of all heads?", kHeadPage},
        [](const Wiring& w) { return blended(w, "sum"); }},
    MistakeRow{{"heads.order", "heads in the wrong order",
                "The heads are put side by side in the wrong order.", "Which head comes first?",
                kHeadPage},
               reordered},
    MistakeRow{
        {"heads.single", "one wide head", "The computation uses one wide head instead of several.",
         "How many matrices of attention weights should there be?", kHeadPage},
        single},
    MistakeRow{{"heads.count", "another number of heads",
                "The width is right, but it is cut into another number of heads.",
                "How many heads does the problem have?", kHeadPage},
               other_count},
    MistakeRow{{"output.w_o_missing", "W_o left out",
                "The heads side by side are taken as the output, without multiplying by W_o.",
                "What happens after the heads are put side by side?", kHeadPage},
               no_w_o},
    MistakeRow{{"output.w_o_transposed", "W_o transposed", "The output is C·W_oᵀ.",
                "Which axis of W_o must match the columns of C?", kHeadPage},
               w_o_transposed},
    MistakeRow{{"kv_heads.tiled", "key/value heads in the wrong order",
                "Key/value heads are repeated as 0, 1, 0, 1 instead of 0, 0, 1, 1.",
                "Which query heads share a key/value head?", kHeadPage},
               tiled},
    MistakeRow{
        {"kv_heads.first", "one group for all heads", "All heads use the first key/value head.",
         "Which key/value head belongs to the last query head?", kHeadPage},
        first_group},
};

}  // namespace

std::span<const MistakeRow> head_mistakes() { return kHeadRows; }

}  // namespace attn
