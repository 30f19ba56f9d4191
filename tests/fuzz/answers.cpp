// Answers in every format that is text, checked against a small problem or that of their sheet.
#include "attn/attend.hpp"
#include "attn/io/answers_file.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/io/sheet_file.hpp"
#include "attn/render/check_report.hpp"
#include "fuzz.hpp"

using namespace attn;

namespace {

void require_report(const Trace& truth, const Answers& answers) {
  const CheckReport report = check_answers(truth, answers);
  fuzz::require(report.score <= report.max_score, "nobody has more points than there are");
  fuzz::require_visible(write_text(check_document(report, truth, {.figures = true})));
  check_json(report, true);
}

const Trace& small_trace() {
  static const Trace trace = attend(
      make_problem(parse_problem(R"({"q": [[1, 2], [0, 1]], "k": [[1, 0], [2, 1]], "v": [[3], [1]],
                        "mask": "causal"})",
                                 "problem.json")
                       .draft));
  return trace;
}

}  // namespace

void try_input(std::string_view bytes) {
  if (stated_format(bytes) != "attn.sheet")
    return require_report(small_trace(), parse_answers(bytes, "a", {fuzz::kMemory}));
  SheetFile file = parse_sheet(bytes, "sheet.json", {fuzz::kMemory});
  const std::string json = sheet_json(file.sheet);
  fuzz::require(sheet_json(parse_sheet(json, "again.json").sheet) == json, "a sheet comes back");
  file.sheet.problem.max_memory = fuzz::kMemory;
  require_report(attend(make_problem(file.sheet.problem)), file.answers);
}
