// The report of a graded sheet as JSON.
#include "attn/grade_report.hpp"
#include "io/answers/check_json.hpp"

namespace attn {
namespace {

using json::quoted;
using json::Text;

Text part_text(CellVerdict verdict) {
  if (verdict == CellVerdict::Empty) return quoted("empty");
  return quoted(verdict == CellVerdict::Right ? "right" : "wrong");
}

Text bug_text(const Grade& grade) {
  if (!grade.bug) return "";
  return json::object_text(
      {{"first_wrong", part_text(grade.bug->first_wrong)}, {"code", part_text(grade.bug->code)}});
}

Text flags_text(const std::vector<Flag>& flags) {
  return json::list_text(flags, [](const Flag& flag) {
    return json::object_text({{"code", quoted(flag.code)},
                              {"message", quoted(flag.message)},
                              {"student", flag.student.empty() ? "" : quoted(flag.student)}});
  });
}

}  // namespace

std::string grade_json(const Grade& grade, bool figures, NonFinite nonfinite) {
  std::vector<Text> lines = check_lines(grade.report, figures, nonfinite);
  lines.insert(lines.begin() + 1,
               {json::members_text({{"exercise", quoted(grade.exercise)},
                                    {"student", quoted(grade.student)},
                                    {"variant", quoted(grade.variant)},
                                    {"percent", json::number_text(grade.percent())},
                                    {"bug", bug_text(grade)},
                                    {"flags", flags_text(grade.flags)}})});
  return json::lines_text(lines, 0, "{}") + "\n";
}

}  // namespace attn
