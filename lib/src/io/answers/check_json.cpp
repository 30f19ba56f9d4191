// The report of a check as JSON.
#include "io/answers/check_json.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <variant>

namespace attn {
namespace {

using json::Layout;
using json::Writer;

constexpr Index kMostCells = 10000;

// The words of the enumerators, in their order.
constexpr std::array kCellWords{"\"right\"", "\"follows\"",    "\"wrong\"",
                                "\"empty\"", "\"unreadable\"", "\"given\""};
constexpr std::array kVerdictWords{"right", "follows", "wrong", "empty", "shape", "unreadable"};
constexpr std::array kConfidenceWords{"certain", "likely", "possible"};
constexpr std::array kBasisWords{"own", "true"};

template <typename Words, typename Value>
const char* word(const Words& words, Value value) {
  return words.at(static_cast<std::size_t>(value));
}

/// Each innermost row on its own line.
void write_cells(Writer& out, const StepReport& step) {
  if (step.cells.empty() || std::ssize(step.cells) > kMostCells) return;
  const auto put = [&](char* at, std::size_t i) {
    const std::string_view text = word(kCellWords, step.cells[i]);
    return std::copy(text.begin(), text.end(), at);
  };
  out.key("cells").block(step.shape, put, Layout::Lines, Layout::Lines);
}

void write_findings(Writer& out, const std::vector<Finding>& findings, bool figures) {
  out.line().key("findings").objects(findings, Layout::Lines, [&](const Finding& f) {
    out.add("code", f.code).add("confidence", word(kConfidenceWords, f.confidence));
    out.add("basis", word(kBasisWords, f.basis)).add("matched", f.matched).add("of", f.of);
    out.add("message", f.message).add("hint", f.hint).add("same_as", f.same_as);
    out.add("scope", f.scope.empty() ? "*" : f.scope);
    out.key("facts").object([&] {
      for (const Fact& fact : figures ? f.facts : std::vector<Fact>())
        std::visit([&](const auto& value) { out.add(fact.name, value); }, fact.value);
    });
  });
}

void write_unreadable(Writer& out, const Diagnostic& d) {
  const Place place = d.places.empty() ? Place{} : d.places.front();
  out.add("what", d.what);
  if (place.line > 0) out.add("line", place.line).add("column", place.column);
  out.some("pointer", place.pointer).some("fix", d.fix);
}

void write_first_cell(Writer& out, const StepReport& s, NonFinite nonfinite) {
  const Cell& c = *s.first_cell;
  out.add("batch", c.batch).add("head", c.head).add("row", c.row).add("col", c.col);
  out.add("given", json::or_null(s.given, nonfinite));
  out.add("expected", json::or_null(s.expected, nonfinite));
}

void write_report(Writer& out, const StepReport& s, bool figures, NonFinite nonfinite) {
  out.line().add("id", s.id).add("verdict", word(kVerdictWords, s.verdict));
  out.add("shape", s.shape).add("given_shape", s.given_shape);
  out.add("score", s.score).add("max_score", s.max_score).some("unearned_for", s.unearned_for);
  write_cells(out.line(), s);
  write_findings(out, s.findings, figures);
  if (figures && s.max_difference)
    out.line().add("max_difference", json::or_null(*s.max_difference, nonfinite));
  if (figures && s.first_cell)
    out.line().key("first_cell").object([&] { write_first_cell(out, s, nonfinite); });
  if (s.unreadable.empty()) return;
  const auto write = [&](const Diagnostic& d) { write_unreadable(out, d); };
  out.line().key("unreadable").objects(s.unreadable, Layout::Lines, write);
}

}  // namespace

void write_check_head(Writer& out, const CheckReport& report) {
  out.format("attn.check").add("right", report.right).add("complete", report.complete);
}

void write_check_rest(Writer& out, const CheckReport& report, bool figures, NonFinite nonfinite) {
  out.line().add("first_wrong", report.first_wrong).key("tolerance").object([&] {
    out.add("absolute", report.tolerance.absolute).add("relative", report.tolerance.relative);
  });
  out.add("score", report.score).add("max_score", report.max_score);
  const auto write = [&](const StepReport& s) { write_report(out, s, figures, nonfinite); };
  out.line().key("steps").objects(report.steps, Layout::Lines, write, Layout::Groups);
  write_findings(out, report.findings, figures);
  const auto write_note = [&](const std::string& note) { out.value(note); };
  std::vector<std::string> notes = report.problem_notes;
  notes.insert(notes.end(), report.notes.begin(), report.notes.end());
  out.line().key("notes").list(notes, Layout::Lines, write_note);
  if (report.tried.empty()) return;
  out.line().key("tried").object(
      [&] { out.add("codes", std::ssize(report.tried)).add("left_out", report.left_out); });
}

std::string check_json(const CheckReport& report, bool figures, NonFinite nonfinite) {
  return json::file_text(Layout::Groups, [&](Writer& out) {
    write_check_head(out, report);
    write_check_rest(out, report, figures, nonfinite);
  });
}

}  // namespace attn
