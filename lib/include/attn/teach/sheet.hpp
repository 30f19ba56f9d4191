// Worksheets: a problem with cells to fill in, for one student.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "attn/problem.hpp"

namespace attn {

/// One matrix of a sheet.
struct SheetStep {
  std::string id;                    ///< of a step of the problem: "scores"
  std::vector<Index> shape = {};     ///< as in the trace
  double points = 0.0;               ///< for all its blanks together
  std::vector<double> numbers = {};  ///< row-major, to the sheet's decimals; NaN in an empty blank
  std::vector<char> blank = {};      ///< one per number: 1 = for the student to fill in
};

/// What "find the bug" asks for; each absent until it is filled in.
struct BugAnswer {
  std::optional<std::string> first_wrong;  ///< id of the first wrong step
  std::optional<std::string> code;         ///< of the mistake: "scale.missing"
};

/// What a teacher says about a mistake in place of attn's own words; empty: those stay.
struct OwnText {
  std::string message = {};  ///< what happened
  std::string hint = {};     ///< a question, or what to read again
};

/// By the code of the mistake.
using OwnTexts = std::map<std::string, OwnText>;

/// A sheet as it is handed out, filled in or solved. It holds no seed and no salt.
struct Sheet {
  std::string exercise;  ///< name of the exercise, the same for a whole class
  std::string student;   ///< id in the roster; empty without one
  std::string variant;   ///< "K7Q2-9MXA"
  int decimals = 3;
  double accept_within = 0.01;    ///< absolute, inclusive
  std::string instructions = {};  ///< the teacher's; empty: the usual ones
  /// How far a page may check the answers: "off", "cells", or "causes" (also if empty). Not sealed.
  std::string self_check = {};
  bool decimal_comma = false;   ///< printed as 0,5, in tables with semicolons. Not sealed
  OwnTexts mistake_texts = {};  ///< not sealed
  /// The blanks are in matrices that the problem does not give, such as q: right is whatever makes
  /// the printed numbers of the other steps.
  bool inverse = false;
  std::string language = {};  ///< a code: "de"; empty: English. Not sealed
  ProblemDraft problem = {};
  std::vector<SheetStep> steps;  ///< in the order of the computation
  std::optional<BugAnswer> bug;
  double bug_points = 0.0;  ///< half for the step, half for the code
};

/// What the whole sheet is worth.
inline double points_of(const Sheet& sheet) {
  double points = sheet.bug ? sheet.bug_points : 0.0;
  for (const SheetStep& step : sheet.steps) points += step.points;
  return points;
}

/// Whether a given matrix of the problem is not on a find-the-bug sheet.
inline bool is_left_out(const Sheet& sheet, const std::string& id) {
  return sheet.bug && ((id == "q" && !sheet.problem.q) || (id == "k" && !sheet.problem.k));
}

}  // namespace attn
