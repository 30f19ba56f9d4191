// Matches names with the roster, takes one file per student, and makes rows, also of strangers.
#include "commands/class_book.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "attn/phrases.hpp"
#include "attn/uploads.hpp"
#include "files/counting.hpp"
#include "files/same_answers.hpp"
#include "files/slips.hpp"

namespace attn::app {
namespace {

namespace fs = std::filesystem;

/// Whether the problem, the blanks or, unless the teacher has changed them since, the points are
/// not those of the key.
bool other_questions(Sheet sheet, const Sheet& key, bool other_points) {
  sheet.student = key.student;
  sheet.variant = key.variant;
  if (other_points) sheet.bug_points = key.bug_points;
  for (SheetStep& step : sheet.steps) {
    const auto printed = std::find_if(key.steps.begin(), key.steps.end(),
                                      [&](const SheetStep& each) { return each.id == step.id; });
    if (printed != key.steps.end() && printed->shape == step.shape) step.numbers = printed->numbers;
    if (printed != key.steps.end() && other_points) step.points = printed->points;
  }
  return sheet_seal(handed_out(std::move(sheet))) != sheet_seal(handed_out(key));
}

/// Whether what is asked to be rounded to, or what is accepted, is not what the sheet was made
/// with.
bool other_limits(const Sheet& sheet, const Sheet& key, const std::vector<std::string>& changes) {
  const bool changed = std::any_of(changes.begin(), changes.end(), [](const std::string& each) {
    return each.starts_with("accept_within:");
  });
  return sheet.decimals != key.decimals || (!changed && sheet.accept_within != key.accept_within);
}

/// Which matrices and how many filled cells cannot be read, and what to do about it; "" if all can.
std::string unreadable_note(const CheckReport& report) {
  Index filled = 0, unreadable = 0;
  std::vector<std::string> what;
  const Diagnostic* first = nullptr;
  for (const StepReport& step : report.steps) {
    for (const CellVerdict cell : step.cells) {
      filled += cell != CellVerdict::Given && cell != CellVerdict::Empty;
      unreadable += cell == CellVerdict::Unreadable;
    }
    if (step.verdict == Verdict::Unreadable && step.cells.empty())
      what.push_back("the matrix " + step.id);
    if (first == nullptr && !step.unreadable.empty()) first = &step.unreadable.front();
  }
  if (unreadable > 0)
    what.push_back(std::to_string(unreadable) + " of " + counted(filled, "filled cell"));
  if (first == nullptr || what.empty()) return "";
  return together(what) + " cannot be read (" + first->what + "). " + first->fix;
}

/// Grades a file into its row, or notes there why it cannot.
class Grader {
 public:
  Grader(const KeyFolder& key, const GradeOptions& options) : key_(key), options_(options) {}

  /// Whether a file can be read as an attempt at this sheet.
  bool is_sheet_of(const HandedIn& file, const Sheet& key) const {
    return why_not(file).empty() && !has_other_variant(file, key) &&
           !(file.seal_fits && is_of_another_exercise(*file.sheet, key));
  }

  void grade(const HandedIn& file, ClassRow& row) const {
    row.files = {file.name};
    if (const std::string why = why_not(file); !why.empty()) {
      refuse(row, RowStatus::NotGradable, why);
    } else if (has_other_variant(file, *row.key)) {
      row.owner = key_.student_of(file.variant);
      refuse(row, RowStatus::WrongVariant,
             row.owner.empty() ? "no sheet of this exercise has the variant " + file.variant : "");
    } else if (file.seal_fits && is_of_another_exercise(*file.sheet, *row.key)) {
      refuse(row, RowStatus::WrongVariant, kOtherExercise);
    } else {
      grade_answers(file, row);
    }
  }

 private:
  static void refuse(ClassRow& row, RowStatus status, const std::string& why) {
    if (row.status != RowStatus::NotInRoster) row.status = status;
    if (!why.empty()) row.notes.push_back(why);
  }

  static bool has_other_variant(const HandedIn& file, const Sheet& key) {
    return !file.variant.empty() && lowered(file.variant) != lowered(key.variant);
  }

