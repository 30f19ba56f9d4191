// Describes a graded sheet: the report of the check with points, or the answer to find-the-bug.
#include "attn/render/grade_report.hpp"

#include <algorithm>

#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "render/story/checks/check_words.hpp"
#include "render/terminal/number.hpp"

namespace attn {
namespace {

std::string part_text(const StepReport& part, bool is_no_step = false) {
  if (part.by_hand) return by_hand_text(part);
  if (is_no_step) return translated("that is no step of this sheet");
  if (part.verdict == Verdict::Empty) return translated("not answered yet");
  return translated(part.verdict == Verdict::Right ? "right" : "it is another one");
}

/// Whether there is something left to find.
bool is_open(const StepReport& part) { return part.verdict != Verdict::Right && !part.by_hand; }

/// Says only which answers are right: whoever asks may still be looking.
Document bug_document(const Grade& grade, const CheckView& view) {
  const CheckReport& report = grade.report;
  Document document;
  const auto add = [&](auto block) { document.blocks.push_back(std::move(block)); };
  add(Title{view.source, {}, {points_text(report.score, report.max_score)}});
  add(Paragraph{separated(view.facts, " · "), Role::Facts});
  add(Paragraph{part_text(report.steps.at(0), !grade.bug->no_step.empty()), Role::Labelled,
                translated("Step")});
  add(Paragraph{part_text(report.steps.at(1)), Role::Labelled, translated("Mistake")});
  if (std::any_of(report.steps.begin(), report.steps.end(), is_open)) {
    add(Paragraph{
        translated("Work out each step from the one before it, until a number does not fit. "
                   "attn exercise rules lists the codes."),
        Role::Labelled, translated("Next")});
  }
  for (const std::string& note : report.notes)
    add(Paragraph{translated_sentence(note), Role::Note});
  return document;
}

}  // namespace

Document grade_document(const Grade& grade, const CheckView& view) {
  CheckView with_points = view;
  with_points.points = true;
  with_points.answers = &grade.answers;
  if (!grade.variant.empty())
    with_points.facts.insert(with_points.facts.begin(), translated("variant {id}", grade.variant));
  Document document = grade.bug ? bug_document(grade, with_points)
                                : check_document(grade.report, grade.truth, with_points);
  for (const Flag& flag : grade.flags) {
    if (flag.student.empty())
      document.blocks.push_back(Paragraph{
          sentences({translated_sentence(flag.message), "[" + flag.code + "]"}), Role::Note});
  }
  return document;
}

}  // namespace attn
