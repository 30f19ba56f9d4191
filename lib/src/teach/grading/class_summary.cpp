// How a class did: steps, causes, median.
#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/teach/gradebook.hpp"
#include "attn/teach/mistakes.hpp"
#include "attn/uploads.hpp"

namespace attn {
namespace {

constexpr std::array kStatusWords{"graded",        "not_gradable", "missing",
                                  "wrong_variant", "duplicate",    "not_in_roster"};
static_assert(kStatusWords.size() == kRowStatuses);

/// What became of a sheet without a grade, by RowStatus.
constexpr std::array<const char*, kRowStatuses> kFates{
    "",
    in_catalogue("the file cannot be graded"),
    in_catalogue("nothing was handed in"),
    in_catalogue("not graded: the sheet is not yours"),
    in_catalogue("not graded: several files were handed in"),
    in_catalogue("not graded: the id is not in the roster"),
};

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2.0;
}

/// Where a verdict is counted; unreadable and misshapen matrices are wrong.
Index ClassStep::*column_of(Verdict verdict) {
  if (verdict == Verdict::Right) return &ClassStep::right;
  if (verdict == Verdict::Follows) return &ClassStep::follows;
  return verdict == Verdict::Empty ? &ClassStep::empty : &ClassStep::wrong;
}

/// The rows of the table of steps, with their points and no students yet.
std::vector<ClassStep> steps_of(const Sheet& sheet) {
  std::vector<ClassStep> steps;
  if (sheet.bug) {
    const double half = sheet.bug_points / 2.0;
    return {{.id = kBugParts[0], .points = half}, {.id = kBugParts[1], .points = half}};
  }
  for (const SheetStep& step : sheet.steps) {
    if (std::find(step.blank.begin(), step.blank.end(), 1) != step.blank.end())
      steps.push_back({.id = step.id, .points = step.points});
  }
  return steps;
}

/// Adds one student's verdict and score to the row of a step; `mean_percent` holds their sum.
void add(std::vector<ClassStep>& steps, const std::string& id, Index ClassStep::*column,
         double score) {
  for (ClassStep& step : steps) {
    if (step.id != id) continue;
    ++(step.*column);
    if (step.points == 0.0) continue;  // dropped
    step.mean_percent.emplace(step.mean_percent.value_or(0.0) + 100.0 * score / step.points);
  }
}

void add_grade(std::vector<ClassStep>& steps, const Grade& grade) {
  for (const StepReport& step : grade.report.steps) {
    if (!step.excused) add(steps, step.id, column_of(step.verdict), step.score);
  }
}

/// What is known about a wrong step; "" if it is not wrong or is excused, or nothing is known.
std::string code_of(const StepReport& step) {
  const bool wrong = step.verdict == Verdict::Wrong || step.verdict == Verdict::Shape ||
                     step.verdict == Verdict::Unreadable;
  if (!wrong || step.excused) return "";
  if (!step.findings.empty()) return step.findings.front().code;
  const bool unreadable =
      step.verdict == Verdict::Unreadable ||
      std::find(step.cells.begin(), step.cells.end(), CellVerdict::Unreadable) != step.cells.end();
  return unreadable ? kUnreadableCode : "";
}

/// The title under which a code is counted; "" for one that is not counted.
std::string title_of(const std::string& code) {
  if (code == kUnreadableCode) return in_catalogue("cells that are not numbers");
  const Mistake* mistake = find_mistake(code);
  return mistake == nullptr ? "" : mistake->title;
}

/// What was named on a sheet and has a title, each once.
std::set<std::string> causes_of(const Grade& grade) {
  std::set<std::string> codes;
  for (const std::string& code : codes_of(grade)) {
    if (!title_of(code).empty()) codes.insert(code);
  }
  return codes;
}

std::vector<ClassCause> by_frequency(const std::map<std::string, Index>& counts) {
  std::vector<ClassCause> causes;
  for (const auto& [code, students] : counts) causes.push_back({code, title_of(code), students});
  std::stable_sort(causes.begin(), causes.end(), [](const ClassCause& a, const ClassCause& b) {
    return a.students > b.students;
  });
  return causes;
}

}  // namespace

const char* status_word(RowStatus status) {
  return kStatusWords.at(static_cast<std::size_t>(status));
}

const char* fate_text(const ClassRow& row) {
  const RowStatus status = row.before.value_or(row.status);
  if (status == RowStatus::Missing && !row.files.empty())  // a photo
    return in_catalogue("no sheet was handed in");
  return kFates.at(static_cast<std::size_t>(status));
}

