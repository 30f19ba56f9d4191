// Compares somebody's matrices with the computed ones, and names the mistake.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "attn/teach/answers.hpp"
#include "attn/trace.hpp"

namespace attn {

/// The verdict on one cell.
enum class CellVerdict : unsigned char {
  Right,
  Follows,  ///< right for the student's own earlier matrices, wrong in itself
  Wrong,
  Empty,
  Unreadable,
  Given,
};

/// The verdict on one matrix: the worst of its cells, or why there are none.
enum class Verdict { Right, Follows, Wrong, Empty, Shape, Unreadable };

enum class Confidence {
  Certain,   ///< explains every filled cell of the step; all other mistakes were tried, and each
             ///< misses some cell by more than four tolerances
  Likely,    ///< the same, but other mistakes do too, or not all were tried
  Possible,  ///< less: a single cell, a slip, a pair of mistakes, evidence, rounding
};

/// What an explanation was computed from: the student's own earlier matrices, or the true ones.
enum class Basis { Own, True };

/// A number or a word that says more about a mistake: {"base", 10000}.
struct Fact {
  std::string name;
  std::variant<double, std::string> value;
};

/// A mistake found in a step, or evidence in plain words.
struct Finding {
  std::string code = {};  ///< "scale.missing"; "evidence.sums" for what no mistake explains
  Confidence confidence = Confidence::Certain;
  Basis basis = Basis::Own;
  Index matched = 0, of = 0;              ///< cells of the step that it explains, out of how many
  std::string message = {};               ///< what happened or is seen, without any right number
  std::string hint = {};                  ///< a question
  std::string see = {};                   ///< a page of `attn help`; empty: none
  std::vector<std::string> same_as = {};  ///< codes that explain the same cells
  std::string scope = {};        ///< in a whole model: "*" (everywhere), "h.*.attn", "h.0.attn"
  std::vector<Fact> facts = {};  ///< what the mistake sets otherwise, or what is seen
};

/// One matrix of the answers.
struct StepReport {
  std::string id;
  Verdict verdict = Verdict::Right;
  std::vector<Index> shape, given_shape;
  double score = 0.0, max_score = 0.0;
  std::vector<CellVerdict> cells;        ///< row-major; none for the verdicts Shape and Unreadable
  std::vector<Finding> findings;         ///< best first
  std::vector<Diagnostic> unreadable;    ///< cells that hold no number, and where
  std::optional<double> max_difference;  ///< over filled cells
  std::optional<Cell> first_cell;        ///< the first wrong one
  double given = 0.0, expected = 0.0;    ///< what it holds, and what would be right
  std::string unearned_for = {};         ///< on a sheet: the earlier step, of which too few blanks
                                         ///< earn points, so that cells that follow earn none
  std::vector<char> too_large = {};      ///< on a sheet: cells with 1 are too large to go on from;
                                         ///< empty if there are none
  bool by_hand = false;                  ///< on a sheet: the teacher set its points
  bool excused = false;                  ///< by hand: it counts for nothing

  /// Whether something that was handed in is not right, and does not follow.
  bool is_wrong() const {
    return verdict == Verdict::Wrong || verdict == Verdict::Shape || verdict == Verdict::Unreadable;
  }
};

/// How far from the truth a right cell may be. `relative` is a share of the largest finite entry of
/// the step that no mask hides.
struct Tolerance {
  double absolute = 0.0, relative = 0.0;
};

/// How many numbers were read with a decimal comma, as a sentence; "" if none was.
std::string comma_note(const Answers& answers);

/// Whether a note is one of those.
bool is_comma_note(std::string_view note);

struct CheckReport {
  Tolerance tolerance;
  std::vector<StepReport> steps;  ///< those that the answers hold, in the order of the computation
  std::vector<Finding> findings;  ///< about the whole file: "layout.columns"
  std::vector<std::string> problem_notes = {};  ///< on the problem: what was converted, left out
  std::vector<std::string> notes;  ///< names that are not steps, and what else was noticed
  std::vector<std::string> tried, left_out;  ///< codes: the search ended before the latter
  std::optional<std::string> first_wrong;    ///< id
  double score = 0.0, max_score = 0.0;
  bool right = false;     ///< nothing is wrong
  bool complete = false;  ///< no blank is left
};

struct CheckOptions {
  std::optional<Tolerance> tolerance;  ///< absent: what suits the answers
  bool exact = false;                  ///< judge hand-written answers as a dump
  std::vector<std::string> steps;      ///< grade only these; none: all
};

/// Checks answers against the computation `truth`, as docs/diagnosis.md describes it. Throws Error:
/// usage, "no-such-step" for a step in the options that the trace lacks; input, "no-answers" if no
/// matrix is named after a step.
CheckReport check_answers(const Trace& truth, Answers answers, const CheckOptions& options = {});

}  // namespace attn
