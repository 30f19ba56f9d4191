// Takes a share of each row, and changes each number of the solution to see that it is missed.
#include "teach/exercise/inverse_sheet.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "attn/phrases.hpp"
#include "core/trace/leading_to.hpp"
#include "core/trace/missing_step.hpp"
#include "teach/check/search.hpp"
#include "teach/exercise/inverse.hpp"
#include "teach/exercise/inverse_operands.hpp"
#include "teach/exercise/own_problems.hpp"
#include "teach/exercise/points.hpp"
#include "teach/exercise/spec_check.hpp"

namespace attn {
namespace {

Error refused(const std::string& id, std::string what, std::string fix) {
  Diagnostic wrong =
      spec_error("exercise-spec", std::move(what), std::move(fix)).diagnostics().front();
  wrong.places = {{.pointer = id.empty() ? "/steps" : "/steps/" + id}};
  return Error(ErrorKind::Usage, {std::move(wrong)});
}

/// The first `count` of the numbers below `all`, in random order.
std::vector<std::size_t> some_of(std::size_t count, std::size_t all, Draws& draws) {
  std::vector<std::size_t> order(all);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = 0; i < count; ++i) {
    const auto j =
        static_cast<std::size_t>(draws.between(static_cast<int>(i), static_cast<int>(all) - 1));
    std::swap(order[i], order[j]);
  }
  order.resize(count);
  return order;
}

}  // namespace

void require_inverse_steps(const ExerciseSpec& spec, const Sheet& sheet) {
  const Trace truth = attend(make_problem(sheet.problem));
  Index cells = 0, asked = 0;
  std::vector<std::string> printed;
  for (const AskedStep& each : spec.steps) {
    const Step* step = truth.find(each.id);
    if (step == nullptr) throw missing_step(truth, each.id);
    const Index count = step->value.shape().count();
    cells += count;
    if (each.points == 0.0 && !step->is_given()) printed.push_back(each.id);
    if (each.points == 0.0) continue;
    asked += count;
    if (step->is_given() && gives(sheet.problem, each.id)) continue;
    throw refused(each.id,
                  step->is_given()
                      ? each.id + " is not a matrix of its own in this problem"
                      : each.id +
                            " is computed, and the blanks of an inverse sheet are in what "
                            "is given",
                  "Give points to q, k, v, x or a weight such as w_q, and 0 to what is printed.");
  }
  if (printed.empty())
    throw refused("", "nothing that is computed is printed, so any numbers would be right",
                  "Print a step: give it 0 points, as in {\"q\": 3, \"weights\": 0}.");
  const auto used = leading_to(truth, printed);
  for (const AskedStep& each : spec.steps) {
    if (each.points > 0.0 && !used.contains(each.id))
      throw refused(each.id, "no printed number is made from " + each.id,
                    "Print a step that is made from it, with 0 points.");
  }
  if (cells > kMostCells || asked > kMostInverseBlanks)
    throw refused("",
                  filled("an inverse sheet can have {} cells, {} of them in matrices with blanks; "
                         "this one has {} and {}",
                         kMostCells, kMostInverseBlanks, cells, asked),
                  "Ask for fewer steps, or give a smaller problem.");
}

void choose_inverse_blanks(SheetModel& paper, const BlankRule& rule, Draws& draws) {
  using Kind = BlankRule::Kind;
  paper.blank.assign(paper.numbers.size(), 0);
  for (std::size_t s = 0; s < paper.steps.size(); ++s) {
    if (!paper.asked[s]) continue;
    const auto cols = static_cast<std::size_t>(paper.steps[s]->value.cols());
    const std::size_t rows = (paper.begin[s + 1] - paper.begin[s]) / cols;
    const bool one_row = rule.kind == Kind::Row || rule.kind == Kind::One;
    const double share = rule.kind == Kind::Share ? rule.share : 1.0;
    const auto wanted = static_cast<std::size_t>(std::lround(share * static_cast<double>(cols)));
    const std::size_t in_row =
        rule.kind == Kind::One ? 1 : std::clamp<std::size_t>(wanted, 1, cols);
    for (const std::size_t row : some_of(one_row ? 1 : rows, rows, draws)) {
      for (const std::size_t col : some_of(in_row, cols, draws))
        paper.blank[paper.begin[s] + row * cols + col] = 1;
    }
  }
}

namespace {

CheckOptions options_of(const Sheet& sheet) {
  CheckOptions options;
  options.tolerance = Tolerance{.absolute = sheet.accept_within};
  return options;
}

}  // namespace

double inverse_score(const SheetModel& paper, const Sheet& sheet) {
  CheckReport report =
      judge_inverse(paper.truth, sheet, answers_of(sheet), options_of(sheet), Search::None);
  add_points(paper.truth, sheet, 1.0, report);
  return report.max_score == 0.0 ? 0.0 : report.score / report.max_score;
}

void prove_that_blanks_matter(Proof& proof, const SheetModel& paper, const Sheet& key) {
  if (!each_blank_matters(paper.truth, key, options_of(key)))
    proof.problems.emplace_back("a number in a blank can be changed, and all printed ones fit");
}

}  // namespace attn
