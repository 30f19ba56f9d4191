// Describes a graded sheet: the report of the check with points, or the answer to find-the-bug.
#include "attn/render/grade_report.hpp"

#include "attn/phrases.hpp"
#include "render/terminal/number.hpp"

namespace attn {
namespace {

const char* part_text(CellVerdict verdict) {
  if (verdict == CellVerdict::Empty) return "not answered yet";
  return verdict == CellVerdict::Right ? "right" : "it is another one";
}

/// Says only which answers are right: whoever asks may still be looking.
Document bug_document(const Grade& grade, const CheckView& view) {
  const CheckReport& report = grade.report;
  Document document;
  const auto add = [&](auto block) { document.blocks.push_back(std::move(block)); };
  add(Title{view.source, {}, {points_text(report.score, report.max_score)}});
  add(Paragraph{separated(view.facts, " · "), Role::Facts});
  add(Paragraph{part_text(grade.bug->first_wrong), Role::Labelled, "Step"});
  add(Paragraph{part_text(grade.bug->code), Role::Labelled, "Mistake"});
  if (!report.right || !report.complete) {
    add(Paragraph{"Work out each step from the one before it, until a number does not fit. " +
                      view.help + " mistakes lists the codes.",
                  Role::Labelled, "Next"});
  }
  for (const std::string& note : report.notes) add(Paragraph{note, Role::Note});
  return document;
}

}  // namespace

Document grade_document(const Grade& grade, const CheckView& view) {
  CheckView with_points = view;
  with_points.points = true;
  if (!grade.variant.empty())
    with_points.facts.insert(with_points.facts.begin(), "variant " + grade.variant);
  Document document = grade.bug ? bug_document(grade, with_points)
                                : check_document(grade.report, grade.truth, with_points);
  for (const Flag& flag : grade.flags) {
    if (flag.student.empty())
      document.blocks.push_back(Paragraph{flag.message + " [" + flag.code + "]", Role::Note});
  }
  return document;
}

}  // namespace attn
