// Reads the key folder of an exercise.
#include "files/key_folder.hpp"

#include <algorithm>
#include <filesystem>

#include "attn/phrases.hpp"
#include "files/exercise_folder.hpp"
#include "files/files.hpp"
#include "files/input.hpp"

namespace attn::app {
namespace {

namespace fs = std::filesystem;

std::shared_ptr<const Sheet> solved(const std::string& path, const Streams& streams) {
  return std::make_shared<const Sheet>(read_sheet(path, streams).sheet);
}

/// The columns of roster.lock.csv that came from the roster: those before the variant.
CsvTable roster_in(const std::string& path, const Streams& streams) {
  CsvTable table = parse_input(path, streams, parse_csv);
  const auto variant = std::find(table.header.begin(), table.header.end(), "variant");
  const auto columns =
      static_cast<std::size_t>(std::max<std::ptrdiff_t>(variant - table.header.begin(), 1));
  table.header.resize(columns);
  for (std::vector<std::string>& row : table.rows) row.resize(columns);
  return table;
}

}  // namespace

std::string find_key_folder(const std::string& path) {
  std::error_code none;
  for (const fs::path& folder : {fs::path(path), fs::path(path) / "key"}) {
    if (fs::is_directory(folder / "answers", none)) return folder.string();
  }
  throw file_error("cannot-read",
                   "\"" + path + "\" is not a key folder: it has no folder \"answers\"",
                   "Name the key folder that attn exercise make wrote.");
}

std::shared_ptr<const Sheet> KeyFolder::sheet_of(const std::string& student) const {
  const auto at = sheets.find(is_shared() ? "" : student);
  return at == sheets.end() ? nullptr : at->second;
}

bool KeyFolder::is_shared() const { return sheets.size() == 1 && sheets.begin()->first.empty(); }

std::string KeyFolder::student_of(const std::string& variant) const {
  for (const auto& [student, sheet] : sheets) {
    if (lowered(sheet->variant) == lowered(variant)) return student;
  }
  return "";
}

KeyFolder read_key_folder(const std::string& path, const Streams& streams) {
  KeyFolder key{.path = find_key_folder(path)};
  std::vector<std::string> files;
  std::error_code failed;
  for (const fs::path& file : entries_of(fs::path(key.path) / "answers", failed)) {
    if (file.extension() == ".json") files.push_back(file.string());
  }
  for (const std::string& file : files) {
    const std::shared_ptr<const Sheet> sheet = solved(file, streams);
    key.exercise = sheet->exercise;
    key.sheets[sheet->student] = sheet;
  }
  if (key.sheets.empty()) {
    throw file_error("cannot-read", "\"" + key.path + "/answers\" holds no solved sheets",
                     "Name the key folder that attn exercise make wrote.");
  }
  key.roster.header = {"student"};
  if (key.is_shared()) return key;
  const fs::path lock = fs::path(key.path) / "roster.lock.csv";
  if (fs::exists(lock, failed)) {
    key.roster = roster_in(lock.string(), streams);
    return key;
  }
  for (const auto& [student, sheet] : key.sheets) key.roster.rows.push_back({student});
  return key;
}

std::shared_ptr<const Sheet> read_key_sheet(const std::string& path, const std::string& student,
                                            const Streams& streams) {
  const fs::path answers = fs::path(find_key_folder(path)) / "answers";
  const std::string name = file_name_of(std::string(trimmed(student)));
  std::vector<std::string> files;  // of that name; capitals do not count
  std::error_code none;
  for (const fs::path& file : entries_of(answers, none)) {
    if (caseless(file.filename().string()) == caseless(name + ".json"))
      files.push_back(file.string());
  }
  for (const std::string& each : {name, file_name_of("")}) {
    const fs::path file = answers / (each + ".json");
    if (fs::is_regular_file(file, none)) return solved(file.string(), streams);
    if (files.size() == 1) return solved(files.front(), streams);
  }
  throw input_error({.id = "not-gradable",
                     .what = student.empty()
                                 ? "the sheet names no student, and the key has a sheet for each"
                                 : "the key has no sheet for the student \"" + student + "\"",
                     .places = {{.file = answers.string()}},
                     .fix = "Was this sheet made for another exercise?"});
}

}  // namespace attn::app
