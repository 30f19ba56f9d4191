// results.json as Gradescope reads it.
#include <algorithm>
#include <functional>
#include <optional>

#include "attn/language.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/render/grade_report.hpp"
#include "attn/teach/mistakes.hpp"
#include "io/json/writer.hpp"

namespace attn {
namespace {

using json::Layout;
using json::Writer;

/// Points as students read them, with three decimals at most.
std::string shown_points(double points) {
  return with_decimal_mark(json::number_text(rounded_to(points, 3)));
}

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

/// "4 of 6 blanks right, 1 follows from your earlier steps."
std::string cells_text(const StepReport& step) {
  if (step.verdict == Verdict::Shape)
    return translated("The matrix does not have the shape of this step.");
  if (step.verdict == Verdict::Unreadable) return translated("This is not a matrix.");
  const Index blanks = std::ssize(step.cells) - count(step, CellVerdict::Given);
  const Index follows = count(step, CellVerdict::Follows), empty = count(step, CellVerdict::Empty);
  std::string text = translated("{n} of {blanks} right", count(step, CellVerdict::Right),
                                translated_count(blanks, "blank"));
  if (follows > 0) text = translated("{one}, {other}", text, follows_text(follows));
  if (empty > 0) text += translated(", {n} empty", empty);
  return translated("{text}.", text);
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
    test.output +=
        "\n" + sentences({translated_sentence(finding.message), "[" + finding.code + "]"});
    if (!finding.hint.empty()) test.output += "\n" + translated_sentence(finding.hint);
  }
  for (const Diagnostic& each : step.unreadable)
    test.output += "\n" + sentences({translated("{text}.", translated_sentence(each.what)),
                                     translated_sentence(each.fix)});
  return test;
}

Test test_of(const StepReport& part) {
  const bool right = part.verdict == Verdict::Right;
  return {.name = translated(part.id == kBugParts[0] ? "First wrong step" : "Code of the mistake"),
          .output = translated(right                            ? "Right."
                               : part.verdict == Verdict::Empty ? "Not answered."
                                                                : "Not right."),
          .score = part.score,
          .max_score = part.max_score,
          .passed = right};
}

std::vector<Test> tests_of(const Grade& grade) {
  std::vector<Test> tests;
  for (const StepReport& step : grade.report.steps) {
    if (step.max_score > 0.0) tests.push_back(grade.bug ? test_of(step) : test_of(grade, step));
  }
  return tests;
}

void write_test(Writer& out, const Test& test, std::size_t number) {
  out.add("name", test.name).add("number", std::to_string(number));
  out.add("score", test.score).add("max_score", test.max_score);
  out.add("status", test.passed ? "passed" : "failed").add("output", test.output + "\n");
  out.add("output_format", "text").add("tags", test.codes).add("visibility", "visible");
}

/// Without a score, Gradescope says that the autograder failed. `write_extra` adds the members of
/// the extra data.
std::string results(std::optional<double> score, const std::string& output,
                    const std::vector<Test>& tests,
                    const std::function<void(Writer& out)>& write_extra) {
  return json::file_text(Layout::Groups, [&](Writer& out) {
    out.line().some("score", score).add("output", output + "\n");
    out.add("output_format", "text").add("visibility", "visible");
    std::size_t number = 0;
    const auto write = [&](const Test& test) { write_test(out, test, ++number); };
    out.line().key("tests").objects(tests, Layout::Lines, write);
    out.line().key("extra_data").object([&] { write_extra(out); });
  });
}

}  // namespace

std::string gradescope_json(const Grade& grade) {
  std::string output = translated("{exercise}, variant {id}: {score} of {points} points.",
                                  grade.exercise, grade.variant, shown_points(grade.report.score),
                                  shown_points(grade.report.max_score));
  for (const std::string& note : grade.report.notes) output += "\n" + translated_sentence(note);
  for (const Flag& flag : grade.flags)
    output += "\n" + sentences({translated_sentence(flag.message), "[" + flag.code + "]"});
  std::vector<std::string> codes;
  for (const Flag& flag : grade.flags) codes.push_back(flag.code);
  return results(grade.report.score, output, tests_of(grade), [&](Writer& out) {
    out.add("status", "graded").add("exercise", grade.exercise).add("student", grade.student);
    out.add("variant", grade.variant).add("first_wrong", grade.report.first_wrong);
    out.add("flags", codes);
  });
}

std::string gradescope_json(const Error& error, Fault fault) {
  struct Reason {
    const char *text, *status;
  };
  constexpr Reason kReasons[] = {
      // in the order of Fault
      {in_catalogue("This file cannot be graded."), "not_gradable"},
      {in_catalogue("This file was not graded, because the key of the exercise is broken. "
                    "Please tell your teacher; nothing is wrong with your file."),
       "key_broken"},
      {in_catalogue("This file was not graded, because you are not on the list of students for "
                    "whom the exercise was made. Please tell your teacher; nothing is wrong with "
                    "your file, and the score of 0 is no grade."),
       "not_in_roster"}};
  const Reason& reason = kReasons[static_cast<std::size_t>(fault)];
  std::string output = translated(reason.text);
  std::vector<std::string> ids;
  for (const Diagnostic& each : error.diagnostics()) {
    ids.push_back(each.id);
    if (fault != Fault::File) continue;  // what is said is for the teacher
    const Place place = each.places.empty() ? Place{} : each.places.front();
    output += "\n";
    if (place.line > 0) output += translated("Line {n}: ", place.line);
    const std::string fix = each.what.starts_with("wrong_variant")
                                ? translated("Hand in the sheet that was made for you.")
                                : translated_sentence(each.fix);
    output += sentences({translated("{text}.", translated_sentence(each.what)), fix});
  }
  const auto score = fault == Fault::Key ? std::nullopt : std::optional(0.0);
  return results(score, output, {},
                 [&](Writer& out) { out.add("status", reason.status).add("errors", ids); });
}

}  // namespace attn
