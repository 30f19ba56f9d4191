// Describes a graded sheet: the report of the check with points, or the answer to find-the-bug.
#include "attn/render/grade_report.hpp"

#include "render/terminal/number.hpp"

namespace attn {
namespace {

const char* part_text(CellVerdict verdict) {
  if (verdict == CellVerdict::Empty) return "not answered yet";
  return verdict == CellVerdict::Right ? "right" : "not right";
}

/// Says only which answers are right: whoever asks may still be looking.
Document bug_document(const Grade& grade, const CheckView& view) {
  const CheckReport& report = grade.report;
  Document document;
  const auto add = [&](auto block) { document.blocks.push_back(std::move(block)); };
  add(Title{view.source, {}, {points_text(report.score, report.max_score)}});
  add(Facts{view.facts});
  add(Labelled{"Step", part_text(grade.bug->first_wrong)});
  add(Labelled{"Code", part_text(grade.bug->code)});
  if (!report.right || !report.complete) {
    add(Labelled{"Next",
                 "Work out each step from the one before it, until a number does not fit. " +
                     view.help + " mistakes lists the codes."});
  }
  for (const std::string& note : report.notes) add(Note{note});
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
      document.blocks.push_back(Note{flag.message + " [" + flag.code + "]"});
  }
  return document;
}

}  // namespace attn
