// Reads solved sheets with the exercise's present points and tolerance, and the roster's columns.
#include "files/key_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/teach/exercise.hpp"
#include "files/exercise_folder.hpp"
#include "files/files.hpp"
#include "files/input.hpp"

namespace attn::app {
namespace {

namespace fs = std::filesystem;

/// The exercise as it is now; nothing in a key folder without exercise.json.
std::optional<ExerciseSpec> exercise_in(const fs::path& key, const Streams& streams) {
  std::error_code none;
  const fs::path path = key / "exercise.json";
  if (!fs::is_regular_file(path, none)) return std::nullopt;
  return parse_input(path.string(), streams, parse_exercise_key).spec;
}

/// The first solved sheet in a key folder; "" if there is none.
std::string first_answer_in(const fs::path& key) {
  std::error_code none;
  for (const fs::path& file : entries_of(key / "answers", none)) {
    if (file.extension() == ".json") return file.string();
  }
  return "";
}

/// Notes a change once: "points of scores: 3 in place of 2".
void note(const std::string& what, double now, double before, std::vector<std::string>& changes) {
  const std::string text =
      filled("{}: {} in place of {}", what, format_exact(now), format_exact(before));
  if (std::find(changes.begin(), changes.end(), text) == changes.end()) changes.push_back(text);
}

/// A solved sheet, with the points and the tolerance that the exercise has now.
std::shared_ptr<const Sheet> solved(const std::string& path,
                                    const std::optional<ExerciseSpec>& exercise,
                                    std::vector<std::string>& changes, const Streams& streams) {
  Sheet sheet = read_sheet(path, streams).sheet;
  if (!exercise) return std::make_shared<const Sheet>(std::move(sheet));
  const double within = tolerance_of(*exercise);
  if (within != sheet.accept_within) note("accept_within", within, sheet.accept_within, changes);
  sheet.accept_within = within;
  sheet.mistake_texts = exercise->mistake_texts;
  sheet.language = exercise->language;
  if (sheet.bug) {  // its steps are printed
    if (exercise->bug_points != sheet.bug_points)
      note("points of bug", exercise->bug_points, sheet.bug_points, changes);
    sheet.bug_points = exercise->bug_points;
    return std::make_shared<const Sheet>(std::move(sheet));
  }
  for (SheetStep& step : sheet.steps) {
    const auto asked = std::find_if(exercise->steps.begin(), exercise->steps.end(),
                                    [&](const AskedStep& each) { return each.id == step.id; });
    if (asked == exercise->steps.end() || asked->points == step.points) continue;
    note("points of " + step.id, asked->points, step.points, changes);
    step.points = asked->points;
  }
  return std::make_shared<const Sheet>(std::move(sheet));
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

ExerciseStyle style_of(const std::string& key, const Streams& streams) {
  const fs::path folder = find_key_folder(key);
  if (const std::optional<ExerciseSpec> exercise = exercise_in(folder, streams))
    return {exercise->language, exercise->decimal_comma};
  const std::string first = first_answer_in(folder);
  if (first.empty()) return {};
  const Sheet sheet = read_sheet(first, streams).sheet;
  return {sheet.language, sheet.decimal_comma};
}

std::string find_key_folder(const std::string& path) {
  std::error_code none;
  for (const fs::path& folder : {fs::path(path), fs::path(path) / "key"}) {
    require_readable(folder);
    require_readable(folder / "answers");
    if (fs::is_directory(folder / "answers", none)) return folder.string();
  }
  throw file_error("cannot-read",
                   fs::exists(path, none)
                       ? "\"" + path + "\" is not a key folder: it has no folder \"answers\""
                       : "there is no folder \"" + path + "\"",
                   "Name the key folder that attn exercise make wrote.");
}

std::shared_ptr<const Sheet> KeyFolder::sheet_of(const std::string& student) const {
  auto at = sheets.find(is_shared() ? "" : student);
  if (at == sheets.end())
    at = std::find_if(sheets.begin(), sheets.end(), [name = caseless(student)](const auto& each) {
      return caseless(each.first) == name;
    });
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
  const std::optional<ExerciseSpec> exercise = exercise_in(key.path, streams);
  for (const std::string& file : files) {
    const std::shared_ptr<const Sheet> sheet = solved(file, exercise, key.changes, streams);
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

namespace {

/// The solved sheet of a student, or of everybody; "" if there is neither.
std::string answer_in(const fs::path& answers, const std::string& student) {
  const std::string name = file_name_of(std::string(trimmed(student)));
  std::vector<std::string> files;  // of that name; capitals do not count
  std::error_code none;
  for (const fs::path& file : entries_of(answers, none)) {
    if (caseless(file.filename().string()) == caseless(name + ".json"))
      files.push_back(file.string());
  }
  for (const std::string& each : {name, file_name_of("")}) {
    const fs::path file = answers / (each + ".json");
    if (fs::is_regular_file(file, none)) return file.string();
    if (files.size() == 1) return files.front();
  }
  return "";
}

}  // namespace

bool has_key_sheet(const std::string& path, const std::string& student) {
  return !answer_in(fs::path(find_key_folder(path)) / "answers", student).empty();
}

bool is_of_another_exercise(Sheet sheet, const Sheet& key) {
  sheet.student = key.student;  // as the roster spells it
  sheet.variant = key.variant;  // capitals make no difference
  sheet.bug_points = key.bug_points;
  for (SheetStep& step : sheet.steps) {
    const auto same = std::find_if(key.steps.begin(), key.steps.end(),
                                   [&](const SheetStep& each) { return each.id == step.id; });
    if (same != key.steps.end()) step.points = same->points;
  }
  return sheet_seal(handed_out(std::move(sheet))) != sheet_seal(handed_out(key));
}

std::shared_ptr<const Sheet> read_key_sheet(const std::string& path, const std::string& student,
                                            const Streams& streams) {
  const fs::path folder = find_key_folder(path), answers = folder / "answers";
  const std::string file = answer_in(answers, student);
  std::vector<std::string> changes;
  if (!file.empty()) return solved(file, exercise_in(folder, streams), changes, streams);
  throw input_error({.id = "not-gradable",
                     .what = student.empty()
                                 ? "the sheet names no student, and the key has a sheet for each"
                                 : "the key has no sheet for the student \"" + student + "\"",
                     .places = {{.file = answers.string()}},
                     .fix = "Was this sheet made for another exercise?"});
}

}  // namespace attn::app
