// Mistakes in rotary positions.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/operations/positions/rope_frequencies.hpp"
#include "core/operations/row_links.hpp"
#include "teach/mistakes/mistake_rows.hpp"
#include "teach/mistakes/shifts.hpp"

namespace attn {
namespace {

/// How queries are rotated; nullptr: they are not.
const Parameters* rotation(const Wiring& w) {
  return w.made_by("q_rotated", "rotate") ? &w.find("q_rotated")->parameters : nullptr;
}

/// Whether there are pairs beyond the first, which does not depend on the base.
bool has_pairs(const Wiring& w) {
  return rotation(w) != nullptr && rotation(w)->count("rotary_dim") >= 4;
}

/// Queries and keys rotated with other parameters; so are the angles, where they are shown.
Recipe both_with(const Wiring& w, const Parameters& parameters) {
  Recipe recipe{with("q_rotated", parameters), with("k_rotated", parameters)};
  for (const char* shown : {"angles", "k_angles"}) {
    if (w.has(shown)) recipe.push_back(with(shown, parameters));
  }
  return recipe;
}

/// Queries and keys rotated by the operation that knows how it goes wrong.
Recipe both_mistaken(const Parameters& parameters) {
  return {instead("q_rotated", "mistaken_rotate", {}, parameters),
          instead("k_rotated", "mistaken_rotate", {}, parameters)};
}

Recipes other_pairs(const Wiring& w) {
  if (!has_pairs(w)) return {};
  return {both_with(w, {{"interleaved", !rotation(w)->flag("interleaved")}})};
}

/// Whether frequencies are those of a scaling, which do not follow from the base.
bool is_scaled(const Wiring& w) {
  return rotation(w) != nullptr && rotation(w)->find("frequencies") != nullptr;
}

/// The scaling of the configuration left out; its frequencies alone, or its factor alone.
Recipes not_scaled(const Wiring& w) {
  if (!is_scaled(w)) return {};
  const Parameters frequencies{
      {"frequencies",
       rope_frequencies(rotation(w)->number("base"), rotation(w)->count("rotary_dim"), {}, 1)
           .each}};
  if (rotation(w)->find("attention_factor") == nullptr) return {both_with(w, frequencies)};
  const Parameters factor{{"attention_factor", 1.0}};
  Parameters both = frequencies;
  both.set("attention_factor", 1.0);
  return {both_with(w, both), both_with(w, frequencies), both_with(w, factor)};
}

/// The bases of published models: the first ones are those of most of them.
Recipes other_base(const Wiring& w) {
  if (!has_pairs(w)) return {};
  const auto scaling = is_scaled(w) ? w.settings().positions.scaling : std::nullopt;
  if (is_scaled(w) && !scaling) return {};  // a trace that was read does not say which
  Recipes recipes;
  for (const double base : {1e4, 5e5, 1e6, 1e5, 1.6e5, 1.5e5, 5e4, 1.3e5, 2.5e5, 2e5, 2e6, 4e6, 5e6,
                            8e6, 1e7, 1e8, 1e3, 1e2, 10.0}) {
    if (base == rotation(w)->number("base")) continue;
    Parameters wrong{{"base", base}};
    if (scaling) {
      const Index dim = rotation(w)->count("rotary_dim");
      wrong.set("frequencies", rope_frequencies(base, dim, *scaling, w.settings().n_keys).each);
    }
    recipes.push_back(both_with(w, wrong));
  }
  return recipes;
}

Recipes one_rotated(const Wiring& w) {
  if (rotation(w) == nullptr) return {};
  return {{skipped("k_rotated")}, {skipped("q_rotated")}};
}

Recipes not_rotated(const Wiring& w) {
  if (rotation(w) == nullptr) return {};
  return {{skipped("q_rotated"), skipped("k_rotated")}};
}

/// Where row 0 of the queries and of the new keys is, and where the first key of all is.
struct Starts {
  Offsets queries, keys;
  Index cached;  ///< how many keys are in front of the new ones

