// A graded sheet: for people as a document, for programs as JSON.
#pragma once

#include <string>

#include "attn/render/check_report.hpp"
#include "attn/teach/grading.hpp"

namespace attn {

/// As check_document, with points. For a find-the-bug sheet, only whether each part is right.
Document grade_document(const Grade& grade, const CheckView& view);

/// As check_json, with points as scores, and whose sheet it is.
std::string grade_json(const Grade& grade, bool figures, NonFinite nonfinite = NonFinite::Words);

/// results.json as Gradescope reads it: a test for each step that has points.
std::string gradescope_json(const Grade& grade);

/// Why a file cannot be graded: what is in it, what is in the key, or that the exercise was made
/// for a list of students without whoever handed in.
enum class Fault { File, Key, List };

/// The same for a file that cannot be graded. Where the file is at fault, or the list: score 0, and
/// the reason, which the student sees. Where the key is: no score, and nothing about what is in it.
std::string gradescope_json(const Error& error, Fault fault);

}  // namespace attn
