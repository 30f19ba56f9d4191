// The table of mistakes, and a computation with one of them built in.
#include "attn/teach/mistakes.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "attn/error.hpp"
#include "attn/phrases.hpp"
#include "attn/suggest.hpp"
#include "core/attention/gradient_steps.hpp"
#include "teach/mistakes/mistake_rows.hpp"

namespace attn {
namespace {

const std::vector<const MistakeRow*>& rows() {
  static const std::vector<const MistakeRow*> all = [] {
    std::vector<const MistakeRow*> made;
    for (const auto part :
         {scale_mistakes(), softmax_mistakes(), mask_mistakes(), visibility_mistakes(),
          softcap_mistakes(), projection_mistakes(), head_mistakes(), rope_mistakes(),
          position_mistakes(), extra_mistakes(), norm_mistakes(), layer_mistakes(),
          model_mistakes(), setting_mistakes(), gradient_mistakes(), slips(), equivalents()}) {
      for (const MistakeRow& row : part) made.push_back(&row);
    }
    return made;
  }();
  return all;
}

const std::string kEverywhere = "*";

Error refused(const Mistake& mistake, const char* reason) {
  return input_error({.id = "no-such-fault",
                      .what = std::string(mistake.code) + " cannot be built in: " + reason,
                      .fix = "Choose another mistake, or another problem."});
}

}  // namespace

const std::vector<Part>& Parts::of(PartKind kind) const {
  const auto [at, is_new] = parts_.try_emplace(kind);
  if (is_new) at->second = parts_of(whole_, kind);
  return at->second;
}

std::vector<Variant> Parts::variants(const MistakeRow& row, Spread spread) const {
  if (row.variants == nullptr) return {};
  std::map<std::string, std::vector<std::pair<const Part*, Recipes>>> groups;
  std::vector<std::string> order;  // of the groups
  std::size_t count = 0;
  for (const Part& part : of(row.part)) {
    Recipes recipes = row.variants(Wiring(part.alone));
    if (recipes.empty()) continue;
    ++count;
    const std::string& key = spread == Spread::Alone   ? part.name
                             : spread == Spread::Alike ? part.like
                                                       : kEverywhere;
    if (!groups.contains(key)) order.push_back(key);
    groups[key].emplace_back(&part, std::move(recipes));
  }
  std::vector<Variant> made;
  const bool narrower = spread != Spread::Everywhere;
  if (count == 0 || (narrower && (count == 1 || order.size() == 1))) return made;
  for (const std::string& key : order) {
    auto& group = groups[key];
    if (spread == Spread::Alike && group.size() == 1) continue;
    std::size_t ways = group.front().second.size();
    for (const auto& [part, recipes] : group) ways = std::min(ways, recipes.size());
    const bool lone = count == 1 && !group.front().first->name.empty();
    for (std::size_t way = 0; way < ways; ++way) {
      Variant& variant = made.emplace_back();
      if (whole_.is_model() && row.part != PartKind::Whole)
        variant.scope = lone ? group.front().first->name : key;
      for (auto& [part, recipes] : group) {
        for (Rewiring& change : part->lifted(std::move(recipes[way])))
          variant.recipe.push_back(std::move(change));
      }
    }
  }
  return made;
}

bool is_possible(const Recipe& recipe, const Trace& outline) {
  return std::all_of(recipe.begin(), recipe.end(), [&](const Rewiring& change) {
    return change.left_out || outline.find(rewired_id(change)) != nullptr;
  });
}

std::span<const MistakeRow* const> mistake_rows() { return rows(); }

std::span<const Mistake> mistakes() {
  static const std::vector<Mistake> all = [] {
    std::vector<Mistake> made;
    for (const MistakeRow* row : rows()) made.push_back(row->words);
    return made;
  }();
  return all;
}

std::vector<std::string> mistake_codes() {
  std::vector<std::string> codes;
  for (const Mistake& each : mistakes()) codes.emplace_back(each.code);
  return codes;
}

const MistakeRow* find_mistake_row(std::string_view code) {
  const auto at = std::find_if(rows().begin(), rows().end(),
                               [&](const MistakeRow* row) { return row->words.code == code; });
  return at == rows().end() ? nullptr : *at;
}

const Mistake* find_mistake(std::string_view code) {
  const MistakeRow* row = find_mistake_row(code);
  return row == nullptr ? nullptr : &row->words;
}

bool describes(std::string_view code, std::string_view right) {
  const MistakeRow* row = find_mistake_row(code);
  const std::string yields_to = row == nullptr ? "" : " " + std::string(row->yields_to) + " ";
  return code == right || yields_to.find(" " + std::string(right) + " ") != yields_to.npos;
}

bool is_made_backwards(std::string_view fault) {
  const MistakeRow* row = find_mistake_row(fault.substr(0, fault.find('@')));
  return row != nullptr && (row->part == PartKind::Backward || row->part == PartKind::Sum);
}

namespace {

bool can_be_made(const Trace& truth, const Recipe& recipe) {
  return is_possible(recipe, replay(truth, recipe, Numbers::None));
}

/// A mistake in that part of a whole model alone, or none: what other parts would need is not made.
std::optional<Variant> in_one_part(const Parts& parts, const MistakeRow& row,
                                   const std::string& place) {
  for (const Part& part : parts.of(row.part)) {
    if (part.name.empty() || part.name != place) continue;
    for (Recipe& each : row.variants(Wiring(part.alone))) {
      Recipe recipe = part.lifted(std::move(each));
      if (can_be_made(parts.whole(), recipe)) return Variant{std::move(recipe), place};
    }
  }
  return std::nullopt;
}

}  // namespace

Trace with_mistake(const Trace& truth, const std::string& fault) {
  const std::size_t at = fault.find('@');
  const std::string code = fault.substr(0, at);
  const MistakeRow* row = find_mistake_row(code);
  if (row == nullptr) {
    const std::vector<std::string> codes = mistake_codes();
    throw Error(ErrorKind::Usage,
                {{.id = "unknown-mistake",
                  .what = "there is no mistake \"" + code + "\"" + did_you_mean(code, codes),
                  .fix = "The codes are " + listed(codes) + "."}});
  }
  const Mistake& mistake = row->words;
  if (row->variants == nullptr) throw refused(mistake, "it can only be recognised");
  const Parts parts(truth);
  std::vector<std::string> places;
  std::optional<Variant> chosen;
  if (at != fault.npos) chosen = in_one_part(parts, *row, fault.substr(at + 1));
  for (const Spread spread : kSpreads) {
    if (chosen) break;
    for (Variant& each : parts.variants(*row, spread)) {
      if (chosen || !can_be_made(truth, each.recipe)) continue;
      if (std::find(places.begin(), places.end(), each.scope) == places.end())
        places.push_back(each.scope);
      const bool meant = at == fault.npos || fault.substr(at + 1) == each.scope;
      if (meant) chosen = std::move(each);
    }
  }
  if (!chosen && places.empty()) {
    const bool backwards = is_made_backwards(code) &&
                           std::none_of(truth.steps.begin(), truth.steps.end(), is_gradient);
    throw refused(mistake, backwards ? "it is made in gradients, and they are not computed"
                                     : "it does not apply to this problem");
  }
  if (!chosen) {
    const std::string place = fault.substr(at + 1);
    throw input_error({.id = "no-such-fault",
                       .what = code + " has no place called \"" + place + "\" in this " +
                               (truth.is_model() ? "model" : "problem"),
                       .fix = truth.is_model()
                                  ? "After the @ comes one of " + listed(places, 40) + "."
                                  : "Leave out @" + place + ": places are for whole models."});
  }
  Trace trace = replay(truth, chosen->recipe);
  trace.title = std::string(mistake.code) + ": " + mistake.title;
  trace.description = truth.title;
  const std::string where = chosen->scope.empty() ? "" : ", " + chosen->scope;
  trace.notes.insert(trace.notes.begin(), std::string("A known mistake is built in (") +
                                              mistake.code + where + "): " + mistake.explanation);
  for (const Step& step : truth.steps) {
    if (trace.find(step.id) == nullptr)
      trace.notes.push_back(step.id + " does not exist with this mistake.");
  }
  return trace;
}

}  // namespace attn
