// results.json as Gradescope reads it.
#include <algorithm>

#include "attn/grade_report.hpp"
#include "attn/mistakes.hpp"
#include "attn/tool/number_text.hpp"
#include "attn/tool/phrases.hpp"
#include "io/json/writer.hpp"

namespace attn {
namespace {

using json::Fields;
using json::quoted;
using json::Text;

/// Points as students read them, with three decimals at most.
Text points_text(double points) { return json::number_text(rounded_to(points, 3)); }

/// One line of Gradescope's table.
struct Test {
  std::string name, output;
  double score = 0.0, max_score = 0.0;
  bool passed = false;
  std::vector<std::string> codes = {};
};

Index count(const StepReport& step, CellVerdict verdict) {
  return std::count(step.cells.begin(), step.cells.end(), verdict);
}

/// "4 of 6 blanks right, 1 right for your earlier steps."
std::string cells_text(const StepReport& step) {
  if (step.verdict == Verdict::Shape) return "The matrix does not have the shape of this step.";
  if (step.verdict == Verdict::Unreadable) return "This is not a matrix.";
  const Index blanks = std::ssize(step.cells) - count(step, CellVerdict::Given);
  const Index follows = count(step, CellVerdict::Follows), empty = count(step, CellVerdict::Empty);
  std::string text = std::to_string(count(step, CellVerdict::Right)) + " of " +
                     counted(blanks, "blank") + " right";
  if (follows > 0) text += ", " + std::to_string(follows) + " right for your earlier steps";
  if (empty > 0) text += ", " + std::to_string(empty) + " empty";
  return text + ".";
}

Test test_of(const Grade& grade, const StepReport& step) {
  const Step* meant = grade.truth.find(step.id);
  Test test{.name = std::string(meant == nullptr ? "" : meant->info().symbol) + "  " + step.id,
            .output = cells_text(step),
            .score = step.score,
            .max_score = step.max_score,
            .passed = step.score >= step.max_score};
  for (const Finding& finding : step.findings) {
    test.codes.push_back(finding.code);
    if (test.passed) continue;
    test.output += "\n" + finding.message + " [" + finding.code + "]";
    if (!finding.hint.empty()) test.output += "\n" + finding.hint;
  }
  for (const Diagnostic& each : step.unreadable) test.output += "\n" + each.what + ". " + each.fix;
  return test;
}

Test test_of(const char* name, CellVerdict part, double points) {
  const bool right = part == CellVerdict::Right;
  return {.name = name,
          .output = right                        ? "Right."
                    : part == CellVerdict::Empty ? "Not answered."
                                                 : "Not right.",
          .score = right ? points : 0.0,
          .max_score = points,
          .passed = right};
}

std::vector<Test> tests_of(const Grade& grade) {
  std::vector<Test> tests;
  for (const StepReport& step : grade.report.steps) {
    if (step.max_score > 0.0) tests.push_back(test_of(grade, step));
  }
  if (grade.bug) {
    const double half = grade.report.max_score / 2.0;
    tests.push_back(test_of("First wrong step", grade.bug->first_wrong, half));
    tests.push_back(test_of("Code of the mistake", grade.bug->code, half));
  }
  return tests;
}

Text test_text(const Test& test, std::size_t number) {
  return json::object_text({{"name", quoted(test.name)},
                            {"number", quoted(std::to_string(number))},
                            {"score", json::number_text(test.score)},
                            {"max_score", json::number_text(test.max_score)},
                            {"status", quoted(test.passed ? "passed" : "failed")},
                            {"output", quoted(test.output + "\n")},
                            {"output_format", quoted("text")},
                            {"tags", json::texts_text(test.codes)},
                            {"visibility", quoted("visible")}});
}

std::string results(const Text& score, const std::string& output, const std::vector<Test>& tests,
                    const Fields& extra) {
  std::vector<Text> items;
  for (const Test& test : tests) items.push_back(test_text(test, items.size() + 1));
  return json::lines_text(
             {json::members_text({{"score", score},
                                  {"output", quoted(output + "\n")},
                                  {"output_format", quoted("text")},
                                  {"visibility", quoted("visible")}}),
              json::members_text(
                  {{"tests", items.empty() ? "[]" : json::lines_text(items, json::kStep, "[]")}}),
              json::members_text({{"extra_data", json::object_text(extra)}})},
             0, "{}") +
         "\n";
}

}  // namespace

std::string gradescope_json(const Grade& grade) {
  std::string output = grade.exercise + ", variant " + grade.variant + ": " +
                       points_text(grade.report.score) + " of " +
                       points_text(grade.report.max_score) + " points.";
  for (const std::string& note : grade.report.notes) output += "\n" + note;
  for (const Flag& flag : grade.flags) output += "\n" + flag.message + " [" + flag.code + "]";
  std::vector<std::string> codes;
  for (const Flag& flag : grade.flags) codes.push_back(flag.code);
  return results(
      json::number_text(grade.report.score), output, tests_of(grade),
      {{"status", quoted("graded")},
       {"exercise", quoted(grade.exercise)},
       {"student", quoted(grade.student)},
       {"variant", quoted(grade.variant)},
       {"first_wrong", grade.report.first_wrong ? quoted(*grade.report.first_wrong) : "null"},
       {"flags", json::texts_text(codes)}});
}

std::string gradescope_json(const Error& error, Fault fault) {
  const bool own = fault == Fault::File;
  std::string output = own ? "This file cannot be graded."
                           : "This file was not graded, because the key of the exercise is broken. "
                             "Please tell your teacher; nothing is wrong with your file.";
  std::vector<std::string> ids;
  for (const Diagnostic& each : error.diagnostics()) {
    ids.push_back(each.id);
    if (!own) continue;
    const Place place = each.places.empty() ? Place{} : each.places.front();
    output += "\n";
    if (place.line > 0) output += "Line " + std::to_string(place.line) + ": ";
    output += each.what + ". " + each.fix;
  }
  return results(
      own ? "0" : "", output, {},
      {{"status", quoted(own ? "not_gradable" : "key_broken")}, {"errors", json::texts_text(ids)}});
}

}  // namespace attn
