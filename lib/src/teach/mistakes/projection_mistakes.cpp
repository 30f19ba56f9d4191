// Mistakes in projections, biases, and in what is multiplied with what.
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "core/tensor/slices.hpp"
#include "teach/mistakes/mask_parts.hpp"
#include "teach/mistakes/mistake_rows.hpp"

namespace attn {
namespace {

bool projected(const Wiring& w, const char* id) { return w.made_by(id, "linear"); }

/// The projections with these ids, transposed.
Recipes turned(const Wiring& w, std::initializer_list<const char*> ids) {
  Recipe recipe;
  for (const char* id : ids) {
    if (projected(w, id)) recipe.push_back(with(id, {{"transposed", true}}));
  }
  return recipe.size() == ids.size() ? Recipes{recipe} : Recipes{};
}

/// `id` made from a source with the weights of one projection and the bias of another, if any.
Rewiring projection(const Wiring& w, const char* id, const std::string& source, const char* weights,
                    const char* bias) {
  std::vector<std::string> inputs{source, std::string("w_") + weights};
  const std::string b = std::string("b_") + bias;
  if (w.has(b.c_str())) inputs.push_back(b);
  return from(id, std::move(inputs));
}

Recipes without_bias(const Wiring& w, std::initializer_list<const char*> ids) {
  Recipe recipe;
  for (const char* id : ids) {
    if (projected(w, id) && w.find(id)->inputs.size() == 3)
      recipe.push_back(from(id, {"{0}", "{1}"}));
  }
  const bool all = ids.size() > 1 && recipe.size() > 1;
  return recipe.size() == ids.size() || all ? Recipes{recipe} : Recipes{};
}

Recipes scores_of(const Wiring& w, const char* operation, std::vector<std::string> inputs) {
  if (!w.made_by("scores", "multiply_transposed")) return {};
  return {{instead("scores", operation, std::move(inputs))}};
}

Recipes swapped(const Wiring& w) {
  if (!projected(w, "q") || !projected(w, "k")) return {};
  return {{projection(w, "q", "{0}", "k", "k"), projection(w, "k", "{0}", "q", "q")},
          {projection(w, "q", "{0}", "k", "q"), projection(w, "k", "{0}", "q", "k")}};
}

Recipes keys_values_swapped(const Wiring& w) {
  if (!projected(w, "k") || !projected(w, "v")) return {};
  return {{projection(w, "k", "{0}", "v", "v"), projection(w, "v", "{0}", "k", "k")},
          {projection(w, "k", "{0}", "v", "k"), projection(w, "v", "{0}", "k", "v")}};
}

constexpr std::array kLetters{"q", "k", "v"};

/// A column of W_q, W_k or W_v.
struct FusedColumn {
  std::size_t letter;
  Index col;
};

/// The columns of one fused matrix: for each group, its columns of the three in this order.
std::vector<FusedColumn> fused(const std::array<Index, 3>& widths,
                               const std::array<std::size_t, 3>& order, Index groups) {
  std::vector<FusedColumn> columns;
  for (Index g = 0; g < groups; ++g) {
    for (const std::size_t letter : order) {
      const Index width = widths[letter] / groups;
      for (Index c = 0; c < width; ++c) columns.push_back({letter, g * width + c});
    }
  }
  return columns;
}

/// Weights and biases that were fused in one order of columns and are cut in another.
Recipe cut_from(const Wiring& w, const std::vector<FusedColumn>& made,
                const std::vector<FusedColumn>& cut) {
  Recipe recipe;
  for (const std::string part : {"w_", "b_"}) {
    std::array<Tensor, 3> right, wrong;
    std::size_t found = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const Step* step = w.find((part + kLetters[i]).c_str());
      if (step == nullptr) continue;
      ++found;
      right[i] = wrong[i] = step->value;
    }
    if (found == 0) continue;
    if (found < 3) return {};
    for (std::size_t n = 0; n < made.size(); ++n) {
      for (Index r = 0; r < right[0].rows(); ++r)
        wrong[cut[n].letter].at({0, 0, r, cut[n].col}) =
            right[made[n].letter].at({0, 0, r, made[n].col});
    }
    for (std::size_t i = 0; i < 3; ++i)
      recipe.push_back(replaced(part + kLetters[i], std::move(wrong[i])));
  }
  return recipe;
}

/// W_q, W_k and W_v as one fused matrix, and their biases, cut in the wrong order: by heads, or by
/// groups (GPT-NeoX, BLOOM, Falcon), as in thirds (PyTorch, GPT-2), the other way round, or with
/// queries, keys and values in another order.
Recipes fused_cut(const Wiring& w) {
  std::array<Index, 3> widths{};
  for (std::size_t i = 0; i < 3; ++i) {
    const char* id = kLetters[i];
    if (!projected(w, id) || w.find(id)->inputs[0] != w.find("q")->inputs[0]) return {};
    widths[i] = w.find(id)->value.cols();
  }
  constexpr std::array<std::size_t, 3> kRight{0, 1, 2};
  const std::vector<FusedColumn> thirds = fused(widths, kRight, 1);
  Recipes recipes;
  if (w.settings().kv_heads > 1) {
    const std::vector<FusedColumn> groups = fused(widths, kRight, w.settings().kv_heads);
    recipes = {cut_from(w, groups, thirds), cut_from(w, thirds, groups)};
  }
  for (std::array order = kRight; std::next_permutation(order.begin(), order.end());)
    recipes.push_back(cut_from(w, fused(widths, order, 1), thirds));
  std::erase_if(recipes, [](const Recipe& recipe) { return recipe.empty(); });
  return recipes;
}

Recipes by_w_q(const Wiring& w) {
  if (!projected(w, "k") || !w.has("w_q")) return {};
  return {{projection(w, "k", "{0}", "q", "q")}, {projection(w, "k", "{0}", "q", "k")}};
}

Recipes by_w_k(const Wiring& w) {
  if (!projected(w, "v") || !w.has("w_k")) return {};
  return {{projection(w, "v", "{0}", "k", "k")}, {projection(w, "v", "{0}", "k", "v")}};
}

Recipes unprojected(const Wiring& w) {
  if (!projected(w, "v")) return {};
  return {{skipped("v")}};
}

Recipes weights_transposed(const Wiring& w) {
  const Step* mixture = w.mixture();
  if (mixture == nullptr) return {};
  return {{with(mixture->id, {{"transposed", true}})}};
}

/// Whether keys and values are projected from something that queries are not.
bool crosses(const Wiring& w) {
  return projected(w, "q") && projected(w, "k") && projected(w, "v") && w.has("memory");
}

Recipes cross_swapped(const Wiring& w) {
  if (!crosses(w)) return {};
  const std::string x = w.find("q")->inputs[0];
  return {{projection(w, "q", w.find("k")->inputs[0], "q", "q"), projection(w, "k", x, "k", "k"),
           projection(w, "v", x, "v", "v")}};
}

Recipes cross_self(const Wiring& w) {
  if (!crosses(w)) return {};
  const std::string x = w.find("q")->inputs[0];
  return {{projection(w, "k", x, "k", "k"), projection(w, "v", x, "v", "v")}};
}

/// Rows `first` to `first + rows` of the past, or columns of the mask.
Tensor part_of(const Tensor& t, Index first, Index rows, bool columns) {
  Shape shape = t.shape();
  (columns ? shape.cols : shape.rows) = rows;
  Tensor part(shape);
  for_each_slice(part, [&](Index b, Index h) {
    for (Index i = 0; i < shape.rows; ++i) {
      for (Index j = 0; j < shape.cols; ++j) {
        part.at({b, h, i, j}) = t.at({b, h, i + (columns ? 0 : first), j + (columns ? first : 0)});
      }
    }
  });
  return part;
}

/// New keys and values before the cached ones; in the place of the last or the first of them; the
/// cached ones without the new; the new alone.
Recipes other_cache(const Wiring& w) {
  const Step *past = w.find("past_k"), *values = w.find("past_v");
  if (past == nullptr || values == nullptr || w.has("extra_k") || w.has("bias")) return {};
  const Index cached = past->value.rows(), fresh = w.settings().n_keys - cached;
  if (!w.has("k_all")) return {};
  const auto both = [&](std::vector<std::string> inputs) {
    return Recipe{from("k_all", inputs), from("v_all", inputs)};
  };
  const auto only_keys = [&](Recipe recipe, Index first, Index count, const char* words) {
    if (w.has("mask"))
      recipe.push_back(replaced("mask", part_of(w.find("mask")->value, first, count, true)));
    recipe[0].words = words;
    return recipe;
  };
  const auto cut = [&](Recipe recipe, Index first) {
    for (const Step* step : {past, values})
      recipe.push_back(replaced(step == past ? "past_k" : "past_v",
                                part_of(step->value, first, cached - fresh, false)));
    return recipe;
  };
  Recipes recipes{both({"{1}", "{0}"})};
  recipes[0][0].words = "The new ones come first.";
  const Recipe stale{instead("k_all", "copy", {"{0}"}), instead("v_all", "copy", {"{0}"})};
  const Recipe alone{instead("k_all", "copy", {"{1}"}), instead("v_all", "copy", {"{1}"})};
  recipes.push_back(only_keys(stale, 0, cached, "The new ones are not stored."));
  recipes.push_back(only_keys(alone, cached, fresh, "The new ones replace all others."));
  if (cached <= fresh) return recipes;
  recipes.push_back(only_keys(cut(both({"{0}", "{1}"}), 0), fresh, cached,
                              "The new ones replace the last of the cached ones."));
  recipes.push_back(only_keys(cut(both({"{1}", "{0}"}), fresh), fresh, cached,
                              "The new ones replace the first of the cached ones."));
  return recipes;
}

/// The mask that the rules by position give when batch entries take the place of tokens.
Tensor mask_of_batch(const Wiring& w) {
  const Settings& s = w.settings();
  const std::optional<Index> heads = w.find("mask")->value.shape().heads;
  const MaskParts parts(w.truth());
  Tensor mask(Shape{s.n_queries, heads, s.batch, s.batch}, 1.0);
  for_each_slice(mask, [&](Index b, Index h) {
    for (Index i = 0; i < s.batch; ++i) {
      for (Index j = 0; j < s.batch; ++j) {
        if (!parts.sees(i, j)) mask.at({b, h, i, j}) = 0.0;
      }
    }
  });
  return mask;
}

/// Batch entries treated as tokens: attention runs over the batch, with a mask of that size or
/// none.
Recipes batch_for_tokens(const Wiring& w) {
  if (!w.has("x") || w.has("memory") || w.settings().batch < 2) return {};
  const Tensor& x = w.find("x")->value;
  if (!x.shape().batch) return {};
  Tensor turned(Shape{x.rows(), std::nullopt, x.batch(), x.cols()});
  for_each_slice(turned, [&](Index b, Index) {
    for (Index i = 0; i < turned.rows(); ++i) {
      for (Index j = 0; j < turned.cols(); ++j) turned.at({b, 0, i, j}) = x.at({i, 0, b, j});
    }
  });
  Recipe recipe{replaced("x", std::move(turned))};
  if (!w.made_by("masked_scores", "hide") || x.rows() == x.batch()) return {recipe};
  Recipe unmasked = recipe;
  unmasked.push_back(skipped("masked_scores"));
  recipe.push_back(replaced("mask", mask_of_batch(w)));
  return {recipe, unmasked};
}

constexpr const char* kProjectionPage = "attention";
constexpr const char* kShapes = "shapes";

constexpr std::array kProjectionRows = {
    MistakeRow{{"projection.q_transposed", "W_q transposed", "The queries are X·W_qᵀ.",
                "Which axis of W_q must match the columns of X?", kShapes},
               [](const Wiring& w) { return turned(w, {"q"}); }},
    MistakeRow{{"projection.k_transposed", "W_k transposed", "The keys are X·W_kᵀ.",
                "Which axis of W_k must match the columns of X?", kShapes},
               [](const Wiring& w) { return turned(w, {"k"}); }},
    MistakeRow{{"projection.v_transposed", "W_v transposed", "The values are X·W_vᵀ.",
                "Which axis of W_v must match the columns of X?", kShapes},
               [](const Wiring& w) { return turned(w, {"v"}); }},
    MistakeRow{{"projection.transposed", "projections transposed",
                "Queries, keys and values are X·Wᵀ instead of X·W.",
                "Are the weights stored as in × out, or as out × in?", "pytorch"},
               [](const Wiring& w) {
                 return turned(w, {"q", "k", "v"});
               }},
    MistakeRow{{"keys.not_transposed", "K not transposed",
                "The scores are Q·K instead of Q·Kᵀ; the sizes fit only by chance.",
                "Which two rows are multiplied to get the score of a query and a key?", kShapes},
               [](const Wiring& w) {
                 return scores_of(w, "multiply", {"{0}", "{1}"});
               },
               true},
    MistakeRow{{"scores.transposed", "scores transposed",
                "The scores are K·Qᵀ: queries and keys are swapped.",
                "Does a row of scores belong to a query or to a key?", kShapes},
               [](const Wiring& w) {
                 return scores_of(w, "multiply_transposed", {"{1}", "{0}"});
               },
               true},
    MistakeRow{{"scores.query_value", "queries compared with values",
                "The scores are Q·Vᵀ instead of Q·Kᵀ.",
                "What is a query compared with: keys or values?", kProjectionPage},
               [](const Wiring& w) {
                 const Step* mixture = w.mixture();
                 if (mixture == nullptr) return Recipes{};
                 return scores_of(w, "multiply_transposed", {"{0}", mixture->inputs.at(1)});
               }},
    MistakeRow{{"scores.query_query", "queries compared with queries",
                "The scores are Q·Qᵀ instead of Q·Kᵀ.",
                "What is a query compared with: keys or queries?", kProjectionPage},
               [](const Wiring& w) {
                 return scores_of(w, "multiply_transposed", {"{0}", "{0}"});
               }},
    MistakeRow{{"queries_keys.swapped", "W_q and W_k swapped",
                "Queries are made with W_k, and keys with W_q.", "Which weights make the queries?",
                kProjectionPage},
               swapped},
    MistakeRow{{"keys_values.swapped", "W_k and W_v swapped",
                "Keys are made with W_v, and values with W_k.",
                "Which weights make the keys, and which the values?", kProjectionPage},
               keys_values_swapped},
    MistakeRow{{"projection.fused_cut", "fused projection cut in the wrong order",
                "The fused matrix of queries, keys and values is cut as 3 × heads × d_k instead of "
                "heads × 3 × d_k, the other way round, or with the three in another order.",
                "In the fused matrix, what comes after the queries of head 0?", "pytorch"},
               fused_cut},
    MistakeRow{{"keys.from_w_q", "keys made with W_q", "The keys are X·W_q: W_q is used twice.",
                "Which weights make the keys?", kProjectionPage},
               by_w_q},
    MistakeRow{
        {"values.from_w_k", "values made with W_k", "The values are X·W_k: W_k is used twice.",
         "Which weights make the values?", kProjectionPage},
        by_w_k},
    MistakeRow{{"values.unprojected", "values not projected",
                "The values are the input itself, not its projection.", "What does W_v do?",
                kProjectionPage},
               unprojected},
    MistakeRow{{"context.weights_transposed", "weights transposed",
                "The values are mixed with Aᵀ instead of A.",
                "Does a row of weights belong to a query or to a key?", kShapes},
               weights_transposed,
               true},
    MistakeRow{{"bias.missing_q", "b_q left out", "The bias of the queries is not added.",
                "What is added after X·W_q?", kShapes},
               [](const Wiring& w) { return without_bias(w, {"q"}); }},
    MistakeRow{{"bias.missing_k", "b_k left out", "The bias of the keys is not added.",
                "What is added after X·W_k?", kShapes},
               [](const Wiring& w) { return without_bias(w, {"k"}); }},
    MistakeRow{{"bias.missing_v", "b_v left out", "The bias of the values is not added.",
                "What is added after X·W_v?", kShapes},
               [](const Wiring& w) { return without_bias(w, {"v"}); }},
    MistakeRow{{"bias.missing_o", "b_o left out", "The bias of the output is not added.",
                "What is added after the last product?", kShapes},
               [](const Wiring& w) { return without_bias(w, {"output"}); }},
    MistakeRow{{"bias.missing", "all biases left out",
                "No bias is added, or none to queries, keys and values.",
                "What is added after each projection?", kShapes},
               [](const Wiring& w) {
                 Recipes recipes = without_bias(w, {"q", "k", "v", "output"});
                 for (Recipe& each : without_bias(w, {"q", "k", "v"}))
                   recipes.push_back(std::move(each));
                 return recipes;
               }},
    MistakeRow{{"cross.swapped", "inputs swapped",
                "Queries are made from the memory, keys and values from X.",
                "Which sequence asks, and which answers?", kProjectionPage},
               cross_swapped},
    MistakeRow{
        {"cross.self", "memory ignored", "Keys and values are made from X instead of the memory.",
         "Where do keys and values come from in cross attention?", kProjectionPage},
        cross_self},
    MistakeRow{
        {"cache.order", "cache in the wrong order",
         "New keys and values are not below the cached ones: they come first, replace cached "
         "ones, or are not stored.",
         "At which row of the cache are the new keys written?", "json"},
        other_cache},
    MistakeRow{{"axes.batch_token", "batch and tokens swapped",
                "The batch axis is treated as the token axis.",
                "Which axis comes first in your implementation, batch or token?", kShapes},
               batch_for_tokens,
               true,
               true},
};

}  // namespace

std::span<const MistakeRow> projection_mistakes() { return kProjectionRows; }

}  // namespace attn
