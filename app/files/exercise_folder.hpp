// The folder of an exercise: where its files are, and how they are written and read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "attn/io/sheet_file.hpp"
#include "command.hpp"
#include "files/files.hpp"

namespace attn::app {

/// The names of its files. `key` must never be handed out.
class ExerciseFolder {
 public:
  explicit ExerciseFolder(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  std::string sheets() const { return path_ + "/sheets"; }
  std::string answers() const { return path_ + "/key/answers"; }
  /// `ending` is ".json", ".csv" or that of a document.
  std::string sheet(const std::string& student, const std::string& ending) const;
  std::string answer(const std::string& student, const std::string& ending = ".json") const;
  std::string all(const std::string& ending) const { return path_ + "/all-sheets" + ending; }
  std::string page() const { return path_ + "/attn.html"; }
  std::string key() const { return path_ + "/key/exercise.json"; }
  std::string lock() const { return path_ + "/key/roster.lock.csv"; }

 private:
  std::string path_;
};

/// Writes all of these files and makes their folders, or leaves no file and no folder behind.
/// Throws Error (files): id "file-exists" if the folder has anything in it.
void write_exercise(const ExerciseFolder& folder, const std::vector<Output>& files,
                    const Streams& streams);

/// The same for any folder, of which `secret` is for its owner alone; "" for none.
void write_new_folder(const std::string& path, const std::vector<Output>& files,
                      const Streams& streams, const std::string& secret = "");

/// Throws Error (files, id "file-exists") if there is something at `path` other than an empty
/// folder.
void refuse_full_folder(const std::string& path);

/// Throws Error (files, id "cannot-read") if there is no such folder, or it is not an exercise.
void require_exercise(const ExerciseFolder& folder);

/// Reads one of its files. Throws Error.
ExerciseKey read_exercise_key(const ExerciseFolder& folder, const Streams& streams);
std::vector<LockedVariant> read_lock(const ExerciseFolder& folder, const Streams& streams);
SheetFile read_sheet(const std::string& path, const Streams& streams);

/// Reads a roster. A first line that looks like a student, not like names of columns, gets a note
/// on standard error.
CsvTable read_roster(const std::string& path, const Streams& streams);

/// The secret that makes the sheets of a class different from those of any other: the bytes of a
/// file without the spaces around them, and then without the line ends after them. Throws Error
/// (files, id "cannot-read"; input, id "short-salt").
std::string read_salt(const std::string& path, const Streams& streams);

/// A new one, from the system's randomness.
std::string new_salt();

/// The line of a student or a variant. Throws Error (usage): id "no-such-student" with a
/// suggestion, or "missing-option".
const LockedVariant& find_variant(const std::vector<LockedVariant>& lock,
                                  const std::optional<std::string>& student,
                                  const std::optional<std::string>& variant);

}  // namespace attn::app
