// Mistakes in which keys a query sees.
#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>

#include "attn/phrases.hpp"
#include "core/tensor/slices.hpp"
#include "teach/mistakes/mask_parts.hpp"
#include "teach/mistakes/mistake_rows.hpp"

namespace attn {

Recipe last_keys_hidden(const Wiring& w, const std::vector<Index>& counts) {
  const MaskParts parts(w.truth());
  return other_mask(w, [&](const Cell& cell) {
    const Index hidden = counts[static_cast<std::size_t>(cell.batch) % counts.size()];
    return parts.sees(parts.position(cell.row), cell.col) &&
           cell.col < w.settings().n_keys - hidden;
  });
}

namespace {

constexpr Index kMostLengths = 24;

Recipes only(Recipe recipe) { return recipe.empty() ? Recipes{} : Recipes{std::move(recipe)}; }

Recipes inverted(const Wiring& w) {
  if (!is_masked(w)) return {};
  const Tensor& mask = w.find("mask")->value;
  return also_filled(w,
                     only(other_mask(w, [&](const Cell& cell) { return mask.at(cell) == 0.0; })));
}

/// Another rule by position; everything that hides for other reasons stays.
template <typename Sees>
Recipes by_position(const Wiring& w, Sees sees) {
  if (!is_masked(w)) return {};
  const MaskParts parts(w.truth());
  if (!parts.by_position()) return {};
  return only(other_mask(w, [&](const Cell& cell) {
    return !parts.hidden_otherwise(cell) && sees(parts, parts.position(cell.row), cell.col);
  }));
}

Recipes flipped(const Wiring& w) {
  return by_position(w, [](const MaskParts&, Index p, Index col) { return col >= p; });
}

Recipes diagonal(const Wiring& w) {
  return also_filled(w, by_position(w, [](const MaskParts& parts, Index p, Index col) {
                       return col != p && parts.sees(p, col);
                     }));
}

Recipes leak(const Wiring& w) {
  return by_position(w, [](const MaskParts& parts, Index p, Index col) {
    return col == p + 1 || parts.sees(p, col);
  });
}

Recipes query_rows(const Wiring& w) {
  if (!is_masked(w) || w.settings().n_queries != w.settings().n_keys) return {};
  const MaskParts parts(w.truth());
  if (!parts.hides_keys()) return {};
  Recipes recipes;
  for (const bool keys_too : {false, true}) {
    Recipe recipe = other_mask(w, [&](const Cell& cell) {
      if (!parts.sees(parts.position(cell.row), cell.col)) return false;
      return !parts.key_hidden(cell.batch, cell.row) &&
             !(keys_too && parts.key_hidden(cell.batch, cell.col));
    });
    if (!recipe.empty()) recipes.push_back(std::move(recipe));
  }
  return also_filled(w, std::move(recipes));
}

Recipes alignment(const Wiring& w) {
  if (!is_masked(w)) return {};
  const MaskParts parts(w.truth());
  Recipes recipes;
  if (!parts.by_position()) return {};
  for (const Index offset : parts.other_offsets()) {
    Recipe recipe = other_mask(w, [&](const Cell& cell) {
      return !parts.hidden_otherwise(cell) && parts.sees(cell.row + offset, cell.col);
    });
    if (!recipe.empty()) recipes.push_back(std::move(recipe));
  }
  return also_filled(w, std::move(recipes));
}

Recipes window(const Wiring& w) {
  if (!is_masked(w)) return {};
  const MaskParts parts(w.truth());
  Recipes recipes;
  for (const Index wider : {-1, 1}) {
    if (!parts.has_window()) break;
    Recipe recipe = other_mask(w, [&](const Cell& cell) {
      return !parts.hidden_otherwise(cell) && parts.sees(parts.position(cell.row), cell.col, wider);
    });
    if (!recipe.empty()) recipes.push_back(std::move(recipe));
  }
  return recipes;
}

/// A window where the rule of the problem has none: of a few tokens, or of a power of two.
Recipes window_added(const Wiring& w) {
  if (!is_masked(w)) return {};
  const MaskParts parts(w.truth());
  if (!parts.by_position() || parts.has_window()) return {};
  std::vector<Index> widths(kMostLengths);
  std::iota(widths.begin(), widths.end(), Index{2});
  widths.push_back(1);
  for (Index power = 32; power < w.settings().n_keys; power *= 2) widths.push_back(power);
  Recipes recipes;
  for (const Index width : widths) {
    Recipe recipe = other_mask(w, [&](const Cell& cell) {
      const Index position = parts.position(cell.row);
      return !parts.hidden_otherwise(cell) && parts.sees(position, cell.col) &&
             position - cell.col < width;
    });
    if (recipe.empty()) continue;
    recipe[0].words = filled("Each token sees {} at most.", counted(width, "key"));
    recipes.push_back(std::move(recipe));
  }
  return recipes;
}

/// Later keys hidden although the problem shows some of them.
Recipes causal_added(const Wiring& w) {
  if (!w.has_softmax() || w.settings().n_keys < 2) return {};
  Recipes recipes;
  if (is_masked(w)) {
    const MaskParts parts(w.truth());
    const Tensor mask = w.find("mask")->value;
    recipes = only(other_mask(w, [&](const Cell& cell) {
      return mask.at(cell) != 0.0 && cell.col <= parts.position(cell.row);
    }));
    if (recipes.empty()) return recipes;
  }
  recipes.push_back({instead("weights", "mistaken_softmax", {w.softmax_input()},
                             {{"way", std::string("causal")}})});
  return recipes;
}

/// Masks repeated for the heads in the wrong order, so that batch entries get each other's; or the
/// batch axis of the mask taken for heads, or for key/value heads.
Recipes wrong_item(const Wiring& w) {
  if (!is_masked(w) || w.settings().batch < 2) return {};
  const Settings& s = w.settings();
  const Tensor whole =
      w.find("mask")->value.spread(s.batch, s.has_heads ? std::optional(s.heads) : std::nullopt);
  Recipes recipes;
  const auto add = [&](auto item) {
    Tensor mask = whole;
    bool changed = false;
    for_each_slice(whole, [&](Index b, Index h) {
      const auto from = whole.matrix(item(b, h), h), now = whole.matrix(b, h);
      changed = changed || !std::equal(from.begin(), from.end(), now.begin());
      std::copy(from.begin(), from.end(), mask.matrix(b, h).begin());
    });
    if (changed) recipes.push_back({replaced("mask", std::move(mask))});
  };
  add([&](Index b, Index h) { return (b * s.heads + h) % s.batch; });
  add([&](Index b, Index) { return s.batch - 1 - b; });
  if (s.batch == s.heads) add([](Index, Index h) { return h; });
  if (s.batch == s.kv_heads && s.kv_heads != s.heads)
    add([&](Index, Index h) { return h / (s.heads / s.kv_heads); });
  return recipes;
}

/// The padding of the queries for the keys, and every other number of hidden last keys, the same in
/// all batch entries; `estimated_padding` finds others.
Recipes other_side(const Wiring& w) {
  if (!is_masked(w)) return {};
  const MaskParts parts(w.truth());
  if (!parts.hides_keys()) return {};
  const Index keys = w.settings().n_keys;
  const auto hiding = [&](auto hides) {
    return other_mask(w, [&](const Cell& cell) {
      return parts.sees(parts.position(cell.row), cell.col) && !hides(cell);
    });
  };
  Recipes recipes;
  const Step* kept = w.find("kept_queries");
  if (kept != nullptr && kept->value.rows() == keys) {
    recipes.push_back(hiding([&](const Cell& cell) {
      return kept->value.at({cell.batch, 0, cell.col, 0}) == 0.0;
    }));
  }
  for (Index n = 1; n < std::min(keys, kMostLengths); ++n) {
    recipes.push_back(last_keys_hidden(w, {n}));
    if (!recipes.back().empty())
      recipes.back()[0].words =
          filled("The last {} hidden.", n == 1 ? "key is" : filled("{} keys are", n));
  }
  std::erase_if(recipes, [](const Recipe& recipe) { return recipe.empty(); });
  return also_filled(w, std::move(recipes));
}

constexpr std::array kVisibilityRows = {
    MistakeRow{{"mask.inverted", "mask inverted",
                "The mask hides what should be visible and shows what should be hidden.",
                "Does a 1 in the mask mean \"may attend\" or \"is hidden\"?", kMaskPage},
               inverted},
    MistakeRow{
        {"mask.triangle_flipped", "triangle flipped",
         "The mask keeps the upper triangle: queries see later keys instead of earlier ones.",
         "May a token look back or ahead?", kMaskPage},
        flipped},
    MistakeRow{{"mask.diagonal", "own position hidden",
                "The mask also hides the diagonal: no query sees its own key.",
                "May a token attend to itself?", kMaskPage},
               diagonal},
    MistakeRow{{"mask.leak", "one step of the future visible",
                "Every query also sees the key right after it.",
                "What is the last key that query 0 may see?", kMaskPage},
               leak},
    MistakeRow{{"mask.query_rows", "padding hides rows instead of columns",
                "The rows of padded queries are hidden instead of the columns of padded keys.",
                "Should padding be kept from looking, or from being looked at?", kMaskPage},
               query_rows},
    MistakeRow{{"mask.alignment", "mask aligned to the wrong end",
                "The mask is aligned to the wrong end of the keys.",
                "Which key has the same position as the first query?", kMaskPage},
               alignment},
    MistakeRow{{"mask.window", "window off by one", "The window is one key too wide or too narrow.",
                "Does the window count the token itself?", kMaskPage},
               window},
    MistakeRow{{"mask.causal_added", "a causal mask that the problem does not have",
                "Later keys are hidden, as in a model that writes text, but here every token may "
                "see them.",
                "May a token of this model see the tokens after it?", kMaskPage},
               causal_added},
    MistakeRow{{"mask.window_added", "a window that the problem does not have",
                "Keys that are far back are hidden, as by a sliding window, but this problem has "
                "none.",
                "How far back may a query see?", kMaskPage},
               window_added},
    MistakeRow{{"mask.wrong_item", "mask of another batch entry",
                "A batch entry uses the mask of another entry.",
                "In which order are masks repeated for the heads?", kMaskPage},
               wrong_item},
    MistakeRow{
        {"mask.other_side", "padding of the other side",
         "The keys that are hidden are not those that are padding, as if the mask belonged "
         "to another sequence.",
         "Whose padding must be hidden: that of the queries, or that of the keys?", kMaskPage},
        other_side},
};

}  // namespace

std::span<const MistakeRow> visibility_mistakes() { return kVisibilityRows; }

}  // namespace attn
