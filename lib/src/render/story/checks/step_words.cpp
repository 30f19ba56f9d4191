// Remarks and sentences on the verdict of a step, and the formulas of what is printed.
#include "render/story/checks/step_words.hpp"

#include <algorithm>

#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/render/check_report.hpp"
#include "attn/render/formula.hpp"
#include "attn/teach/mistakes.hpp"
#include "render/story/checks/check_words.hpp"
#include "render/story/steps/step_numbers.hpp"
#include "render/terminal/number.hpp"

namespace attn {

Index cells_with(const StepReport& step, CellVerdict verdict) {
  return std::count(step.cells.begin(), step.cells.end(), verdict);
}

CellVerdict sign_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::Right:
      return CellVerdict::Right;
    case Verdict::Follows:
      return CellVerdict::Follows;
    case Verdict::Empty:
      return CellVerdict::Empty;
    case Verdict::Unreadable:
      return CellVerdict::Unreadable;
    case Verdict::Wrong:
    case Verdict::Shape:
      break;
  }
  return CellVerdict::Wrong;
}

std::string verdict_remark(const StepReport& step, bool points) {
  std::vector<std::string> parts;
  if (points && step.by_hand) {
    parts.push_back(by_hand_text(step));
  } else if (points && step.max_score > 0.0) {
    parts.push_back(points_text(step.score, step.max_score));
  }
  if (step.verdict == Verdict::Shape) {
    parts.push_back(translated("{one} instead of {other}", shape_text(step.given_shape),
                               shape_text(step.shape)));
  }
  if (step.verdict == Verdict::Unreadable) parts.push_back(translated("no matrix"));
  if (const Index n = cells_with(step, CellVerdict::Follows); n > 0)
    parts.push_back(follows_text(n));
  if (const Index n = cells_with(step, CellVerdict::Empty); n > 0)
    parts.push_back(translated("{n} blank", n));
  return comma_joined(parts);
}

std::string failing_text(const Trace& truth, const StepReport& step,
                         const std::vector<Cell>& cells) {
  if (step.verdict == Verdict::Shape) {
    return translated("The matrix is {one}; this step is {other}.", shape_text(step.given_shape),
                      shape_text(step.shape));
  }
  if (!step.unreadable.empty() && step.cells.empty()) return placed(step.unreadable.front());
  const bool known = !step.findings.empty() && find_mistake(step.findings.front().code) != nullptr;
  if (!known && !step.findings.empty()) return translated_sentence(step.findings.front().message);
  if (cells_with(step, CellVerdict::Wrong) == 0) {
    const Index unread = cells_with(step, CellVerdict::Unreadable);
    return translated(unread == 1 ? "{cells} is not a number." : "{cells} are not numbers.",
                      translated_count(unread, "cell"));
  }
  const bool one = cells.size() == 1;
  const Step& meant = truth.at(step.id);
  if (meant.inputs.empty())
    return translated(
        one ? "{cells} differs from the problem." : "{cells} differ from the problem.",
        translated_count(std::ssize(cells), "cell"));
  std::vector<std::string> inputs;
  for (const std::string& id : meant.inputs) inputs.emplace_back(truth.at(id).info().symbol);
  return translated(
             one ? "{cells} does not follow from {steps}." : "{cells} do not follow from {steps}.",
             translated_count(std::ssize(cells), "cell"), translated_list(inputs)) +
         (known ? translated(" A known mistake can explain this.") : "");
}

std::string formulas_of_printed(const Trace& truth, const CheckReport& report) {
  if (!truth.at(*report.first_wrong).is_given()) return "";
  const auto is_printed = [&](const Step& step) {
    return std::any_of(report.steps.begin(), report.steps.end(), [&](const StepReport& each) {
      return each.id == step.id && !each.cells.empty() &&
             cells_with(each, CellVerdict::Given) == std::ssize(each.cells);
    });
  };
  const std::vector<const Step*> numbered = numbered_steps(truth, View{});
  const Step* last = nullptr;
  for (const Step* step : numbered) {
    if (!step->is_given() && is_printed(*step)) last = step;
  }
  std::vector<std::string> formulas;
  for (const Step* step : numbered) {
    if (last == nullptr) break;
    if (!step->is_given()) formulas.push_back(formula_in_language(truth, *step));
    if (step == last) break;
  }
  return separated(formulas, translated(", "));
}

}  // namespace attn
