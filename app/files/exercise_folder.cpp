// Writes and reads the folder of an exercise.
#include "files/exercise_folder.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <ostream>

#include "attn/suggest.hpp"
#include "files/files.hpp"
#include "files/input.hpp"

namespace attn::app {
namespace {

namespace fs = std::filesystem;

/// Folders that are removed again, if they are empty, unless all goes well.
class NewFolders {
 public:
  ~NewFolders() {
    std::error_code ignored;
    for (auto at = made_.rbegin(); at != made_.rend(); ++at) fs::remove(*at, ignored);
  }

  /// Makes it, and what is missing above it.
  void make(const fs::path& folder) {
    std::error_code failed;
    if (folder.empty() || fs::is_directory(folder, failed)) return;
    make(folder.parent_path());
    if (!fs::create_directory(folder, failed))
      throw cannot_write(folder.string(), errno_of(failed));
    made_.push_back(folder);
  }

  void keep() { made_.clear(); }

 private:
  std::vector<fs::path> made_;
};

}  // namespace

std::string ExerciseFolder::sheet(const std::string& student, const std::string& ending) const {
  return sheets() + "/" + file_name_of(student) + ending;
}

std::string ExerciseFolder::answer(const std::string& student, const std::string& ending) const {
  return answers() + "/" + file_name_of(student) + ending;
}

void refuse_full_folder(const std::string& path) {
  std::error_code failed;
  if (!fs::exists(fs::symlink_status(path, failed))) return;
  if (!fs::is_directory(path, failed)) {
    throw file_error("file-exists", "\"" + path + "\" is a file, not a folder",
                     "Choose another name with -o.");
  }
  if (fs::is_empty(path, failed) || failed) return;
  throw file_error("file-exists", "the folder \"" + path + "\" has files in it",
                   "Choose another folder with -o, a new one or an empty one: what is in a "
                   "folder stays as it is.");
}

void write_new_folder(const std::string& path, const std::vector<Output>& files,
                      const Streams& streams, const std::string& secret) {
  refuse_full_folder(path);
  NewFolders folders;
  for (const Output& file : files) folders.make(fs::path(file.path).parent_path());
  std::error_code ignored;  // not every file system has owners
  if (!secret.empty()) fs::permissions(secret, fs::perms::owner_all, ignored);
  Streams silent = streams;
  silent.common.quiet = true;  // the command says what it wrote
  write_all(files, silent);
  folders.keep();
}

void write_exercise(const ExerciseFolder& folder, const std::vector<Output>& files,
                    const Streams& streams) {
  write_new_folder(folder.path(), files, streams, fs::path(folder.key()).parent_path().string());
}

void require_exercise(const ExerciseFolder& folder) {
  std::error_code failed;
  if (fs::is_regular_file(folder.key(), failed)) return;
  for (const fs::path& each : {fs::path(folder.path()), fs::path(folder.key()).parent_path()})
    require_readable(each);
  const bool there = fs::is_directory(folder.path(), failed);
  throw file_error("cannot-read",
                   there
                       ? "\"" + folder.path() + "\" is not an exercise: it has no key/exercise.json"
                       : "there is no folder \"" + folder.path() + "\"",
                   "Name the folder that attn exercise make wrote.");
}

ExerciseKey read_exercise_key(const ExerciseFolder& folder, const Streams& streams) {
  require_exercise(folder);
  return parse_input(folder.key(), streams, parse_exercise_key);
}

std::vector<LockedVariant> read_lock(const ExerciseFolder& folder, const Streams& streams) {
  require_exercise(folder);
  return parse_input(folder.lock(), streams, parse_lock);
}

CsvTable read_roster(const std::string& path, const Streams& streams) {
  CsvTable roster = parse_input(path, streams, parse_roster);
  const std::string& first = roster.header.front();
  if (first.find_first_of("0123456789@") != first.npos && !streams.common.quiet) {
    streams.err << "note: the first line of " << visible(path) << " names its columns, so \""
                << visible(first)
                << "\" is not counted as a student; if it is one, put a line such as \"id\" "
                   "above it\n"
                << std::flush;
  }
  return roster;
}

SheetFile read_sheet(const std::string& path, const Streams& streams) {
  return parse_input(path, streams, [](std::string_view bytes, const std::string& name) {
    return parse_sheet(bytes, name);
  });
}

const LockedVariant& find_variant(const std::vector<LockedVariant>& lock,
                                  const std::optional<std::string>& student,
                                  const std::optional<std::string>& variant) {
  if (!student && !variant && lock.size() == 1) return lock.front();
  if (!student && !variant) {
    throw usage_error("missing-option", "this exercise has a sheet for each student",
                      "Name the student: --student " + shell_word(lock.front().student) + ".");
  }
  std::vector<std::string> known;
  for (const LockedVariant& each : lock) {
    const std::string& name = student ? each.student : each.variant;
    if (name == (student ? *student : *variant)) return each;
    if (!name.empty()) known.push_back(name);  // a sheet for nobody suggests nothing
  }
  const std::string what = student ? "student \"" + *student + "\"" + did_you_mean(*student, known)
                                   : "variant \"" + *variant + "\"" + did_you_mean(*variant, known);
  throw usage_error("no-such-student", "this exercise has no " + what,
                    "key/roster.lock.csv lists all students and variants.");
}

}  // namespace attn::app
