// Reads broken files and checks their one error.
#include "io/error_rows.hpp"

#include <doctest/doctest.h>

#include <optional>

#include "attn/attend.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/render/error_text.hpp"
#include "io/json/json.hpp"
#include "support/errors.hpp"

namespace attn::testing {
std::vector<Diagnostic> syntax_errors(const std::string& text) {
  return diagnostics_from([&] { json::parse(text, "a.json"); });
}

std::vector<Diagnostic> problem_errors(const std::string& text) {
  return diagnostics_from([&] { parse_problem(text, "a.json"); });
}

Diagnostic check_row(const SyntaxRow& row, const std::string& id) {
  CAPTURE(row.text);
  const std::vector<Diagnostic> found = syntax_errors(row.text);
  REQUIRE(found.size() == 1);
  CHECK(found[0].id == id);
  CHECK(found[0].what == row.what);
  CHECK(found[0].fix == row.fix);
  const Place& place = found[0].places.at(0);
  CHECK(place.file == "a.json");
  CHECK(place.line == row.line);
  CHECK(place.column == row.column);
  CHECK(place.pointer == row.pointer);
  return found[0];
}

Diagnostic check_row(const ProblemRow& row) {
  CAPTURE(row.text);
  const std::vector<Diagnostic> found = problem_errors(row.text);
  REQUIRE(found.size() == 1);
  CHECK(found[0].id == row.id);
  CHECK(found[0].what == row.what);
  CHECK(found[0].fix == row.fix);
  const Place& place = found[0].places.at(0);
  CHECK(place.file == "a.json");
  CHECK(place.pointer == row.pointer);
  CHECK(place.line == 1);
  CHECK(place.column == row.column);
  if (place.first_column == 1) CHECK(place.line_text == row.text);
  return found[0];
}

void check_rows(const std::vector<SyntaxRow>& rows, const std::string& id) {
  for (const SyntaxRow& row : rows) check_row(row, id);
}

void check_rows(const std::vector<ProblemRow>& rows) {
  for (const ProblemRow& row : rows) check_row(row);
}

std::string report_on(const std::string& problem) {
  CAPTURE(problem);
  ProblemFile file;
  const std::optional<Error> unread =
      error_if_refused([&] { file = parse_problem(problem, "<stdin>"); });
  if (unread) return error_text(*unread);
  return error_text(file.places.locate(error_from([&] { make_problem(file.draft); })));
}

}  // namespace attn::testing
