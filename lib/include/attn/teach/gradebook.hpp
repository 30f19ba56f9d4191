// A class and its grades: one row per student, what the class did, and what to look at twice.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "attn/document.hpp"
#include "attn/io/sheet_file.hpp"
#include "attn/teach/grading.hpp"

namespace attn {

enum class RowStatus {
  Graded,
  NotGradable,   ///< the file cannot be read, or belongs to another exercise
  Missing,       ///< nothing was handed in
  WrongVariant,  ///< somebody else's sheet, or one of another exercise of that name
  Duplicate,     ///< several files of one student
  NotInRoster,   ///< the id belongs to nobody
};
inline constexpr std::size_t kRowStatuses = 6;

/// "graded", "not_gradable" …
const char* status_word(RowStatus status);

/// One row of a gradebook: a student of the roster, or a file of somebody else.
struct ClassRow {
  std::vector<std::string> columns;  ///< of the roster, the id first
  RowStatus status = RowStatus::Missing;
  std::optional<RowStatus> before = {};     ///< the status without points by hand
  std::vector<std::string> files = {};      ///< what was handed in, below the folder
  std::vector<std::string> notes = {};      ///< for the teacher, and for a student without a grade
  std::string owner = {};                   ///< whose sheet it is, if another's: for the teacher
  std::vector<std::string> decisions = {};  ///< of the teacher's, which the student may read
  std::shared_ptr<const Sheet> key = {};    ///< the student's sheet, solved; null if there is none
  std::optional<Grade> grade = {};
  bool by_hand = false;   ///< no file counts: the grade is an empty sheet with points by hand
  bool unscored = false;  ///< only excused from steps: the grade says what is left to earn

  const std::string& student() const { return columns.front(); }
};

/// What became of what a student without a grade handed in, for the student: "nothing was handed
/// in", whatever points by hand there are. A text of the catalogue; "" for the grade of a file.
const char* fate_text(const ClassRow& row);

/// The same in the language in use, with the names of the files if several were handed in, as the
/// student called them: folders may have names of others.
std::string fate_said(const ClassRow& row);

/// How notes about files begin that do not count: only the teacher reads them, since they may be
/// those of others.
inline constexpr const char* kAlsoHandedIn = "also handed in: ";

/// What a student without a grade may read besides that, in English.
std::vector<std::string> notes_for_student(const ClassRow& row);

/// A note about what was handed in, for a list in which decisions begin with what they are about: a
/// name or a text in it that would read as one, "; q: 3 points by hand", has a comma in front.
std::string without_decision(std::string note);

/// Whether the teacher excused the student from all that gives points: no points out of none.
bool is_excused(const ClassRow& row);

/// Whether the student has a score, perhaps 0.
bool has_score(const ClassRow& row);

/// A class, ready to be written.
struct ClassBook {
  std::string exercise;
  std::vector<std::string> header;  ///< of the roster's columns
  std::vector<ClassRow> rows;       ///< the roster in its order, then strangers
  const Sheet* example = nullptr;   ///< any sheet of the class: what its steps are worth
};

/// The code of a wrong step that has unreadable cells and no findings.
inline constexpr const char* kUnreadableCode = "cell.unreadable";

/// The code of the first finding of each wrong step that is not excused, in the order of the steps,
/// each once.
std::vector<std::string> codes_of(const Grade& grade);

/// The code of the first wrong step; "" if nothing is known there.
std::string main_code(const Grade& grade);

/// Flags for a teacher's eye: wrong cells that fit another student's variant, and equal wrong cells
/// on sheets with different givens, each only where chance is no explanation.
void flag_resemblances(std::span<ClassRow> rows);

/// What the class did with one step.
struct ClassStep {
  std::string id;  ///< or one of kBugParts
  double points = 0.0;
  Index right = 0, follows = 0, wrong = 0, empty = 0;  ///< students
  std::optional<double> mean_percent = {};  ///< without those who were excused; none without others
};

/// A mistake, or cells that are not numbers, and how many of those graded have it.
struct ClassCause {
  std::string code, title;
  Index students = 0;
};

/// A class without names.
struct ClassSummary {
  std::string exercise;
  Index rows = 0;
  Index students = 0;  ///< rows without those of files that belong to nobody
  std::array<Index, kRowStatuses> counts = {};  ///< by RowStatus
  Index graded = 0;                             ///< students with a score
  Index excused = 0;                            ///< students excused from everything
  std::array<Index, kRowStatuses> others = {};  ///< all other rows, by RowStatus
  double points = 0.0;                          ///< possible
  std::optional<double> median_percent = {}, mean_percent = {};  ///< of those graded
  std::optional<std::string> hardest_step = {};  ///< the smallest mean, if below 100 %
  std::vector<ClassStep> steps = {};
  std::vector<ClassCause> causes = {};  ///< the most frequent first
  Index flagged = 0;                    ///< of those graded, with a flag
};
ClassSummary summarise(const ClassBook& book);

/// The gradebook as a table (docs/for-teachers.md): the roster's columns, the grade, one column per
/// step, the causes. Characters that nobody can see are escapes.
CsvTable gradebook_table(const ClassBook& book);

/// Where a gradebook goes: attn's own columns, or those that a platform or a program takes.
enum class BookFor { Attn, Canvas, Moodle, Excel };

/// The gradebook as text. For Canvas and Moodle: the students of the roster, without other rows;
/// for Excel the whole table without the points possible, with a byte order mark, and with
/// semicolons and decimal commas where the sheets have them.
std::string gradebook_text(const ClassBook& book, BookFor who);

/// For a platform, which takes points out of those of everybody: "8 of 9 points count as 8.8889 of
/// 10, because of excused steps" in the language in use; "" where the score is what it takes.
std::string scaled_text(const ClassRow& row, double points);

/// Where points are missing on a sheet, and why: "scores: 2 of 6 blanks wrong (scale.missing)" for
/// the teacher; for the student, the sentences about the mistake in place of its code.
enum class LossesFor { Teacher, Student };
std::vector<std::string> losses_of(const Grade& grade, LossesFor reader = LossesFor::Teacher);

/// The report for a student of whom no sheet counts: why, and the points by hand if there are any.
Document ungraded_document(const std::string& exercise, const ClassRow& row);

/// The summary for people, and as JSON (format "attn.class").
Document class_document(const ClassSummary& summary);
std::string class_json(const ClassSummary& summary);

/// Whether a file is a gradebook, or the summary of a class as JSON.
bool is_of_class(std::string_view bytes);

}  // namespace attn
