// Skips mistakes that touch nothing that leads to an answer, and tries usual ways before others.
#include "teach/check/model_search.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "teach/check/equivalent.hpp"
#include "teach/check/estimated_fill.hpp"

namespace attn {
namespace {

bool touches(const Variation& change, const std::set<std::string>& ids) {
  return std::any_of(change.recipe.begin(), change.recipe.end(),
                     [&](const Rewiring& each) { return ids.contains(rewired_id(each)); }) ||
         std::any_of(change.afterwards.begin(), change.afterwards.end(),
                     [&](const Afterwards& each) { return ids.contains(each.step); });
}

/// Whether a mistake can be made in those steps: only then is it worth building in everywhere.
bool may_touch(const Case& known, const MistakeRow& row, const std::set<std::string>& ids) {
  if (row.variants == nullptr) return false;
  const std::vector<Part>& parts = known.parts.of(row.part);
  return std::any_of(parts.begin(), parts.end(), [&](const Part& part) {
    const bool within = std::any_of(part.ids.begin(), part.ids.end(),
                                    [&](const auto& each) { return ids.contains(each.second); });
    if (!within) return part.name.empty();
    const Recipes recipes = row.variants(Wiring(part.alone));
    return std::any_of(recipes.begin(), recipes.end(), [&](const Recipe& recipe) {
      return touches({.recipe = part.lifted(recipe)}, ids);
    });
  });
}

/// Whether each row that sees a single key gives it the weight 1, whatever its score: not where a
/// sink takes a share, and only where no earlier keys are cached.
bool shares_among_keys(const Step& step) {
  const Shape shape = step.value.shape();
  return step.operation->name == std::string_view("softmax") && step.inputs.size() == 1 &&
         shape.rows == shape.cols;
}

bool is_of_mask(const Step& step) {
  const StepRole role = step.info().role;
  return role == StepRole::MaskedScores || role == StepRole::Mask;
}

/// Steps that lead only to such weights, and do not change which keys are seen.
std::set<std::string> steps_towards_scores(const Trace& trace) {
  std::set<std::string> others;  // that lead to something else, too
  std::set<std::string> towards;
  for (auto step = trace.steps.end(); step != trace.steps.begin();) {
    --step;
    const bool is_towards = towards.contains(step->id) && !others.contains(step->id);
    for (const std::string& input : step->inputs)
      (is_towards || shares_among_keys(*step) ? towards : others).insert(input);
  }
  std::erase_if(towards, [&](const std::string& id) {
    return others.contains(id) || is_of_mask(*trace.find(id));
  });
  return towards;
}

constexpr double kPlanning = 1e5;  // what the outline of one step takes, in products

/// Whether a change leaves the first row of a causal model as it is.
bool keeps_first_row(const std::set<std::string>& towards_scores, const Variation& change) {
  return change.afterwards.empty() &&
         std::all_of(change.recipe.begin(), change.recipe.end(), [&](const Rewiring& each) {
           return towards_scores.contains(rewired_id(each));
         });
}

/// Whether the first row of an answer is wrong, all of its numbers are finite, and weights come
/// before it.
bool first_row_is_wrong(const Case& known, std::size_t at,
                        const std::set<std::string>& towards_scores) {
  const GradedAnswer& judged = known.answers[at];
  if (towards_scores.contains(judged.step->id) || is_of_mask(*judged.step)) return false;
  bool wrong = false;
  for (std::size_t i = 0; i < judged.report.cells.size(); ++i) {
    if (judged.step->value.shape().cell_at(static_cast<Index>(i)).row != 0) continue;
    if (!std::isfinite(judged.theirs->data()[i])) return false;
    wrong = wrong || judged.report.cells[i] == CellVerdict::Wrong;
  }
  return wrong;
}

/// The rows of the table in the order in which a model is searched.
std::vector<const MistakeRow*> rows_in_order(bool all_rows) {
  std::vector<const MistakeRow*> rows;
  for (const MistakeRow* row : mistake_rows()) {
    if (row->variants != nullptr && looks_ahead(*row) == all_rows) rows.push_back(row);
  }
  std::stable_partition(rows.begin(), rows.end(), [](const MistakeRow* row) {
    return std::string_view(row->words.code).starts_with("mask.");
  });
  return rows;
}

}  // namespace

std::set<std::string> stretch_before(const Case& known, std::size_t at) {
  std::set<std::string> ids{known.answers[at].step->id};
  const auto& steps = known.truth.steps;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    if (!ids.contains(step->id)) continue;
    const GradedAnswer* judged = known.find(step->id);
    const bool used = judged != nullptr && judged->used() && !step->is_given();
    if (used && step->id != known.answers[at].step->id) {
      ids.erase(step->id);
    } else {
      ids.insert(step->inputs.begin(), step->inputs.end());
    }
  }
  return ids;
}