  std::string why_not(const HandedIn& file) const {
    if (!file.broken.empty()) return file.broken;
    if (file.exercise.empty() || file.exercise == key_.exercise) return "";
    return "it was made for the exercise \"" + file.exercise + "\"";
  }

  void grade_answers(const HandedIn& file, ClassRow& row) const {
    try {
      row.grade = grade_sheet(*row.key, {file.answers, file.bug}, options_);
    } catch (const Error& error) {
      return refuse(row, RowStatus::NotGradable, error.what());
    }
    if (row.status != RowStatus::NotInRoster) row.status = RowStatus::Graded;
    const std::string commas = row.key->decimal_comma ? "" : comma_note(file.answers);
    for (const std::string& note : {unreadable_note(row.grade->report), commas}) {
      if (!note.empty()) row.notes.push_back(note);
    }
    std::vector<Flag>& flags = row.grade->flags;
    const bool said = std::any_of(flags.begin(), flags.end(),
                                  [](const Flag& flag) { return flag.code == kGivenChanged; });
    if (said || !file.sheet) return;
    if (other_questions(*file.sheet, *row.key, !key_.changes.empty())) {
      flags.push_back({kGivenChanged,
                       "the problem, the blanks or the points were changed; graded with the key"});
    } else if (other_limits(*file.sheet, *row.key, key_.changes)) {
      flags.push_back(
          {kGivenChanged, "decimals or accept_within were changed; graded with the key"});
    }
  }

