// Mistakes with positions: rotary ones, sines and cosines, ALiBi.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/operations/positions/rope_frequencies.hpp"
#include "core/operations/row_links.hpp"
#include "teach/mistakes/mistake_rows.hpp"

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

/// Queries and keys rotated with other parameters.
Recipe both_with(const Parameters& parameters) {
  return {with("q_rotated", parameters), with("k_rotated", parameters)};
}

/// Queries and keys rotated by the operation that knows how it goes wrong.
Recipe both_mistaken(const Parameters& parameters) {
  return {instead("q_rotated", "mistaken_rotate", {}, parameters),
          instead("k_rotated", "mistaken_rotate", {}, parameters)};
}

Recipes other_pairs(const Wiring& w) {
  if (!has_pairs(w)) return {};
  return {both_with({{"interleaved", !rotation(w)->flag("interleaved")}})};
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
  if (rotation(w)->find("attention_factor") == nullptr) return {both_with(frequencies)};
  const Parameters factor{{"attention_factor", 1.0}};
  Parameters both = frequencies;
  both.set("attention_factor", 1.0);
  return {both_with(both), both_with(frequencies), both_with(factor)};
}

/// The bases of published models: the first ones are those of most of them.
Recipes other_base(const Wiring& w) {
  if (!has_pairs(w) || is_scaled(w)) return {};
  Recipes recipes;
  for (const double base : {1e4, 5e5, 1e6, 1e5, 1.6e5, 1.5e5, 5e4, 1.3e5, 2.5e5, 2e5, 2e6, 4e6, 5e6,
                            8e6, 1e7, 1e8, 1e3, 1e2, 10.0}) {
    if (base != rotation(w)->number("base")) recipes.push_back(both_with({{"base", base}}));
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

using Offsets = std::vector<Index>;

Offsets moved(Offsets offsets, Index by) {
  for (Index& offset : offsets) offset += by;
  return offsets;
}

constexpr Index kMostShift = 65;  // rows of a table of positions that are tried

/// By how many places positions are shifted by mistake: a few, or a size of the problem.
std::vector<Index> usual_shifts(std::vector<Index> sizes) {
  for (const Index few : {4, 3, 2, 1}) sizes.insert(sizes.begin(), few);
  std::vector<Index> shifts;
  for (const Index size : sizes) {
    if (size == 0 || std::count(shifts.begin(), shifts.end(), size) > 0) continue;
    shifts.insert(shifts.end(), {size, -size});
  }
  return shifts;
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

/// Positions 0, 1, 2 … in place of those that are given: rows and batch entries of the step `id`.
Parameters counted_up(const Wiring& w, const char* id) {
  const Step& step = *w.find(id);
  const auto all = std::ssize(step.parameters.counts("row_positions"));
  Offsets counted;
  for (Index i = 0; i < all; ++i) counted.push_back(i % step.value.rows());
  return {{"row_positions", std::move(counted)}};
}

/// Positions that count anew, stand still, or are shifted: on one side, or on both against the
/// cache. Without a cache, the same shift on both sides changes no score.
Recipes shifted_rotation(const Wiring& w) {
  if (rotation(w) == nullptr) return {};
  const Starts now = starts_of(w);
  if (rotation(w)->find("row_positions") != nullptr) return {both_with(counted_up(w, "q_rotated"))};
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
  const Index all = w.find("q_rotated")->value.cols() / 2 * 2;
  const Index right = rotation(w)->count("rotary_dim");
  Recipes recipes;
  if (right < all) {
    recipes.push_back(both_with({{"rotary_dim", all}}));
    recipes.push_back(
        both_mistaken({{"angles_of", all}, {"pairs_of", all}, {"whole_pairs", true}}));
    recipes.push_back(both_mistaken({{"angles_of", all}, {"pairs_of", all}}));
    if (right >= 4) recipes.push_back(both_mistaken({{"angles_of", all}}));
    if (!rotation(w)->flag("interleaved"))
      recipes.push_back(both_mistaken({{"pairs_of", all}, {"whole_pairs", true}}));
  }
  for (const Index part : {2, 4}) {
    if (right % (2 * part) == 0) recipes.push_back(both_with({{"rotary_dim", right / part}}));
  }
  return recipes;
}

Recipes mixed_conventions(const Wiring& w) {
  if (!has_pairs(w)) return {};
  const bool now = rotation(w)->flag("interleaved");
  return {both_mistaken({{"interleaved", !now}, {"angles_interleaved", now}}),
          both_mistaken({{"interleaved", now}, {"angles_interleaved", !now}})};
}

/// An exponent: `factor`·(2i + `shift`)/d instead of 2i/d.
struct Exponent {
  double factor, shift;

  Parameters parameters() const { return {{"exponent_factor", factor}, {"exponent_shift", shift}}; }
};

/// Halved (i/d), doubled, i from 1 or −1, 2i ± 1, from 0 to 1 (d − 2 for d), and negative.
std::vector<Exponent> other_exponents(Index columns) {
  std::vector<Exponent> all{{1, 2}, {1, -2}, {1, 1}, {1, -1}};
  if (columns < 4) return all;
  const auto d = static_cast<double>(columns);
  all.insert(all.begin(), {{0.5, 0}, {2, 0}});
  all.insert(all.end(), {{d / (d - 2), 0}, {-1, 0}});
  return all;
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

/// What adds up embeddings without those of positions, in a whole model that learned them.
Recipes no_learned_positions(const Wiring& w) {
  for (const char* id : {"x", "embedding_sum"}) {
    if (!w.made_by(id, "add")) continue;
    std::vector<std::string> terms = w.find(id)->inputs;
    if (std::erase(terms, "position_embeddings") == 0) continue;
    Rewiring change = from(std::string(".") + id, in_whole(terms));
    if (terms.size() == 1) change.operation = find_operation("copy");
    return {{std::move(change)}};
  }
  return {};
}

Recipes no_positions(const Wiring& w) {
  if (w.has("x_positioned")) return {{skipped("x_positioned")}};
  if (w.has("position_embeddings")) return no_learned_positions(w);
  if (!w.made_by("bias", "alibi_bias") || !w.has("masked_scores")) return {};
  if (w.has("given_bias")) return {{instead("bias", "copy", {"given_bias"})}};
  if (w.made_by("masked_scores", "hide")) return {{from("masked_scores", {"{0}", "{1}"})}};
  if (w.has("added_mask")) return {{from("masked_scores", {"{0}", "{2}"})}};
  return {{skipped("masked_scores")}};
}

bool has_waves(const Wiring& w) { return w.made_by("positions", "sinusoid"); }

Recipes in_halves(const Wiring& w) {
  if (!has_waves(w) || w.find("positions")->value.cols() < 3) return {};
  return {{with("positions", {{"halves", true}})}};
}

/// Other rows of the table of positions: shifted, or the first one for every token.
Recipes shifted_rows(const Wiring& w) {
  const Offsets right = w.find("position_embeddings")->parameters.counts("ids");
  const Index least = *std::min_element(right.begin(), right.end());
  const Index most = *std::max_element(right.begin(), right.end());
  const Index rows = w.truth().input(*w.find("position_embeddings"), 0).value.rows();
  Recipes recipes;
  const auto add = [&](Offsets ids) {
    if (ids != right) recipes.push_back({with(".position_embeddings", {{"ids", std::move(ids)}})});
  };
  add(Offsets(right.size(), 0));
  for (Index by = -least; by < std::min(rows - most, kMostShift); ++by) add(moved(right, by));
  return recipes;
}

/// Sines and cosines of other positions: from 0 or 1, shifted, or the same for every token.
Recipes shifted_positions(const Wiring& w) {
  if (w.made_by("position_embeddings", "look_up")) return shifted_rows(w);
  if (!has_waves(w)) return {};
  if (w.find("positions")->parameters.find("row_positions") != nullptr)
    return {{with("positions", counted_up(w, "positions"))}};
  const Offsets now = w.find("positions")->parameters.counts("offsets");
  const Offsets zero{0};
  Recipes recipes;
  if (now != zero) recipes.push_back({with("positions", {{"offsets", zero}})});
  for (const Index by : usual_shifts({w.find("positions")->value.rows()}))
    recipes.push_back({with("positions", {{"offsets", moved(now, by)}})});
  recipes.push_back({instead("positions", "mistaken_sinusoid", {},
                             {{"place", std::string("first")}, {"offsets", zero}})});
  return recipes;
}

/// The exponent of both, of cosines alone, or doubled with that of cosines one column further on.
Recipes other_wave_exponent(const Wiring& w) {
  if (!has_waves(w)) return {};
  Recipes recipes;
  const auto add = [&](Parameters parameters, std::optional<Exponent> cosine = std::nullopt) {
    if (cosine) {
      parameters.set("cosine_factor", cosine->factor);
      parameters.set("cosine_shift", cosine->shift);
    }
    recipes.push_back({instead("positions", "mistaken_sinusoid", {}, std::move(parameters))});
  };
  const std::vector<Exponent> others = other_exponents(w.find("positions")->value.cols());
  for (const Exponent& each : others) add(each.parameters());
  for (const Exponent& each : others) add({}, each);
  for (const double shift : {1.0, 2.0}) add(Exponent{2, 0}.parameters(), Exponent{2, shift});
  return recipes;
}

/// The rule for powers of two where the number of heads is not a power of two, that rule counted
/// from h = 0, the slopes of eight heads, and the right slopes in ascending and descending order.
Recipes other_slopes(const Wiring& w) {
  if (!w.made_by("bias", "alibi_bias")) return {};
  const std::vector<double> right = w.find("bias")->parameters.numbers("slopes");
  std::array<std::vector<double>, 5> rules;
  const auto heads = static_cast<double>(right.size());
  for (double h = 0.0; h < heads; ++h) {
    rules[0].push_back(std::pow(2.0, -8.0 * (h + 1.0) / heads));
    rules[1].push_back(std::pow(2.0, -8.0 * h / heads));
    rules[2].push_back(std::pow(2.0, -(h + 1.0)));
  }
  rules[3] = right;
  std::sort(rules[3].begin(), rules[3].end());
  rules[4].assign(rules[3].rbegin(), rules[3].rend());
  Recipes recipes;
  for (std::vector<double>& slopes : rules) {
    if (slopes != right) recipes.push_back({with("bias", {{"slopes", std::move(slopes)}})});
  }
  return recipes;
}

/// The slopes with the other sign.
Recipes other_sign(const Wiring& w) {
  if (!w.made_by("bias", "alibi_bias")) return {};
  std::vector<double> slopes = w.find("bias")->parameters.numbers("slopes");
  for (double& slope : slopes) slope = -slope;
  return {{with("bias", {{"slopes", std::move(slopes)}})}};
}

constexpr std::array kPositionRows = {
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
    MistakeRow{.words = {"positions.missing", "positions left out", "The positions are not added.",
                         "How does attention know the order of the tokens?", "steps"},
               .variants = no_positions,
               .part = PartKind::Whole},
    MistakeRow{.words = {"positions.halves", "all sines before all cosines",
                         "All sines come first, then all cosines, but they should alternate.",
                         "Which column holds the first cosine?", "steps"},
               .variants = in_halves,
               .part = PartKind::Whole},
    MistakeRow{.words = {"positions.offset", "positions shifted",
                         "The positions start at another number, or are the same for every token.",
                         "What is the position of the first token?", "steps"},
               .variants = shifted_positions,
               .part = PartKind::Whole},
    MistakeRow{
        .words =
            {"positions.exponent", "wrong exponent in sines and cosines",
             "The exponent of 10000 is not 2i/d_model: it is doubled or halved, or i is counted "
             "from another number, perhaps for cosines alone.",
             "By which number is the position divided in columns 2 and 3?", "steps"},
        .variants = other_wave_exponent,
        .part = PartKind::Whole},
    MistakeRow{{"alibi.slopes", "wrong slopes for ALiBi",
                "The slopes follow a different rule, or the heads get them in a different order.",
                "What is the slope of each head?", "json"},
               other_slopes},
    MistakeRow{{"alibi.sign", "ALiBi with the wrong sign",
                "The bias grows with the distance instead of falling: it is added, not subtracted.",
                "Should a distant key get a higher or a lower score?", "json"},
               other_sign},
};

}  // namespace

std::span<const MistakeRow> position_mistakes() { return kPositionRows; }

}  // namespace attn
