// Tries, row by row, choices that scores within the tolerance allow, until the answer comes close.
#include "teach/check/near_ties.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "attn/phrases.hpp"
#include "attn/teach/mistakes.hpp"
#include "core/operations/row_links.hpp"
#include "teach/check/finding.hpp"
#include "teach/check/model_search.hpp"

namespace attn {
namespace {

/// For each row and expert, 1 if the row takes it whatever its score. A row of zeros chooses by its
/// scores.
using Choice = std::vector<Index>;
/// By the step that chooses.
using Choices = std::map<std::string, Choice>;

constexpr std::size_t kMostAttempts = 60;  // for one row

bool is_choice(const Step& step) {
  return step.operation != nullptr && step.operation->name == std::string_view("choose_experts");
}

Choice choice_of(const Tensor& weights) {
  Choice taken;
  for (const double x : weights.data()) taken.push_back(x != 0.0 ? 1 : 0);
  return taken;
}

Recipe recipe_of(const Choices& choices) {
  Recipe recipe;
  for (const auto& [id, choice] : choices)
    recipe.push_back({.step = "." + id, .parameters = {{"preferred", choice}}});
  return recipe;
}

/// The part of a choice that one row of the weights makes.
Choice::iterator part_of(Choice& choice, const Tensor& weights, const Cell& row) {
  return choice.begin() +
         ((row.batch * weights.heads() + row.head) * weights.rows() + row.row) * weights.cols();
}

/// What a row of a router may choose if one of its scores is larger or smaller by the tolerance.
std::set<Choice> possible_choices(const Step& router, const Evaluation& run, const Cell& row,
                                  double tolerance) {
  const Tensor& all = *run.made(router.inputs.front());
  const auto own = all.row(row.batch, row.head, row.row);
  Tensor scores(Shape{{}, {}, 2 * all.cols(), all.cols()});
  for (Index r = 0; r < scores.rows(); ++r) {
    const auto to = scores.row(0, 0, r);
    std::copy(own.begin(), own.end(), to.begin());
    to[static_cast<std::size_t>(r / 2)] += r % 2 == 0 ? tolerance : -tolerance;
  }
  std::vector<const Tensor*> inputs{&scores};
  if (router.inputs.size() > 1) inputs.push_back(run.made(router.inputs[1]));
  const Choice made =
      choice_of(evaluate(*router.operation, {inputs, router.parameters, scores.shape()}));
  std::set<Choice> choices;
  for (auto at = made.begin(); at != made.end(); at += all.cols())
    choices.emplace(at, at + all.cols());
  return choices;
}

/// The computation of an answer from the answers before it, where routers choose as they are asked.
class Stretch {
 public:
  Stretch(const Case& known, std::size_t at) : known_(known), judged_(known.answers[at]) {
    for (std::size_t i = 0; i < at; ++i) {
      if (known.answers[i].used()) kept_.insert(known.answers[i].step->id);
    }
  }

  /// Adds choices until every row is right, if there are any; returns whether they are. A row that
  /// is off by more than our own run in the number type would be is worth another choice.
  bool settle(const std::vector<const Step*>& routers, const RouterTolerances& tolerances,
              Choices& choices) const {
    const auto go_on = [&](const Choices& with) {
      return std::make_unique<Attempt>(*this, with, FirstRows{});
    };
    std::unique_ptr<Attempt> run = go_on(choices);
    const Shape shape = judged_.theirs->shape();
    for (Index r = 0; r < shape.rows; ++r) {
      for (Index b = 0; b < judged_.theirs->batch(); ++b) {
        const Cell row{b, 0, r, 0};
        const double gap = run->gap(row);
        if (gap <= judged_.close.tolerance / kRuns) continue;
        Choices closer = closest(row, routers, tolerances, choices);
        if (closer != choices) run = go_on(choices = std::move(closer));
        if (!judged_.close.covers(run->gap(row))) return false;
      }
    }
    return true;
  }

 private:
  /// One run of the first rows.
  struct Attempt {
    const Stretch& stretch;
    Choices choices;
    Evaluation run;

    Attempt(const Stretch& of, Choices with, FirstRows first)
        : stretch(of),
          choices(std::move(with)),
          run(
              of.known_.truth, of.known_.follows, {.recipe = recipe_of(choices)},
              {of.judged_.step->id},
              [](const std::string&, const Tensor&, bool, const Tensor*&) { return true; }, first,
              of.kept_) {
      of.known_.search.work += run.work();
    }
    /// The largest difference in a row.
    double gap(const Cell& row) const {
      const Tensor &ours = *run.made(stretch.judged_.step->id), &theirs = *stretch.judged_.theirs;
      double most = 0.0;
      for (Index h = 0; h < ours.heads(); ++h) {
        for (Index c = 0; c < ours.cols(); ++c) {
          const Cell cell{row.batch, h, row.row, c};
          const double a = theirs.at(cell), b = ours.at(cell);
          if (a == b || (std::isnan(a) && std::isnan(b))) continue;
          most = std::isfinite(a - b) ? std::max(most, std::abs(a - b)) : kInfinity;
        }
      }
      return most;
    }
  };

