// Reads the key folder of an exercise.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "attn/io/sheet_file.hpp"
#include "command.hpp"

namespace attn::app {

/// What DIR/key holds: every student's sheet, solved.
struct KeyFolder {
  std::string path;
  std::string exercise = {};
  CsvTable roster = {};  ///< the students in their order; empty if the exercise has no roster
  std::map<std::string, std::shared_ptr<const Sheet>> sheets = {};  ///< by student
  /// Points and tolerances that exercise.json changed after the sheets were made, and that count.
  std::vector<std::string> changes = {};

  /// The student's sheet, or the only one of an exercise without students; null for a stranger.
  std::shared_ptr<const Sheet> sheet_of(const std::string& student) const;
  /// Whether everybody has the same sheet.
  bool is_shared() const;
  /// The student of that variant, or "".
  std::string student_of(const std::string& variant) const;
};

/// The folder that has `answers`: `path`, or `key` in it. Throws Error (files).
std::string find_key_folder(const std::string& path);

/// How the sheets of an exercise speak.
struct ExerciseStyle {
  std::string language = {};
  bool decimal_comma = false;

  /// How its students write decimals, unless `mark` says: with commas where its sheets have them;
  /// otherwise, as each file has it.
  DecimalMark read_as(DecimalMark mark) const {
    return mark == DecimalMark::Auto && decimal_comma ? DecimalMark::Comma : mark;
  }
};

/// That of the exercise of a key folder. Throws Error (files, input).
ExerciseStyle style_of(const std::string& key, const Streams& streams);

/// Reads DIR/key, or DIR that has a folder `key`. Throws Error (files, input).
KeyFolder read_key_folder(const std::string& path, const Streams& streams);

/// The solved sheet of one student, or the one that everybody has; capitals in the id make no
/// difference. Throws Error (input, id "not-gradable") for a stranger.
std::shared_ptr<const Sheet> read_key_sheet(const std::string& path, const std::string& student,
                                            const Streams& streams);

/// Whether the key has a sheet of that student's own, or the one that everybody has.
bool has_key_sheet(const std::string& path, const std::string& student);

/// Whether a sheet whose seal fits was made with other questions than the student's sheet in the
/// key: exercises of the same name share their variants. Other points alone are no difference.
bool is_of_another_exercise(Sheet sheet, const Sheet& key);

/// What to say about such a sheet.
inline constexpr const char* kOtherExercise =
    "this sheet is unchanged, but the one in the key has other questions: it was made for another "
    "exercise of the same name";

}  // namespace attn::app
