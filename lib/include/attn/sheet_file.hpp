// Worksheets, exercises and rosters as files.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attn/answers.hpp"
#include "attn/exercise.hpp"
#include "attn/sheet.hpp"
#include "attn/tool/memory_budget.hpp"

namespace attn {

/// A sheet as read: perhaps filled in, perhaps changed where it must not be.
struct SheetFile {
  Sheet sheet;
  Answers answers;         ///< every cell as it was written; those that are printed are Given
  bool seal_fits = false;  ///< nothing but the blanks was changed since it was made
};

/// Whether a file is a sheet: JSON with "format": "attn.sheet".
bool is_sheet(std::string_view bytes);

/// Reads a sheet (docs/sheet-format.md). Unreadable cells are kept and described in the answers.
/// Throws Error (input) for what is wrong with the whole file.
SheetFile parse_sheet(std::string_view bytes, const std::string& name,
                      double max_memory = kUsualMemory);

/// The sheet as JSON with its seal, or its cells as a table: step,row,col,value.
std::string sheet_json(const Sheet& sheet);
std::string sheet_csv(const Sheet& sheet);

/// "sha256:…": of everything on the sheet that the student must not change.
std::string sheet_seal(const Sheet& sheet);

/// An exercise file as a teacher writes it: a preset, and what differs from it. Throws Error.
ExerciseSpec parse_exercise_spec(std::string_view bytes, const std::string& name);

/// What only the teacher keeps, key/exercise.json: the whole spec, the salt, the generator.
struct ExerciseKey {
  ExerciseSpec spec;
  std::string salt;  ///< bytes
  std::string generator;
};
std::string exercise_key_json(const ExerciseKey& key);
ExerciseKey parse_exercise_key(std::string_view bytes, const std::string& name);

/// A table with a header, as spreadsheets write it (RFC 4180).
struct CsvTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  ///< each as long as the header
};
CsvTable parse_csv(std::string_view bytes, const std::string& name);
std::string csv_text(const CsvTable& table);

/// A roster: a table whose first column holds the students' ids. Throws Error (input) for an id
/// that is empty or there twice.
CsvTable parse_roster(std::string_view bytes, const std::string& name);

/// A student's id as the name of a file: no separators, no leading dot, never empty.
std::string file_name_of(const std::string& student);

}  // namespace attn
