// Tables of broken files and their errors, for the tests of error messages.
#pragma once

#include <string>
#include <vector>

#include "attn/error.hpp"

namespace attn::testing {

/// Text that is not JSON, and the error it deserves.
struct SyntaxRow {
  std::string text;
  std::string what;
  int line, column;
  const char* pointer;
  std::string fix;
};

/// A problem file that is JSON, and the error it deserves.
struct ProblemRow {
  std::string text;
  const char* id;
  std::string what;
  std::string fix;
  const char* pointer;
  int column;  // in line 1
};

/// The diagnostics of json::parse and of parse_problem for the file "a.json"; none if it is good.
std::vector<Diagnostic> syntax_errors(const std::string& text);
std::vector<Diagnostic> problem_errors(const std::string& text);

/// Checks that the text has this one error, and returns it.
Diagnostic check_row(const SyntaxRow& row, const std::string& id);
Diagnostic check_row(const ProblemRow& row);

void check_rows(const std::vector<SyntaxRow>& rows, const std::string& id = "json-syntax");
void check_rows(const std::vector<ProblemRow>& rows);

/// The report on a problem that is read as <stdin>, and refused there or when it is made.
std::string report_on(const std::string& problem);

}  // namespace attn::testing