  const KeyFolder& key_;
  const GradeOptions& options_;
};

/// Takes out readable sheets that are not this student's, if one is that may be, and adds a note
/// about each: nobody can cancel the grade of somebody else.
Files own_sheets(const Files& files, const ClassRow& row, const Grader& grader,
                 std::vector<std::string>& notes) {
  const auto is_own = [&](const HandedIn* file) { return grader.is_sheet_of(*file, *row.key); };
  if (!row.key || std::none_of(files.begin(), files.end(), is_own)) return files;
  Files own;
  for (const HandedIn* file : files) {
    if (!file->broken.empty() || is_own(file)) {
      own.push_back(file);
    } else {
      notes.push_back(kAlsoHandedIn + file->name + ", which is not the sheet of " + row.student());
    }
  }
  return own;
}

const HandedIn* latest_of(const Files& files, const Times& times) {
  return *std::max_element(files.begin(), files.end(), [&](const HandedIn* a, const HandedIn* b) {
    return times.at(a) < times.at(b);
  });
}

/// Whether another of the `files` is as new as the latest one, up to two seconds: whoever copied or
/// unpacked them gave them these times, no student. Nor can times in archives be compared with
/// those of files.
bool is_latest_unknown(const Files& files, const Times& times) {
  const bool mixed = std::any_of(times.begin(), times.end(), [&](const auto& each) {
    return each.first->broken.empty() && each.first->zip_time != files.front()->zip_time;
  });
  if (mixed) return files.size() > 1;
  const auto least = times.at(latest_of(files, times)) - std::chrono::seconds(2);
  return std::count_if(files.begin(), files.end(),
                       [&](const HandedIn* file) { return times.at(file) >= least; }) > 1;
}

std::vector<std::string> names_of(const Files& files) {
  std::vector<std::string> names;
  for (const HandedIn* file : files) names.push_back(file->name);
  return names;
}

/// Takes out what cannot be sheets, and returns their names.
std::vector<std::string> without_ignored(Files& files) {
  std::vector<std::string> names;
  for (const HandedIn* each : files) {
    if (each->ignored) names.push_back(each->name);
  }
  std::erase_if(files, [](const HandedIn* each) { return each->ignored; });
  return names;
}

ClassRow student_row(const std::vector<std::string>& columns, Files all, const KeyFolder& key,
                     const Grader& grader, bool latest) {
  ClassRow row{.columns = columns};
  row.key = key.sheet_of(columns.front());
  if (!row.key) row.notes.push_back("the key has no sheet for this student");
  const std::vector<std::string> ignored = without_ignored(all);
  if (all.empty() && !ignored.empty()) {
    row.files = ignored;
    std::vector<std::string> names;  // for the student, too
    for (const std::string& each : ignored) names.push_back(own_name(each));
    const bool hidden = std::all_of(names.begin(), names.end(), [](const auto& name) {
      return fs::path(name).filename().string().starts_with('.');
    });
    row.notes.push_back("only handed in: " + listed(names) +
                        (hidden ? ", which is hidden: it is graded without the dot in its name"
                                : ", which cannot be a sheet"));
  }
  if (all.empty()) return row;
  std::vector<std::string> others;
  Times times;
  for (const HandedIn* file : all) times[file] = file->time;
  Files files = own_sheets(all, row, grader, others);
  files = counting(files, row.key.get(), times, others);
  const bool unknown = latest && is_latest_unknown(files, times);
  if (files.size() > 1 && (!latest || unknown)) {
    row.status = RowStatus::Duplicate;
    row.files = names_of(files);
    row.notes.push_back(counted(std::ssize(files), "file") + "; none was graded" +
                        (unknown ? ": their times do not say which is the latest" : ""));
  } else {
    if (files.size() > 1)
      row.notes.push_back("the latest of " + counted(std::ssize(files), "file"));
    row.status = RowStatus::NotGradable;
    const HandedIn& file = *latest_of(files, times);
    row.files = {file.name};
    if (row.key) grader.grade(file, row);
  }
  row.notes.insert(row.notes.end(), others.begin(), others.end());
  return row;
}

ClassRow stranger_row(const HandedIn& file, const KeyFolder& key, const Grader& grader,
                      std::size_t columns) {
  ClassRow row{.columns = std::vector<std::string>(columns), .files = {file.name}};
  row.columns.front() = file.student;
  row.status = file.student.empty() ? RowStatus::NotGradable : RowStatus::NotInRoster;
  if (!file.student.empty()) row.key = key.sheet_of(file.student);
  if (row.key) {
    grader.grade(file, row);
    return row;
  }
  if (!file.variant.empty()) row.owner = key.student_of(file.variant);
  if (!file.broken.empty()) row.notes.push_back(file.broken);
  if (file.student.empty() && row.notes.empty() && row.owner.empty())
    row.notes.emplace_back("it is not known whose file this is");
  return row;
}

/// Of the innermost archive that holds a file: "s001" for "all.zip/s001.zip/sheet.csv"; "" if there
/// is none.
std::string stem_of_archive(const fs::path& path) {
  std::string stem;
  for (const fs::path& part : path.parent_path()) {
    if (is_zip_name(part)) stem = part.stem().string();
  }
  return stem;
}

/// The words of a name in one order, with neither commas nor what no file name may have: "ann lee"
/// for "Lee, Ann".
std::string name_in_words(std::string name) {
  constexpr std::string_view kLeftOut = ",'&<>\"|:\\/";
  for (char& c : name) {
    if (c == ',') c = ' ';
  }
  std::erase_if(name, [&](char c) { return kLeftOut.find(c) != kLeftOut.npos; });
  std::istringstream reading(caseless(name));
  const std::set<std::string> words{std::istream_iterator<std::string>(reading), {}};
  return separated({words.begin(), words.end()}, " ");
}

/// Finds students of a roster by what people write: capitals, and spaces around it, do not matter.
class KnownNames {
 public:
  explicit KnownNames(const CsvTable& roster) {
    for (const auto& row : roster.rows) {
      ids_[caseless(trimmed(row.front()))].push_back(row.front());
      files_[caseless(file_name_of(row.front()))].push_back(row.front());
      std::set<std::string> names;
      std::string all;
      for (std::size_t i = 1; i < row.size(); ++i) {
        if (!holds_names(roster.header[i])) continue;
        all += " " + row[i];
        if (row[i].find(' ') != std::string::npos) names.insert(name_in_words(row[i]));
      }
      names.insert(name_in_words(all));
      for (const std::string& each : names) persons_[each].push_back(row.front());
    }
  }

