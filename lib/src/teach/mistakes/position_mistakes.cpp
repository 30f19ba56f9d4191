// Mistakes with positions that are added: learned ones, sines and cosines, ALiBi.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "teach/mistakes/mistake_rows.hpp"
#include "teach/mistakes/shifts.hpp"

namespace attn {
namespace {

constexpr Index kMostShift = 65;  // rows of a table of positions that are tried

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
  const bool by_distance = w.made_by("bias", "alibi_bias") || w.made_by("bias", "t5_bias");
  if (!by_distance || !w.has("masked_scores")) return {};
  if (w.has("given_bias")) return {{instead("bias", "copy", {"given_bias"})}};
  if (w.made_by("masked_scores", "hide")) return {{from("masked_scores", {"{0}", "{1}"})}};
  if (w.has("added_mask")) return {{from("masked_scores", {"{0}", "{2}"})}};
  return {{skipped("masked_scores")}};
}

bool has_waves(const Wiring& w) { return w.made_by("positions", "sinusoid"); }

Recipes in_halves(const Wiring& w) {
  if (!has_waves(w) || w.find("positions")->value.cols() < 3) return {};
  const Parameters::Value* halves = w.find("positions")->parameters.find("halves");
  return {{with("positions", {{"halves", halves == nullptr || !std::get<bool>(*halves)}})}};
}

/// Other rows of the table of positions: shifted, or the first one for every token.
Recipes shifted_rows(const Wiring& w, const std::string& id) {
  const Step& looked_up = *w.find(id.c_str());
  const Offsets right = looked_up.parameters.counts("ids");
  const Index least = *std::min_element(right.begin(), right.end());
  const Index most = *std::max_element(right.begin(), right.end());
  const Index rows = w.truth().input(looked_up, 0).value.rows();
  Recipes recipes;
  const auto add = [&](Offsets ids) {
    if (ids != right) recipes.push_back({with("." + id, {{"ids", std::move(ids)}})});
  };
  add(Offsets(right.size(), 0));
  for (Index by = -least; by < std::min(rows - most, kMostShift); ++by) add(moved(right, by));
  return recipes;
}

/// Sines and cosines of other positions: from 0 or 1, shifted, or the same for every token.
Recipes shifted_positions(const Wiring& w) {
  for (const char* id : {"position_embeddings", "positions"}) {
    if (w.made_by(id, "look_up")) return shifted_rows(w, id);
  }
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
  const Parameters::Value* to_base = w.find("positions")->parameters.find("to_base");
  recipes.push_back(
      {with("positions", {{"to_base", to_base == nullptr || !std::get<bool>(*to_base)}})});
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
    MistakeRow{.words = {"positions.missing", "positions left out", "The positions are not added.",
                         "How does attention know the order of the tokens?", "steps"},
               .variants = no_positions,
               .part = PartKind::Whole},
    MistakeRow{.words = {"positions.halves", "sines and cosines in another order",
                         "All sines come first, then all cosines, but they should alternate; or "
                         "the other way round.",
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
