// A class on disk: sheets made by the generator, the key folder, and what students hand in.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "attn/teach/exercise.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

namespace attn::testing {

/// "s001" to "s200".
std::string student_id(std::size_t number);

/// Sheets of the preset "causal" for s001 … as many as asked for; each made once.
/// `mistakes`: those that each sheet must show; if none are given, those that nearly all show.
const std::vector<ExerciseVariant>& class_variants(std::size_t students,
                                                   const std::vector<std::string>& mistakes = {});

/// A sheet of the preset "find-the-bug" for s001.
const ExerciseVariant& bug_variant();

/// A folder with key/, and handed-in/ which a test fills.
class Classroom {
 public:
  explicit Classroom(const std::vector<ExerciseVariant>& variants);

  std::string path(const std::string& name) const { return folder_.path(name); }
  std::string hand_in(const std::string& name, const std::string& bytes) const;
  /// With the seal that the sheet of that variant had when it was made, as students hand it in.
  std::string hand_in(const std::string& name, const Sheet& sheet) const;

  /// attn check handed-in --key key --gradebook grades.csv MORE…
  Ran check(const std::vector<std::string>& more = {}) const;

 private:
  TemporaryFolder folder_;
  std::map<std::string, std::string> seals_ = {};  ///< by variant
};

/// Says that a file was changed so many hours earlier.
void make_older(const std::string& path, int hours);

/// A gradebook as read back: the row of a student, and its cells by column.
using BookRow = std::map<std::string, std::string>;
struct Book {
  BookRow possible;
  std::vector<BookRow> rows;
  const BookRow& of(const std::string& student) const;
};
Book read_book(const std::string& path);

}  // namespace attn::testing
