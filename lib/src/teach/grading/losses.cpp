// Says where points are missing on a graded sheet, and why.
#include <algorithm>
#include <utility>

#include "attn/language.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/teach/gradebook.hpp"
#include "teach/check/graded_answer.hpp"

namespace attn {
namespace {

/// How many cells of a step count as empty although something was written: numbers of an inverse
/// sheet that are of no use without others.
std::ptrdiff_t unjudged_cells(const Grade& grade, const StepReport& step) {
  const auto& all = grade.answers.matrices;
  const auto at =
      std::find_if(all.begin(), all.end(), [&](const Answer& each) { return each.id == step.id; });
  std::ptrdiff_t found = 0;
  for (std::size_t i = 0; at != all.end() && i < std::min(step.cells.size(), at->states.size());
       ++i)
    found += step.cells[i] == CellVerdict::Empty && at->states[i] == CellState::Filled;
  return found;
}

/// "scores: 2 of 6 blanks wrong, 1 empty"; "" if the cells are not the reason.
std::string loss_of(const StepReport& step, const Grade& grade) {
  if (step.verdict == Verdict::Shape) return translated("{step}: another shape", step.id);
  if (step.cells.empty()) return translated("{step}: not a matrix", step.id);
  const auto count = [&](CellVerdict verdict) {
    return std::count(step.cells.begin(), step.cells.end(), verdict);
  };
  const auto blanks = std::ssize(step.cells) - count(CellVerdict::Given);
  const bool unearned = !step.unearned_for.empty() || grade.follow_through < 1.0;
  const auto unjudged = unjudged_cells(grade, step);
  const std::pair<std::ptrdiff_t, const char*> parts[] = {
      {count(CellVerdict::Wrong), in_catalogue("wrong")},
      {count(CellVerdict::Unreadable), in_catalogue("not a number")},
      {count(CellVerdict::Empty) - unjudged, in_catalogue("empty")},
      {unjudged, in_catalogue("not judged yet")},
      {unearned ? count(CellVerdict::Follows) : 0,
       in_catalogue("without full credit because of earlier steps")}};
  std::vector<std::string> words;
  for (const auto& [cells, what] : parts) {
    if (cells == 0) continue;
    words.push_back(words.empty() ? translated("{n} of {blanks} {what}", cells,
                                               translated_count(blanks, "blank"), translated(what))
                                  : translated("{n} {what}", cells, translated(what)));
  }
  return words.empty() ? "" : translated("{step}: {text}", step.id, comma_joined(words));
}

/// With the cause: its code for the teacher; for the student what the report says about it.
std::string with_cause(const std::string& loss, const StepReport& step, LossesFor reader) {
  if (loss.empty() || step.findings.empty() || step.cells.empty()) return loss;
  const Finding& finding = step.findings.front();
  return with_remark(loss, reader == LossesFor::Teacher
                               ? finding.code
                               : sentences({translated_sentence(finding.message),
                                            translated_sentence(finding.hint)}));
}

/// "bug.code: another one"; "" if it is right.
std::string loss_of(const StepReport& part, const BugReport& bug) {
  if (part.verdict == Verdict::Right) return "";
  if (!bug.no_step.empty() && part.id == kBugParts[0])
    return translated("{step}: \"{word}\" is no step of the sheet", part.id, bug.no_step);
  if (!bug.no_code.empty() && part.id == kBugParts[1])
    return translated("{step}: \"{word}\" is not a code", part.id, bug.no_code);
  if (part.verdict == Verdict::Empty) return translated("{step}: not answered", part.id);
  const auto asked = part.id == kBugParts[0] ? &BugAnswer::first_wrong : &BugAnswer::code;
  return translated("{step}: \"{word}\" was answered, and another one is right", part.id,
                    shortened(std::string(trimmed((bug.written.*asked).value_or("")))));
}

/// Names of matrices that mean no step, where one of the sheet is empty.
std::vector<std::string> unknown_names(const Grade& grade) {
  constexpr std::size_t kMostNames = 3;
  std::vector<std::string> notes;
  const auto& steps = grade.report.steps;
  if (std::none_of(steps.begin(), steps.end(), [](const StepReport& step) {
        return step.verdict == Verdict::Empty && !step.by_hand;
      }))
    return notes;
  for (const Answer& each : grade.answers.matrices) {
    if (notes.size() < kMostNames && grade.truth.find_named(each.id) == nullptr)
      notes.push_back(translated_sentence(no_step_note(grade.truth, each.id)));
  }
  return notes;
}

}  // namespace

std::string follow_share_text(const Grade& grade) {
  const auto& steps = grade.report.steps;
  const bool any = std::any_of(steps.begin(), steps.end(), [](const StepReport& step) {
    return step.unearned_for.empty() && !step.by_hand &&
           std::find(step.cells.begin(), step.cells.end(), CellVerdict::Follows) !=
               step.cells.end();
  });
  if (!any || grade.follow_through == 1.0) return "";
  if (grade.follow_through == 0.0)
    return "a number that only follows from your earlier steps earns nothing";
  return filled("a number that only follows from your earlier steps earns {}% of its share",
                format_trimmed(100.0 * grade.follow_through, 4));
}

std::vector<std::string> losses_of(const Grade& grade, LossesFor reader) {
  std::vector<std::string> losses;
  for (const StepReport& step : grade.report.steps) {
    if (step.score < step.max_score && !step.by_hand)  // what was decided says why
      losses.push_back(grade.bug ? loss_of(step, *grade.bug)
                                 : with_cause(loss_of(step, grade), step, reader));
  }
  for (std::string& note : grade.bug ? std::vector<std::string>() : unknown_names(grade))
    losses.push_back(std::move(note));
  losses.push_back(translated_sentence(follow_share_text(grade)));
  std::erase(losses, "");
  return losses;
}

}  // namespace attn