void try_parts(const Case& known, std::size_t at,
               const std::function<bool(const Candidate& candidate)>& attempt) {
  const std::set<std::string> stretch = stretch_before(known, at);
  const std::set<std::string> towards_scores = steps_towards_scores(known.truth);
  const bool first_wrong = known.is_causal && first_row_is_wrong(known, at, towards_scores);
  Searching& search = known.search;
  const auto is_spent = [&] { return search.work > search.most_work; };
  const auto offer = [&](Candidate candidate) {
    if (!touches(candidate.change, stretch)) return;
    if (first_wrong && keeps_first_row(towards_scores, candidate.change)) return;
    const bool harmless = is_equivalent(*candidate.row);
    if (!harmless) search.tried.insert(candidate.row->words.code);
    if (is_spent()) {
      if (!harmless) search.left_out.insert(candidate.row->words.code);
      return;
    }
    search.work += kPlanning * static_cast<double>(known.truth.steps.size());
    if (!plan(known.truth, candidate)) return;
    const Candidate& kept = search.made.emplace_back(std::move(candidate));
    if (!attempt(kept)) search.made.pop_back();
  };
  for (Candidate& each : other_routes(known.parts)) offer(std::move(each));
  for (Candidate& each : without_b_k(known)) offer(std::move(each));
  for (Candidate& each : estimated_fills(known)) offer(std::move(each));
  for (Candidate& each : estimated_paddings(known)) offer(std::move(each));
  std::map<const MistakeRow*, bool> may;  // whether a mistake can be made there
  for (const Spread spread : kSpreads) {
    for (const bool usual : {true, false}) {
      for (const bool all_rows : {false, true}) {
        for (const MistakeRow* row : rows_in_order(all_rows)) {
          if (is_spent() && may.contains(row)) {
            if (may.at(row)) search.left_out.insert(row->words.code);
            continue;
          }
          if (!may.contains(row)) may[row] = may_touch(known, *row, stretch);
          if (!may.at(row)) continue;
          std::set<std::string> places;  // whose usual way has been there
          for (Variant& each : known.parts.variants(*row, spread)) {
            if (places.insert(each.scope).second == usual)
              offer({row, {.recipe = std::move(each.recipe)}, std::move(each.scope)});
          }
        }
      }
    }
  }
}

std::vector<Candidate> candidates_in_parts(const Case& known, std::size_t at, Spread spread,
                                           Index most) {
  const std::set<std::string> stretch = stretch_before(known, at);
  std::vector<Candidate> all;
  for (const MistakeRow* row : mistake_rows()) {
    if (!may_touch(known, *row, stretch)) continue;
    std::map<std::string, Index> made;  // by place
    for (Variant& each : known.parts.variants(*row, spread)) {
      Candidate candidate{row, {.recipe = std::move(each.recipe)}, std::move(each.scope)};
      if (!touches(candidate.change, stretch) || ++made[candidate.scope] > most) continue;
      known.search.work += kPlanning * static_cast<double>(known.truth.steps.size());
      if (plan(known.truth, candidate)) all.push_back(std::move(candidate));
    }
  }
  return all;
}

}  // namespace attn
