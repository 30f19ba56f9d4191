// Worksheets, exercises and rosters as files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "attn/core/memory_budget.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/teach/answers.hpp"
#include "attn/teach/exercise.hpp"
#include "attn/teach/sheet.hpp"

namespace attn {

/// A sheet as read: perhaps filled in, perhaps changed where it must not be.
struct SheetFile {
  Sheet sheet;
  SourceMap places = {};   ///< of its problem: where errors of make_problem are in the file
  Answers answers = {};    ///< its steps, each cell as it was written; printed ones are Given
  bool seal_fits = false;  ///< nothing but the blanks was changed since it was made
  std::string seal = {};   ///< as it is in the file
};

/// Reads a sheet (docs/sheet-format.md). Unreadable cells are kept and described in the answers.
/// Throws Error (input) for what is wrong with the whole file.
SheetFile parse_sheet(std::string_view bytes, const std::string& name, MemoryBudget budget = {},
                      DecimalMark mark = DecimalMark::Auto);

/// "comma" or "point", or the mark itself, as decimal_mark is written; nothing for other words.
std::optional<DecimalMark> decimal_mark_named(std::string_view word);

/// The sheet as JSON with its seal.
std::string sheet_json(const Sheet& sheet);

/// "sha256:…": of everything on the sheet that the student must not change.
std::string sheet_seal(const Sheet& sheet);

/// "sha256:…": of the problem alone, which differs from student to student.
std::string problem_hash(const Sheet& sheet);

/// The cells of a sheet as a table for spreadsheets: step, head (where there are heads), row, col
/// and value, then what each line is: given or not, and whose.
std::string sheet_csv(const Sheet& sheet);

/// Which sheet a table belongs to, according to its columns exercise, student and variant.
struct SheetName {
  std::string exercise, student, variant;
};

/// Whether a file is such a table: its first line has the columns step, value and variant.
bool is_sheet_table(std::string_view bytes);

/// The name on such a table; nothing if it has no column `variant`. Throws Error (input) for a
/// table of several sheets.
std::optional<SheetName> sheet_name_in(std::string_view bytes, const std::string& name);

/// Answers from elsewhere, such as a table, taken as answers on that sheet: in those that name one
/// of its steps, by id or symbol, printed cells become Given; the others stay as they are. `sheet`
/// gets the numbers.
Answers answers_on(Sheet& sheet, Answers answers);

/// An exercise as a teacher writes it, and where each setting was: `steps` is at "/steps".
struct SpecFile {
  ExerciseSpec spec;
  SourceMap places;
};

/// The preset of that name. Throws Error (usage, id "unknown-preset").
const ExercisePreset& find_preset(const std::string& name);

/// Reads a preset's name and what differs from it; values are checked by make_exercise. `preset`
/// replaces the file's own, unless it is empty; `read_file` serves problems in files of their own.
/// Throws Error.
SpecFile parse_exercise_spec(std::string_view bytes, const std::string& name,
                             const std::string& preset = "", const ReadFile& read_file = {});

/// "40%", "all", "row" or "one". Throws Error (input, id "option-value").
BlankRule parse_blank_rule(std::string_view text);
std::string blank_rule_text(const BlankRule& rule);

/// What only the teacher keeps, key/exercise.json: the whole spec, the salt, the generator.
struct ExerciseKey {
  ExerciseSpec spec;
  std::string salt;  ///< bytes
  std::string generator;
};
std::string exercise_key_json(const ExerciseKey& key);
ExerciseKey parse_exercise_key(std::string_view bytes, const std::string& name);

/// A table with a header, as spreadsheets write it (RFC 4180; commas, semicolons or tabs).
struct CsvTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  ///< each as long as the header
};
/// Throws Error (input, id "table") for an empty file, lines longer than the header and quotation
/// marks that are not closed. Empty lines are skipped, apostrophes before formulas removed.
CsvTable parse_csv(std::string_view bytes, const std::string& name);
/// Lines end with CR LF. Text that a spreadsheet would run as a formula gets an apostrophe in
/// front, except below the header of column `numbers`.
std::string csv_text(const CsvTable& table, std::optional<std::size_t> numbers = {},
                     char separator = ',');

/// One line of key/roster.lock.csv: who got which sheet.
struct LockedVariant {
  std::string student, variant;
  std::string givens;  ///< problem_hash of the sheet
};
std::string lock_csv(const std::vector<LockedVariant>& lock);
std::vector<LockedVariant> parse_lock(std::string_view bytes, const std::string& name);

/// A roster: a table whose first column holds the students' ids. Throws Error (input, id "table")
/// also for an id that is empty, has characters that nobody can see, or differs from another at
/// most in capitals, and if there are no students.
CsvTable parse_roster(std::string_view bytes, const std::string& name);

/// Every mistake as a JSON list: code, title, explanation, hint and see of each.
std::string mistakes_json();

/// A student's id as the name of a file, without an ending: no separators, no dot at either end, no
/// name that Windows reserves for a device. "sheet" for "". Different ids have different names.
std::string file_name_of(const std::string& student);

}  // namespace attn
