// The report of a graded sheet as JSON.
#include "attn/render/grade_report.hpp"
#include "io/answers/check_json.hpp"

namespace attn {
namespace {

using json::Writer;

const char* part_word(const StepReport& part) {
  if (part.verdict == Verdict::Empty) return "empty";
  return part.verdict == Verdict::Right ? "right" : "wrong";
}

void write_grade(Writer& out, const Grade& grade) {
  out.line().add("exercise", grade.exercise).add("student", grade.student);
  out.add("variant", grade.variant).add("percent", grade.percent());
  if (grade.bug) {
    out.key("bug").object([&] {
      out.add("first_wrong", part_word(grade.report.steps.at(0)));
      out.add("code", part_word(grade.report.steps.at(1)));
    });
  }
  out.key("flags").objects(grade.flags, json::Layout::Row, [&](const Flag& flag) {
    out.add("code", flag.code).add("message", flag.message).some("student", flag.student);
  });
}

}  // namespace

std::string grade_json(const Grade& grade, bool figures, NonFinite nonfinite) {
  return json::file_text(json::Layout::Groups, [&](Writer& out) {
    write_check_head(out, grade.report);
    write_grade(out, grade);
    write_check_rest(out, grade.report, figures, nonfinite);
  });
}

}  // namespace attn
