// Grading: what the answers on a sheet are worth.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "attn/check.hpp"
#include "attn/teach/sheet.hpp"
#include "attn/trace.hpp"

namespace attn {

struct GradeOptions {
  double follow_through = 1.0;  ///< share of a cell's points that is kept where it only follows
  CheckOptions check = {};      ///< without a tolerance: that of the sheet
};

/// Codes of flags about what was handed in.
inline constexpr const char *kGivenChanged = "file.given_changed",
                            *kSecondMatrix = "file.second_matrix";

/// Something for the teacher to look at. It never changes a score.
struct Flag {
  std::string code;          ///< one of those, "matches_variant_of", "same_wrong_cells_as"
  std::string message;       ///< what was found, as a sentence
  std::string student = {};  ///< the other student
};

/// What takes the place of steps on a find-the-bug sheet: its two questions.
inline constexpr std::array kBugParts{"bug.first_wrong", "bug.code"};

/// What was answered on a find-the-bug sheet.
struct BugReport {
  BugAnswer written = {}, right = {};
  std::string no_step = {};  ///< what was written for the step, if no step of the sheet is meant
  std::string no_code = {};  ///< what was written for the code, if there is no such code
};

/// A graded sheet.
struct Grade {
  std::string exercise, student, variant;
  Trace truth = {};
  Answers answers = {};               ///< as graded: printed cells are those of the original
  CheckReport report = {};            ///< its scores are points
  std::optional<BugReport> bug = {};  ///< then the steps are kBugParts, each with one cell
  std::vector<Flag> flags = {};
  double follow_through = 1.0;  ///< as in the options

  /// 0 to 100; 0 if the sheet has no points.
  double percent() const;
};

/// The step that somebody means who may copy from a sheet: as step_meant reads it, in any language
/// of sheets, in quotation marks, as "Schritt 8", "[8/9] A" or "A = softmax(M)", by the words
/// printed beside it, by the end of one title alone, or by the words of its id or title in any
/// order, "S_scaled"; nullptr if it is none.
const Step* step_named(const Trace& truth, std::string_view text);

/// The code of a mistake, which may be written as its title, in any language of sheets, in
/// quotation marks or as reports print it, "[scale.missing]"; what was written, in small letters,
/// if there is no such code.
std::string code_named(std::string_view text);

/// What a student handed in.
struct Submission {
  Answers answers;
  std::optional<BugAnswer> bug;
};

/// The computation that a sheet asks for; of an inverse one, with 0 in its blanks. Throws Error
/// (input) for a problem that cannot be computed.
Trace computation_of(const Sheet& sheet);

/// Matrices under the ids of the steps that are meant: "Scaled scores", "s'" and "6/9" are
/// scaled_scores, unless there is a matrix of that name; titles also in the language with the code
/// `language`. What is named less clearly, such as by the end of a title, must have the shape of
/// the step.
Answers with_step_ids(const Trace& truth, const std::string& language, Answers answers);

/// Grades what was handed in. `original` says what is printed, which cells are blank and what they
/// are worth; the numbers in its blanks are ignored. Printed cells that were changed are restored
/// and flagged; so are second matrices for a step: a blank with two answers is unreadable. A step
/// is worth points × (right + follow_through · follows) / blanks. Where `original.bug` is filled
/// in, that is the right answer; otherwise the printed numbers are diagnosed. Findings have the
/// words of `original.mistake_texts`. Throws Error (input, "no-answers") if no matrix has the name
/// of a step of the sheet.
Grade grade_sheet(const Sheet& original, const Submission& submission,
                  const GradeOptions& options = {});

/// "a number that only follows from your earlier steps earns 50% of its share", in English; "" if
/// it earns all, or no such number earns anything.
std::string follow_share_text(const Grade& grade);

/// Adds a grade up once more after points were set by hand: these stay, what follows from such a
/// step may earn points now, and the first wrong step is none that is excused.
void recount(const Sheet& original, Grade& grade);

}  // namespace attn
