// Judges an inverse sheet by the printed numbers: whatever makes them is right.
#include "teach/exercise/inverse.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "attn/number_text.hpp"
#include "attn/teach/exercise.hpp"
#include "attn/teach/own_work.hpp"
#include "core/trace/missing_step.hpp"
#include "teach/check/evidence.hpp"
#include "teach/check/graded_answer.hpp"
#include "teach/exercise/inverse_attempt.hpp"
#include "teach/exercise/inverse_operands.hpp"

namespace attn {

CheckReport judge_inverse(const Trace& truth, const Sheet& sheet, Answers answers,
                          const CheckOptions& options, Search search) {
  CheckReport report;
  if (std::string note = comma_note(answers); !note.empty()) report.notes.push_back(note);
  for (const SheetStep& step : sheet.steps) {
    const Step* found = truth.find(step.id);
    if (found == nullptr || (has_blanks(step) && !found->is_given()))
      throw missing_step(truth, step.id);
  }
  std::vector<GradedAnswer> fitted = fit(truth, answers, options, report);
  const InverseAttempt attempt(truth, sheet, fitted, report);
  const auto mistakes = search == Search::None || !attempt.misses_several()
                            ? std::vector<const MistakeRow*>()
                            : attempt.mistakes_that_fit();
  bool unjudged = false;
  for (GradedAnswer& each : fitted) {
    const auto at = std::find_if(sheet.steps.begin(), sheet.steps.end(),
                                 [&](const SheetStep& step) { return step.id == each.step->id; });
    const auto s = static_cast<std::size_t>(at - sheet.steps.begin());
    if (each.theirs && at != sheet.steps.end()) {
      std::vector<CellVerdict>& cells = each.report.cells;
      cells.assign(at->blank.size(), CellVerdict::Given);
      for (const InverseBlank& blank : attempt.blanks()) {
        if (blank.step != s) continue;
        const CellVerdict verdict = attempt.verdict(blank);
        const bool unreadable = each.state(blank.cell) == CellState::Unreadable;
        cells[blank.cell] = unreadable ? CellVerdict::Unreadable : verdict;
        unjudged = unjudged || (blank.filled && verdict == CellVerdict::Empty);
      }
      attempt.add_findings(s, mistakes, each.report);
      if (attempt.has_nan(s))
        each.report.findings.push_back({.code = "evidence.not_finite",
                                        .confidence = Confidence::Possible,
                                        .matched = 0,
                                        .of = count(each.report.cells, CellVerdict::Wrong),
                                        .message = not_finite_text(each)});
    }
    settle_verdict(each.report);
    report.steps.push_back(std::move(each.report));
  }
  if (unjudged)
    report.notes.emplace_back(
        "some numbers are not judged yet, and count as blanks: the printed numbers that use them "
        "need other blanks, too");
  return report;
}

bool each_blank_matters(const Trace& truth, const Sheet& key, const CheckOptions& options) {
  CheckReport report;
  Answers answers = answers_of(key);
  const std::vector<GradedAnswer> fitted = fit(truth, answers, options, report);
  return InverseAttempt(truth, key, fitted, report).each_blank_matters();
}

std::vector<PrintedUse> printed_uses(const Grade& grade, const Sheet& sheet,
                                     const std::string& asked, std::size_t cell) {
  CheckReport report;
  Answers answers = grade.answers;
  CheckOptions options;
  options.tolerance = grade.report.tolerance;
  const std::vector<GradedAnswer> fitted = fit(grade.truth, answers, options, report);
  const InverseAttempt attempt(grade.truth, sheet, fitted, report);
  std::vector<PrintedUse> uses;
  for (const InverseBlank& blank : attempt.blanks()) {
    if (sheet.steps[blank.step].id != asked || blank.cell != cell) continue;
    for (const std::size_t n : blank.uses) {
      const PrintedNumber& number = attempt.number(n);
      const std::string& id = sheet.steps[number.step].id;
      const Shape& shape = grade.truth.at(id).value.shape();
      uses.push_back({id, shape.cell_at(static_cast<Index>(number.cell)), number.printed,
                      number.open ? std::numeric_limits<double>::quiet_NaN() : number.made,
                      number.met});
    }
  }
  return uses;
}

}  // namespace attn