  Offsets of_all() const { return moved(keys, -cached); }
};

Starts starts_of(const Wiring& w) {
  return {rotation(w)->counts("offsets"), w.find("k_rotated")->parameters.counts("offsets"),
          w.has("past_k") ? w.find("past_k")->value.rows() : 0};
}

/// Positions that count anew, stand still, or are shifted: on one side, or on both against the
/// cache. Without a cache, the same shift on both sides changes no score.
Recipes shifted_rotation(const Wiring& w) {
  if (rotation(w) == nullptr) return {};
  const Starts now = starts_of(w);
  if (rotation(w)->find("row_positions") != nullptr)
    return {both_with(w, counted_up(w, "q_rotated"))};
  const Offsets zero{0}, first = now.of_all();
  const Index n_queries = w.find("q_rotated")->value.rows();
  Recipes recipes;
  const auto add = [&](const Offsets& queries, const Offsets& keys) {
    Recipe recipe;
    if (queries != now.queries) recipe.push_back(with("q_rotated", {{"offsets", queries}}));
    if (keys != now.keys) recipe.push_back(with("k_rotated", {{"offsets", keys}}));
    if (!recipe.empty()) recipes.push_back(std::move(recipe));
  };
  const auto standing = [&](const Offsets& where) {
    recipes.push_back(both_mistaken({{"place", std::string("first")}, {"offsets", where}}));
  };
  const std::vector<Index> shifts = usual_shifts({now.cached, n_queries, w.settings().n_keys});
  if (now.cached > 0) {
    add(first, first);
    if (first != zero) add(zero, zero);
    standing(zero);
    standing(now.keys);
    if (n_queries > 1) standing(moved(now.keys, n_queries - 1));
    for (const Index by : shifts) add(moved(now.queries, by), moved(now.keys, by));
  }
  add(first, now.keys);
  if (first != zero) add(zero, now.keys);
  if (first != now.keys) add(now.keys, now.keys);
  if (now.queries.size() > 1)
    add({*std::max_element(now.queries.begin(), now.queries.end())}, now.keys);
  for (const Index by : shifts) add(moved(now.queries, by), now.keys);
  for (const Index by : shifts) add(now.queries, moved(now.keys, by));
  return recipes;
}

/// More or fewer columns; or the right number of them, with the angles or the pairs of all.
Recipes other_columns(const Wiring& w) {
  if (rotation(w) == nullptr || is_scaled(w)) return {};
  const bool at_start = rotation(w)->find("first_column") == nullptr;
  const Index all = w.find("q_rotated")->value.cols() / 2 * 2;
  const Index right = rotation(w)->count("rotary_dim");
  Recipes recipes;
  if (right < all && !at_start) {
    recipes.push_back(both_with(w, {{"first_column", Index{0}}}));
    recipes.push_back(both_with(w, {{"first_column", Index{0}}, {"rotary_dim", all}}));
  } else if (right < all) {
    recipes.push_back(both_with(w, {{"rotary_dim", all}}));
    recipes.push_back(
        both_mistaken({{"angles_of", all}, {"pairs_of", all}, {"whole_pairs", true}}));
    recipes.push_back(both_mistaken({{"angles_of", all}, {"pairs_of", all}}));
    if (right >= 4) recipes.push_back(both_mistaken({{"angles_of", all}}));
    if (!rotation(w)->flag("interleaved"))
      recipes.push_back(both_mistaken({{"pairs_of", all}, {"whole_pairs", true}}));
  }
  for (const Index part : {2, 4}) {
    if (right % (2 * part) == 0) recipes.push_back(both_with(w, {{"rotary_dim", right / part}}));
  }
  return recipes;
}

Recipes mixed_conventions(const Wiring& w) {
  if (!has_pairs(w)) return {};
  const bool now = rotation(w)->flag("interleaved");
  return {both_mistaken({{"interleaved", !now}, {"angles_interleaved", now}}),
          both_mistaken({{"interleaved", now}, {"angles_interleaved", !now}})};
}

Recipes other_exponent(const Wiring& w) {
  if (rotation(w) == nullptr) return {};
  Recipes recipes;
  const Index columns = rotation(w)->count("rotary_dim");
  std::vector<Exponent> others = other_exponents(columns);
  const Index width = w.settings().heads * w.find("q_rotated")->value.cols();  // d_model for d_k
  if (columns >= 4 && w.settings().heads > 1)
    others.push_back({static_cast<double>(columns) / static_cast<double>(width), 0});
  for (const Exponent& each : others) recipes.push_back(both_mistaken(each.parameters()));
  return recipes;
}

Recipes along_heads(const Wiring& w) {
  if (rotation(w) == nullptr || w.settings().heads < 2 || rotation(w)->find("row_positions"))
    return {};
  const std::string place = "head";
  Recipes recipes{both_mistaken({{"place", place}, {"offsets", Offsets{0}}})};
  if (starts_of(w).keys != Offsets{0}) recipes.push_back(both_mistaken({{"place", place}}));
  return recipes;
}

/// Signs or halves exchanged in each pair; or the first columns of queries and the second ones of
/// keys, together taken for both.
Recipes crossed(const Wiring& w) {
  if (rotation(w) == nullptr) return {};
  Recipes recipes;
  for (const char* way :
       {"backwards", "plus", "minus", "not_crossed", "not_crossed_back", "halves_exchanged"})
    recipes.push_back(both_mistaken({{"way", std::string(way)}}));
  const bool split = w.has("q_heads") && w.has("k_heads");
  recipes.push_back({instead("q_rotated", "mistaken_rotate", {"{0}", split ? "k_heads" : "k"}),
                     instead("k_rotated", "mistaken_rotate", {split ? "q_heads" : "q", "{0}"})});
  return recipes;
}

/// Cached keys, which are rotated already, rotated again; nothing without a cache.
Recipe cache_rotated(const Wiring& w) {
  const Starts now = starts_of(w);
  if (now.cached == 0 || rotation(w)->find("row_positions") != nullptr) return {};
  const Tensor& past = w.find("past_k")->value;
  Parameters parameters = w.find("k_rotated")->parameters;
  parameters.set("offsets", now.of_all());
  if (w.find("past_k")->is_outline()) return {replaced("past_k", past)};
  const Tensor* const input = &past;
  return {replaced("past_k",
                   evaluate(*find_operation("rotate"), {{&input, 1}, parameters, past.shape()}))};
}

Recipes rotated_twice(const Wiring& w) {
  if (rotation(w) == nullptr) return {};
  const Rewiring queries = instead("q_rotated", "mistaken_rotate", {}, {{"times", 2.0}});
  const Rewiring keys = instead("k_rotated", "mistaken_rotate", {}, {{"times", 2.0}});
  Recipes recipes;
  const Recipe cache = cache_rotated(w);
  if (!cache.empty()) {
    recipes = {cache, cache};
    recipes[1].push_back(keys);
  }
  recipes.insert(recipes.end(), {{queries, keys}, {keys}, {queries}});
  return recipes;
}

/// What is rounded on the way to sines and cosines (see mistaken_rotate): any of it, where rounding
/// a position changes one; frequencies may be rounded once, or after each operation.
Recipes rounded_angles(const Wiring& w) {
  if (rotation(w) == nullptr) return {};
  const Starts now = starts_of(w);
  const Index last = now.keys.front() + w.find("k_rotated")->value.rows() - 1;
  Recipes recipes;
  for (const auto& [dtype, exact] : {std::pair("bfloat16", 256), {"float16", 2048}}) {
    for (Index stages = 31; stages > 0; --stages) {
      Offsets rounds;
      for (const Index stage : {0, 1, 2, 3, 4}) {
        if (stages >> stage & 1) rounds.push_back(stage);
      }
      const bool both = (stages & 6) == 6, nothing_rounded = (stages & 1) != 0 && last <= exact;
      if (both || nothing_rounded) continue;
      recipes.push_back(
          both_mistaken({{"rounds", std::move(rounds)}, {"dtype", std::string(dtype)}}));
    }
  }
  return recipes;
}

/// The new values are rotated like the new keys.
Recipes values_rotated(const Wiring& w) {
  const Step* mixture = w.mixture();
  if (rotation(w) == nullptr || mixture == nullptr || w.has("v_all")) return {};
  const std::string rotated = w.has("v_heads") ? "v_heads1" : "v1";
  Rewiring mixed = from(mixture->id, {"{0}", rotated});
  const Step& keys = *w.find("k_rotated");
  mixed.before = {{rotated, keys.operation, {"{1}"}, keys.parameters}};
  return {{std::move(mixed)}};
}

constexpr std::array kRopeRows = {
    MistakeRow{
        {"rope.pairs", "wrong pairs rotated",
         "RoPE pairs neighbouring columns instead of the two halves, or the other way round.",
         "Which two columns are rotated together?", "json"},
        other_pairs},
    MistakeRow{{"rope.base", "wrong base for RoPE",
                "RoPE's base (theta) is that of another model, not that of the problem.",
                "Which base (theta) does the problem ask for?", "json"},
               other_base},
    MistakeRow{{"rope.one_side", "queries or keys not rotated",
                "RoPE is applied to the queries or to the keys, but not to both.",
                "What makes a score depend only on how far apart two tokens are?", "steps"},
               one_rotated},
    MistakeRow{{"rope.missing", "RoPE left out", "Queries and keys are not rotated.",
                "How do the scores know where a token is?", "steps"},
               not_rotated},
    MistakeRow{
        {"rope.offset", "RoPE at the wrong positions",
         "Positions are shifted: they start at 0 again after the cache, are the same for all new "
         "tokens, or differ by a constant between queries and keys.",
         "At which position is the first new token, and at which the first cached key?", "json"},
        shifted_rotation},
    MistakeRow{
        {"rope.partial", "the wrong columns rotated",
         "RoPE rotates all columns although it should rotate a part of them, or it takes the "
         "angles or pairs of the whole head for that part.",
         "How many columns of a head are rotated, and what is d in the exponent 2i/d?", "json"},
        other_columns},
    MistakeRow{{"rope.mixed", "two conventions of RoPE mixed",
                "The angles belong to neighbouring columns and the pairs to the two halves, or the "
                "other way round.",
                "Do both columns of a pair turn by the same angle?", "json"},
               mixed_conventions},
    MistakeRow{
        {"rope.exponent", "wrong exponent in RoPE",
         "The exponent of the base is not 2i/d: it is doubled or halved, or i is counted from "
         "another number.",
         "By which angle does the first pair turn from one token to the next?", "json"},
        other_exponent},
    MistakeRow{{"rope.axis", "RoPE along the heads",
                "Each head is rotated by its own number instead of the position of the token.",
                "Which axis holds the tokens where you rotate, and which the heads?", "shapes"},
               along_heads},
    MistakeRow{
        {"rope.crossed", "halves or signs exchanged in RoPE",
         "A sign or a half is in the wrong place in each pair, or columns of queries and keys "
         "are mixed up.",
         "A pair is turned by a right angle: where does its first number go, and with which "
         "sign?",
         "steps"},
        crossed},
    MistakeRow{
        {"rope.twice", "rotated twice",
         "Keys from the cache, which are rotated already, or new queries and keys are rotated "
         "once more.",
         "Are the keys in the cache rotated already?", "json"},
        rotated_twice},
    MistakeRow{{"rope.values", "values rotated, too",
                "RoPE is applied to the values as well as to queries and keys.",
                "Which of Q, K and V decide how much a token attends to another?", "steps"},
               values_rotated},
    MistakeRow{
        {"rope.rounded", "angles of RoPE with too few digits",
         "Positions, frequencies, angles, or sines and cosines are rounded to 16 bits on the "
         "way.",
         "How far apart are neighbouring numbers above 256 in bfloat16?", "json"},
        rounded_angles},
    MistakeRow{{"rope.scaling", "the scaling of RoPE left out",
                "The configuration stretches the angles for longer texts (rope_scaling, "
                "rope_parameters); its frequencies or its attention factor are left out.",
                "Which frequencies, and which factor of cosine and sine, does the configuration "
                "ask for?",
                "json"},
               not_scaled},
};

}  // namespace

std::span<const MistakeRow> rope_mistakes() { return kRopeRows; }

}  // namespace attn