  /// The student of that id, or "".
  std::string student(const std::string& id) const { return found(ids_, id); }
  /// The student whose sheet had that name, or "".
  std::string student_of_file(const std::string& stem) const { return found(files_, stem); }
  /// The student of that name, or id, or "".
  std::string student_called(const std::string& name) const {
    const std::string of_id = student(name), words = name_in_words(name);
    return of_id.empty() && !words.empty() ? found(persons_, words) : of_id;
  }

 private:
  using Names = std::map<std::string, std::vector<std::string>>;

  static std::string found(const Names& names, const std::string& text) {
    const auto at = names.find(caseless(trimmed(text)));
    if (at == names.end()) return "";
    for (const std::string& each : at->second) {
      if (each == text) return each;
    }
    return at->second.size() == 1 ? at->second.front() : "";
  }

  Names ids_, files_, persons_;
};

}  // namespace

void find_students(std::vector<HandedIn>& files, const KeyFolder& key, const CsvTable& roster,
                   const IdInName& id_in_name) {
  const KnownNames known(roster);
  for (HandedIn& file : files) {
    std::string stem = file.path.stem().string();
    if (file.ignored && stem.starts_with('.')) stem.erase(0, 1);
    const std::string in_name = id_in_name ? id_in_name(file.name) : "";
    std::string named = known.student(in_name);
    if (named.empty()) named = known.student_called(name_in_folder(moodle_folder(file.name)));
    if (named.empty()) named = known.student_of_file(stem);
    if (named.empty()) named = known.student_of_file(stem_of_archive(file.path));
    if (!named.empty()) {
      file.student = named;  // no matter whose sheet is in it
    } else if (const std::string same = known.student(file.student); !same.empty()) {
      file.student = same;
    } else if (file.student.empty()) {
      file.student = in_name;
    }
    if (file.student.empty() && key.is_shared() && roster.rows.empty()) {
      const std::string folder = fs::path(file.name).parent_path().filename().string();
      file.student = folder.empty() ? stem : folder;
    }
  }
  std::map<std::string, int> counts;
  for (const HandedIn& file : files) ++counts[caseless(file.student)];
  for (HandedIn& file : files) {  // only those of one student are compared
    const auto sheet = counts[caseless(file.student)] > 1 ? key.sheet_of(file.student) : nullptr;
    if (sheet) use_step_ids(file, *sheet);
  }
}

ClassBook class_book(const KeyFolder& key, const CsvTable& roster,
                     const std::vector<HandedIn>& files, const ClassOptions& options,
                     const std::function<void(std::size_t done, std::size_t all)>& graded) {
  const Grader grader(key, options.grade);
  ClassBook book{.exercise = key.exercise,
                 .header = roster.header,
                 .rows = {},
                 .example = key.sheets.begin()->second.get()};
  std::map<std::string, Files> by_student;
  for (const HandedIn& file : files) by_student[file.student].push_back(&file);
  const Files nameless = by_student[""];
  by_student.erase("");
  std::erase_if(by_student, [&](const auto& each) {
    const bool known = std::any_of(roster.rows.begin(), roster.rows.end(),
                                   [&](const auto& row) { return row.front() == each.first; });
    return !known && std::all_of(each.second.begin(), each.second.end(),
                                 [](const HandedIn* file) { return file->ignored; });
  });
  std::vector<std::vector<std::string>> students = roster.rows;
  if (key.is_shared() && students.empty()) {
    for (const auto& [student, own] : by_student) students.push_back({student});
  }
  for (const auto& columns : students) {
    const auto own = by_student.find(columns.front());
    book.rows.push_back(student_row(columns, own == by_student.end() ? Files{} : own->second, key,
                                    grader, options.latest));
    if (own != by_student.end()) by_student.erase(own);
    graded(book.rows.size(), students.size());
  }
  by_student[""] = nameless;
  for (const HandedIn& file : files) {
    if (by_student.contains(file.student) && !file.ignored)
      book.rows.push_back(stranger_row(file, key, grader, book.header.size()));
  }
  flag_resemblances(book.rows);
  return book;
}

}  // namespace attn::app
