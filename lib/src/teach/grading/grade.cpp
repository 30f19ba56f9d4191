// Grades one sheet: every step by its blanks.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "attn/attend.hpp"
#include "attn/language.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/teach/exercise.hpp"
#include "attn/teach/grading.hpp"
#include "attn/teach/mistakes.hpp"
#include "teach/check/graded_answer.hpp"
#include "teach/check/search.hpp"
#include "teach/exercise/inverse.hpp"
#include "teach/exercise/inverse_operands.hpp"
#include "teach/exercise/points.hpp"
#include "teach/grading/restored.hpp"

namespace attn {
namespace {

/// Fills in what a report says about all its steps together.
void sum_up(CheckReport& report) {
  report.first_wrong.reset();
  report.complete = true;
  report.score = report.max_score = 0.0;
  for (const StepReport& step : report.steps) {
    if (step.is_wrong() && !report.first_wrong) report.first_wrong = step.id;
    report.complete = report.complete && std::find(step.cells.begin(), step.cells.end(),
                                                   CellVerdict::Empty) == step.cells.end();
    report.score += step.score;
    report.max_score += step.max_score;
  }
  report.right = !report.first_wrong;
}

/// Leaves only these steps in a report.
void keep_only(const std::vector<std::string>& ids, CheckReport& report) {
  std::erase_if(report.steps, [&](const StepReport& step) {
    return std::find(ids.begin(), ids.end(), step.id) == ids.end();
  });
}

/// On a sheet that asks for decimal commas: they are no surprise, and examples have them. Says what
/// one without quotation marks does to a JSON row: two numbers, not one.
void expect_commas(const Sheet& original, const Answers& answers, CheckReport& report) {
  if (!original.decimal_comma) return;
  std::erase_if(report.notes, is_comma_note);
  for (StepReport& step : report.steps) {
    for (Diagnostic& each : step.unreadable) {
      if (each.fix == kAnswerCellFix) each.fix = kCommaCellFix;
    }
  }
  for (const SheetStep& step : original.steps) {
    if (std::any_of(answers.matrices.begin(), answers.matrices.end(), [&](const Answer& each) {
          return each.id == step.id && each.shape.size() == step.shape.size() &&
                 each.shape.back() > step.shape.back();
        }))
      report.notes.push_back(filled(
          "if decimals in {} have a comma, write 0.5, or \"0,5\" in quotation marks", step.id));
  }
}

/// Puts the teacher's words in place of attn's.
void use_own_texts(const OwnTexts& texts, std::vector<Finding>& findings) {
  for (Finding& finding : findings) {
    const auto own = texts.find(finding.code);
    const Mistake* mistake = find_mistake(finding.code);
    if (own == texts.end() || mistake == nullptr) continue;
    const auto& [message, hint] = own->second;
    const std::size_t usual = finding.message.find(mistake->explanation);
    if (!message.empty() && usual == finding.message.npos) finding.message = message;
    if (!message.empty() && usual != finding.message.npos)
      finding.message.replace(usual, std::string_view(mistake->explanation).size(), message);
    if (!hint.empty()) finding.hint = hint;
  }
}

CellVerdict verdict(const std::string& answer, const std::optional<std::string>& right) {
  if (answer.empty()) return CellVerdict::Empty;
  return answer == right ? CellVerdict::Right : CellVerdict::Wrong;
}

/// The right code for an answer that describes the same mistake; otherwise the answer.
std::string code_for(const std::string& answer, const std::optional<std::string>& right) {
  return right && describes(answer, *right) ? *right : answer;
}

/// One question of a find-the-bug sheet, as a step with a single cell.
StepReport bug_part(const char* id, CellVerdict cell, double points) {
  const bool right = cell == CellVerdict::Right;
  StepReport part;
  part.id = id;
  part.verdict = right                        ? Verdict::Right
                 : cell == CellVerdict::Empty ? Verdict::Empty
                                              : Verdict::Wrong;
  part.shape = part.given_shape = {1};
  part.score = right ? points : 0.0;
  part.max_score = points;
  part.cells = {cell};
  return part;
}

/// The first wrong step that is not excused; none of a find-the-bug sheet, whose steps are
/// questions.
std::optional<std::string> first_wrong_of(const Grade& grade) {
  const auto& steps = grade.report.steps;
  const auto first = std::find_if(steps.begin(), steps.end(), [](const StepReport& step) {
    return step.is_wrong() && !step.excused;
  });
  return first == steps.end() || grade.bug ? std::nullopt : std::optional(first->id);
}

/// The step of a find-the-bug sheet that somebody means; nullptr if it is none. A number alone is
/// the one that is printed before a step, unless it may also count the matrices of the sheet.
const Step* step_on_sheet(const Trace& truth, const Sheet& sheet, const std::string& word) {
  const Step* meant = step_named(truth, word);
  const auto& steps = sheet.steps;
  const auto at = std::find_if(steps.begin(), steps.end(), [&](const SheetStep& each) {
    return meant != nullptr && each.id == meant->id;
  });
  if (at == steps.end()) return nullptr;
  const auto count = parse_finite(word);
  const bool other = count && *count <= static_cast<double>(steps.size()) &&
                     *count != static_cast<double>(at - steps.begin() + 1);
  return other ? nullptr : meant;
}

/// "scores (S)"
std::string step_in_list(const Step& step) {
  const std::string symbol = symbol_text(step);
  return symbol == step.id ? symbol : with_remark(step.id, symbol);
}

/// Fills in the report, the bug and the points of a grade whose truth is there: half of
/// `original.bug_points` for the first wrong step, half for the code.
void grade_bug(const Sheet& original, const BugAnswer& answer, Grade& grade) {
  const BugAnswer right =
      original.bug->code ? *original.bug : solved_sheet(original).bug.value_or(BugAnswer{});
  const std::string word(trimmed(answer.first_wrong.value_or("")));
  const Step* meant = step_on_sheet(grade.truth, original, word);
  const std::string step = meant == nullptr ? word : meant->id;
  BugReport bug{answer, right};
  CheckReport& report = grade.report;
  if (!word.empty() && meant == nullptr) {
    bug.no_step = word;
    std::vector<std::string> steps;
    for (const SheetStep& each : original.steps)
      steps.push_back(step_in_list(grade.truth.at(each.id)));
    report.notes.push_back("\"" + bug.no_step + "\" is no step of this sheet, which has " +
                           separated(steps, ", "));
  }
  const std::string typed(trimmed(answer.code.value_or(""))), code = code_named(typed);
  if (!typed.empty() && find_mistake(code) == nullptr) {
    bug.no_code = typed;
    report.notes.push_back("\"" + typed + "\" is not a code: attn exercise rules lists them");
  }
  report.tolerance = {.absolute = original.accept_within};
  const double half = original.bug_points / 2.0;
  report.steps = {bug_part(kBugParts[0], verdict(step, right.first_wrong), half),
                  bug_part(kBugParts[1], verdict(code_for(code, right.code), right.code), half)};
  sum_up(report);
  grade.bug = std::move(bug);
  report.first_wrong = first_wrong_of(grade);
}

/// Says in the notes which cells follow and earn nothing, or only a share, apart from steps whose
/// points were set by hand.
void note_unearned(Grade& grade) {
  constexpr std::string_view kNote =
      "what in {} follows from your earlier steps earns no points, because fewer than half of the "
      "blanks of {} earn points";
  constexpr std::string_view kShare = "a number that only follows";  // follow_share_text
  CheckReport& report = grade.report;
  std::erase_if(report.notes, [&](const std::string& each) {
    return each.starts_with(kNote.substr(0, kNote.find('{'))) || each.starts_with(kShare);
  });
  for (const StepReport& step : report.steps) {
    if (!step.unearned_for.empty() && !step.by_hand)
      report.notes.push_back(filled(kNote, step.id, step.unearned_for));
  }
  if (std::string share = follow_share_text(grade); !share.empty())
    report.notes.push_back(std::move(share));
}

}  // namespace

double Grade::percent() const {
  return report.max_score > 0.0 ? 100.0 * report.score / report.max_score : 0.0;
}

Trace computation_of(const Sheet& sheet) {
  const bool detail =
      std::any_of(sheet.steps.begin(), sheet.steps.end(), [](const SheetStep& each) {
        const StepInfo* info = find_step_info(each.id);
        return info != nullptr && info->appears.setting == std::string_view("detail");
      });
  const ProblemDraft problem = sheet.inverse ? with_operands(sheet) : sheet.problem;
  return attend(make_problem(problem), detail ? opened_softmax() : Recipe());
}

Answers with_step_ids(const Trace& truth, const std::string& language, Answers answers) {
  const LanguageInUse in_use(language_of(language));
  for (const auto& meant_by : {step_meant, step_named}) {
    for (Answer& each : answers.matrices) {
      const Step* meant = truth.find_named(each.id) == nullptr ? meant_by(truth, each.id) : nullptr;
      const bool other_thing =
          meant == nullptr || (meant_by == step_named && !has_shape(each, meant->value.shape())) ||
          std::any_of(answers.matrices.begin(), answers.matrices.end(),
                      [&](const Answer& other) { return truth.find_named(other.id) == meant; });
      if (!other_thing) each.id = meant->id;
    }
  }
  return answers;
}

Grade grade_sheet(const Sheet& original, const Submission& submission,
                  const GradeOptions& options) {
  Grade grade{.exercise = original.exercise,
              .student = original.student,
              .variant = original.variant,
              .truth = computation_of(original)};
  grade.follow_through = options.follow_through;
  grade.answers = restored(grade.truth, original, submission.answers, grade.flags);
  if (original.bug) {
    grade_bug(original, submission.bug.value_or(BugAnswer{}), grade);
    return grade;
  }
  CheckOptions check = options.check;
  if (!check.tolerance) check.tolerance = Tolerance{.absolute = original.accept_within};
  std::vector<std::string> only;
  std::swap(only, check.steps);  // whether a cell earns by following depends on steps before it
  grade.report = original.inverse ? judge_inverse(grade.truth, original, grade.answers, check)
                                  : check_answers(grade.truth, grade.answers, check, nullptr,
                                                  Search::All, kMostWork, Blanks::AreEmpty);
  add_points(grade.truth, original, options.follow_through, grade.report);
  if (!only.empty()) keep_only(only, grade.report);
  if (!only.empty() || original.inverse) sum_up(grade.report);
  note_unearned(grade);
  expect_commas(original, grade.answers, grade.report);
  use_own_texts(original.mistake_texts, grade.report.findings);
  for (StepReport& step : grade.report.steps) use_own_texts(original.mistake_texts, step.findings);
  return grade;
}

void recount(const Sheet& original, Grade& grade) {
  add_points(grade.truth, original, grade.follow_through, grade.report);
  note_unearned(grade);
  grade.report.first_wrong = first_wrong_of(grade);
}

}  // namespace attn
