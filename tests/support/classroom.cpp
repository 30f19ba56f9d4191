// Writes keys and submissions into a folder, runs attn check on it, and reads the gradebook.
#include "support/classroom.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <fstream>

#include "attn/io/sheet_file.hpp"

namespace attn::testing {
namespace {

namespace fs = std::filesystem;

ExerciseSpec preset(const std::string& name) {
  for (const ExercisePreset& each : exercise_presets()) {
    if (each.name != name) continue;
    ExerciseSpec spec = each.spec;
    spec.name = "hw1";
    return spec;
  }
  FAIL("no preset " << name);
  return {};
}

}  // namespace

std::string student_id(std::size_t number) {
  const std::string digits = std::to_string(number);
  return "s" + std::string(3 - std::min<std::size_t>(digits.size(), 3), '0') + digits;
}

const std::vector<ExerciseVariant>& class_variants(std::size_t students,
                                                   const std::vector<std::string>& mistakes) {
  static std::map<std::pair<std::size_t, std::vector<std::string>>, std::vector<ExerciseVariant>>
      made;
  const auto asked = std::pair(students, mistakes);
  if (made.contains(asked)) return made[asked];
  std::vector<std::string> ids;
  for (std::size_t i = 1; i <= students; ++i) ids.push_back(student_id(i));
  ExerciseSpec spec = preset("causal");
  spec.mistakes = mistakes;
  return made[asked] = make_exercise(spec, "a salt for tests", ids);
}

const ExerciseVariant& bug_variant() {
  static const std::vector<std::string> ids{"s001"};
  static const std::vector<ExerciseVariant> made =
      make_exercise(preset("find-the-bug"), "a salt for tests", ids);
  return made.front();
}

Classroom::Classroom(const std::vector<ExerciseVariant>& variants) {
  fs::create_directories(path("key/answers"));
  fs::create_directories(path("handed-in"));
  CsvTable lock{{"student", "variant", "givens"}, {}};
  for (const ExerciseVariant& each : variants) {
    lock.rows.push_back({each.key.student, each.key.variant, problem_hash(each.key)});
    seals_[each.key.variant] = sheet_seal(each.sheet);
    folder_.write("key/answers/" + file_name_of(each.key.student) + ".json", sheet_json(each.key));
  }
  if (!variants.front().key.student.empty()) folder_.write("key/roster.lock.csv", csv_text(lock));
}

std::string Classroom::hand_in(const std::string& name, const std::string& bytes) const {
  fs::create_directories(fs::path(path("handed-in/" + name)).parent_path());
  return folder_.write("handed-in/" + name, bytes);
}

std::string Classroom::hand_in(const std::string& name, const Sheet& sheet) const {
  std::string text = sheet_json(sheet);
  const auto made = seals_.find(sheet.variant);
  if (made != seals_.end()) text.replace(text.rfind("sha256:"), made->second.size(), made->second);
  return hand_in(name, text);
}

Ran Classroom::check(const std::vector<std::string>& more) const {
  std::vector<std::string> args{"exercise",  "grade",       path("handed-in"), "--key",
                                path("key"), "--gradebook", path("grades.csv")};
  args.insert(args.end(), more.begin(), more.end());
  return attn_run(args);
}

const BookRow& Book::of(const std::string& student) const {
  const auto at = std::find_if(rows.begin(), rows.end(),
                               [&](const BookRow& row) { return row.at("student") == student; });
  REQUIRE_MESSAGE(at != rows.end(), "no row of " << student);
  return *at;
}

void make_older(const std::string& path, int hours) {
  fs::last_write_time(path, fs::last_write_time(path) - std::chrono::hours(hours));
}

Book read_book(const std::string& path) {
  const CsvTable table = parse_csv(read_text(path), path);
  Book book;
  for (const auto& cells : table.rows) {
    BookRow row;
    for (std::size_t i = 0; i < cells.size(); ++i) row[table.header[i]] = cells[i];
    book.rows.push_back(std::move(row));
  }
  REQUIRE(!book.rows.empty());
  book.possible = book.rows.front();
  book.rows.erase(book.rows.begin());
  return book;
}

}  // namespace attn::testing