  /// With choices of this row with which it agrees best. Those that come closest are continued
  /// first.
  Choices closest(const Cell& row, const std::vector<const Step*>& routers,
                  const RouterTolerances& tolerances, const Choices& choices) const {
    const FirstRows first = known_.is_causal ? FirstRows{row.row + 1, row.row + 1} : FirstRows{};
    std::set<Choices> seen{choices};
    std::multimap<double, std::unique_ptr<Attempt>> open;
    const auto attempt = [&](Choices with) {
      auto made = std::make_unique<Attempt>(*this, std::move(with), first);
      const double gap = made->gap(row);
      open.emplace(gap, std::move(made));
    };
    attempt(choices);
    double least = kInfinity;
    Choices best = choices;
    while (!open.empty() && known_.search.work <= known_.search.most_work) {
      const auto next = open.extract(open.begin());
      const Attempt& now = *next.mapped();
      if (next.key() < least) best = now.choices;
      least = std::min(least, next.key());
      if (least <= judged_.close.tolerance / kRuns) break;
      for (const Step* router : routers) {
        for (const Choice& other :
             possible_choices(*router, now.run, row, tolerances.at(router->id))) {
          Choices changed = now.choices;
          std::copy(other.begin(), other.end(),
                    part_of(changed.at(router->id), router->value, row));
          if (seen.size() < kMostAttempts && seen.insert(changed).second)
            attempt(std::move(changed));
        }
      }
    }
    return best;
  }

  const Case& known_;
  const GradedAnswer& judged_;
  std::set<std::string> kept_;  // answers that later steps are computed from
};

/// "3 instead of 0": which experts a row takes that it does not take in the truth.
std::string exchanged(const Choice& ours, const Choice& theirs, std::size_t first,
                      std::size_t experts) {
  std::vector<std::string> more, fewer;
  for (std::size_t e = 0; e < experts; ++e) {
    if (theirs[first + e] > ours[first + e]) more.push_back(std::to_string(e));
    if (theirs[first + e] < ours[first + e]) fewer.push_back(std::to_string(e));
  }
  return together(more) + " instead of " + together(fewer);
}

/// Where the choices differ from those of the truth.
void describe(const Trace& truth, Choices& choices, NearTies& ties) {
  for (auto& [id, theirs] : choices) {
    const Tensor& weights = truth.value(id);
    const Choice ours = choice_of(weights);
    const auto experts = static_cast<std::size_t>(weights.cols());
    for (std::size_t at = 0; at < ours.size(); at += experts) {
      const auto from = theirs.begin() + static_cast<std::ptrdiff_t>(at);
      const auto to = from + weights.cols();
      if (std::all_of(from, to, [](Index x) { return x == 0; }) ||
          std::equal(from, to, ours.begin() + static_cast<std::ptrdiff_t>(at)))
        continue;
      if (ties.rows++ > 0) continue;
      ties.first =
          filled("Row {} of {} takes {}", weights.shape().cell_at(static_cast<Index>(at)).row, id,
                 exchanged(ours, theirs, at, experts));
    }
  }
}

}  // namespace

Recipe choices_as_in(const Trace& truth) {
  Choices choices;
  for (const Step& step : truth.steps) {
    if (is_choice(step)) choices[step.id] = choice_of(step.value);
  }
  return recipe_of(choices);
}

NearTies near_ties(const Case& known, const RouterTolerances& tolerances) {
  NearTies ties;
  Choices all;
  for (std::size_t at = 0; at < known.answers.size() && !tolerances.empty(); ++at) {
    const GradedAnswer& judged = known.answers[at];
    const std::set<std::string> stretch = stretch_before(known, at);
    std::vector<const Step*> routers;
    Choices choices;
    for (const auto& [id, tolerance] : tolerances) {
      const Step& step = known.truth.at(id);
      if (!stretch.contains(id) || step.parameters.find("preferred") != nullptr) continue;
      routers.push_back(&step);
      // from the answers, a router may choose otherwise already
      const Choice right = choice_of(step.value), own = choice_of(*known.follows.made(id));
      choices[id] = own == right ? Choice(own.size(), 0) : own;
    }
    const bool wrong = count(judged.report.cells, CellVerdict::Wrong) > 0;
    if (!judged.theirs || (wrong && routers.empty()) ||
        (wrong && !Stretch(known, at).settle(routers, tolerances, choices)))
      break;
    const Index before = ties.rows;
    describe(known.truth, choices, ties);
    if (before == 0 && ties.rows > 0) ties.answer = judged.step->id;
    all.merge(choices);
  }
  ties.recipe = recipe_of(all);
  return ties;
}

void name_near_ties(const NearTies& ties, CheckReport& report) {
  const auto step = std::find_if(report.steps.begin(), report.steps.end(),
                                 [&](const StepReport& each) { return each.id == ties.answer; });
  if (step == report.steps.end()) return;
  Finding finding = finding_of(*find_mistake("equivalent.near_tie"), 0, 0);
  finding.message += " " + ties.first +
                     (ties.rows > 1 ? filled(", and so do {} more.", counted(ties.rows - 1, "row"))
                                    : std::string("."));
  finding.facts.push_back({"rows", static_cast<double>(ties.rows)});
  step->findings.push_back(std::move(finding));
}

}  // namespace attn