std::vector<std::string> notes_for_student(const ClassRow& row) {
  std::vector<std::string> notes;
  for (const std::string& note : row.notes) {
    if (note != fate_text(row) && !note.starts_with(kAlsoHandedIn)) notes.push_back(note);
  }
  return notes;
}

std::string without_decision(std::string note) {
  constexpr std::string_view kSpaces = " \t\r\n";
  for (const std::string_view semicolon : {";", "；"}) {
    for (std::size_t at = note.find(semicolon); at != note.npos;
         at = note.find(semicolon, at + 1)) {
      std::string_view rest = trimmed(std::string_view(note).substr(at + semicolon.size()));
      const auto is_next = [&](auto... marks) { return (rest.starts_with(marks) || ...); };
      while (!rest.empty() && kSpaces.find(rest.front()) == kSpaces.npos &&
             !is_next(":", "：", "(", "（", ";", "；"))
        rest.remove_prefix(1);
      rest = trimmed(rest);
      if (is_next(":", "：", "(", "（")) note.replace(at, semicolon.size(), ",");
    }
  }
  return note;
}

std::string fate_said(const ClassRow& row) {
  constexpr std::size_t kMostFiles = 12;
  const bool several = row.before.value_or(row.status) == RowStatus::Duplicate;
  std::vector<std::string> names;
  for (const std::string& file : row.files) names.push_back(own_name(file));
  if (names.size() > kMostFiles) {
    names.resize(kMostFiles);
    names.emplace_back("…");
  }
  return with_remark(translated(fate_text(row)), several ? separated(names, translated(", ")) : "");
}

bool is_excused(const ClassRow& row) {
  return row.grade && row.grade->report.max_score == 0.0 && row.key && points_of(*row.key) > 0.0;
}

bool has_score(const ClassRow& row) { return row.grade && !row.unscored && !is_excused(row); }

std::vector<std::string> codes_of(const Grade& grade) {
  std::vector<std::string> codes;
  for (const StepReport& step : grade.report.steps) {
    const std::string code = code_of(step);
    if (!code.empty() && std::find(codes.begin(), codes.end(), code) == codes.end())
      codes.push_back(code);
  }
  return codes;
}

std::string main_code(const Grade& grade) {
  for (const StepReport& step : grade.report.steps) {
    if (step.id == grade.report.first_wrong) return code_of(step);
  }
  return "";
}

ClassSummary summarise(const ClassBook& book) {
  ClassSummary summary{.exercise = book.exercise, .rows = std::ssize(book.rows)};
  if (book.example != nullptr) summary.steps = steps_of(*book.example);
  for (const ClassStep& step : summary.steps) summary.points += step.points;
  std::map<std::string, Index> causes;
  std::vector<double> percents;
  for (const ClassRow& row : book.rows) {
    const auto status = static_cast<std::size_t>(row.status);
    const bool is_student = row.status != RowStatus::NotInRoster && !row.student().empty();
    const bool is_graded = is_student && has_score(row), excused = is_student && is_excused(row);
    ++summary.counts.at(status);
    summary.students += is_student;
    summary.graded += is_graded;
    summary.excused += excused;
    summary.others.at(status) += !is_graded && !excused;
    if (is_graded) percents.push_back(row.grade->percent());
    if (!is_student || !row.grade || row.by_hand) continue;  // nothing is known about steps
    add_grade(summary.steps, *row.grade);
    for (const std::string& code : is_graded ? causes_of(*row.grade) : std::set<std::string>())
      ++causes[code];
    summary.flagged += is_graded && !row.grade->flags.empty();
  }
  summary.causes = by_frequency(causes);
  if (percents.empty()) return summary;
  const auto students = static_cast<double>(percents.size());
  double total = 0.0;
  for (const double each : percents) total += each;
  summary.mean_percent = total / students;
  summary.median_percent = median_of(std::move(percents));
  const ClassStep* hardest = nullptr;
  for (ClassStep& step : summary.steps) {
    const Index with_it = step.right + step.follows + step.wrong + step.empty;
    if (step.mean_percent) *step.mean_percent /= static_cast<double>(with_it);
    const bool counts = step.points > 0.0 && with_it > 0;  // neither dropped nor excused for all
    if (counts && (hardest == nullptr || *step.mean_percent < *hardest->mean_percent))
      hardest = &step;
  }
  if (hardest != nullptr && *hardest->mean_percent < 100.0) summary.hardest_step = hardest->id;
  return summary;
}

}  // namespace attn
