// Sets points line by line and adds them up again; takes off what a column of the roster says.
#include "commands/overrides.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "attn/io/sheet_file.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/suggest.hpp"
#include "attn/teach/grading.hpp"
#include "files/files.hpp"
#include "files/input.hpp"
#include "files/printed_sheet.hpp"

namespace attn::app {
namespace {

Error wrong_line(const std::string& path, std::size_t row, const std::string& what,
                 const std::string& fix) {
  return input_error({.id = "table",
                      .what = "line " + std::to_string(row + 2) + ": " + what,  // of the table
                      .places = {{.file = path}},
                      .fix = fix});
}

/// A column of the table by its name; the number of columns if there is none.
std::size_t column_of(const std::vector<std::string>& header, const std::string& name) {
  const auto at = std::find_if(header.begin(), header.end(), [&](const std::string& each) {
    return lowered(trimmed(each)) == lowered(name);
  });
  return static_cast<std::size_t>(at - header.begin());
}

/// The columns student, step, points and reason.
std::vector<std::size_t> columns_of(const CsvTable& table, const std::string& path) {
  std::vector<std::size_t> columns;
  for (const char* name : {"student", "step", "points", "reason"}) {
    columns.push_back(column_of(table.header, name));
    if (columns.back() == table.header.size())
      throw input_error({.id = "table",
                         .what = std::string("there is no column \"") + name + "\"",
                         .places = {{.file = path}},
                         .fix = "The first line is student,step,points,reason."});
  }
  return columns;
}

/// Whether commas in these cells separate decimals, as in sheets: no cell has a decimal point.
bool may_have_commas(const std::vector<std::vector<std::string>>& rows, std::size_t column) {
  return std::none_of(rows.begin(), rows.end(), [&](const std::vector<std::string>& row) {
    return column < row.size() && row[column].find('.') != std::string::npos;
  });
}

constexpr int kDecimals = 4;  // as in the gradebook

/// A number of points from 0 up, rounded as in the gradebook. With `commas`, "0,5" is a half.
std::optional<double> points_in(std::string text, bool commas) {
  const std::size_t comma = commas ? text.find(',') : text.npos;
  if (comma != text.npos) text[comma] = '.';
  const std::optional<double> points = parse_number(trimmed(text));
  if (!points || *points < 0.0 || !std::isfinite(*points)) return std::nullopt;
  return rounded_to(*points, kDecimals);
}

/// What to try where points cannot be read: `usual`, unless there is a comma where others have
/// points.
std::string fix_of(const std::string& text, bool commas, const char* usual) {
  return commas || text.find(',') == text.npos
             ? usual
             : "Write a point in place of the comma: another number of the column has one.";
}

/// The steps that a name means: one; of a find-the-bug sheet a part, or with "bug" both.
std::vector<StepReport*> steps_meant(Grade& grade, const std::string& name) {
  const Step* named = step_named(grade.truth, name);
  const std::string id = named == nullptr ? lowered(name) : named->id;
  std::vector<StepReport*> steps;
  for (StepReport& step : grade.report.steps) {
    if (step.id == id || (grade.bug && id == "bug")) steps.push_back(&step);
  }
  return steps;
}

/// The sum of what these steps say.
double sum_of(const std::vector<StepReport*>& steps, double StepReport::*number) {
  double sum = 0.0;
  for (const StepReport* step : steps) sum += step->*number;
  return sum;
}

/// Gives these steps together so many points, or none out of none.
void set_points(const std::vector<StepReport*>& steps, std::optional<double> points) {
  const double most = sum_of(steps, &StepReport::max_score);
  for (StepReport* step : steps) {
    step->score = points && most > 0.0 ? *points * step->max_score / most : 0.0;
    if (!points) step->max_score = 0.0;
    step->by_hand = true;
    step->excused = !points;
  }
}

/// Gives a student whose work cannot be graded, or who handed in none, the grade of an empty sheet:
/// what points by hand are added to.
void grade_by_hand(ClassRow& row, const GradeOptions& options) {
  const SheetFile empty = parse_sheet(sheet_json(unsolved(*row.key)), "");
  row.grade = grade_sheet(*row.key, {empty.answers, empty.sheet.bug}, options);
  if (row.status == RowStatus::Missing && row.files.empty())
    row.notes.emplace_back("nothing was handed in");
  row.by_hand = true;
  row.before = row.status;
}

/// Points by hand make a score; steps that are excused make none. Somebody else's sheet stays one.
void settle(ClassRow& row, bool has_points) {
  if (has_points) {
    if (row.status != RowStatus::NotInRoster && row.status != RowStatus::WrongVariant)
      row.status = RowStatus::Graded;
  } else {
    row.unscored = true;
  }
}

/// "1 point", "2.5 points", in English: what reads a gradebook translates its notes.
std::string english_points(double points) {
  const std::string number = format_trimmed(points, kDecimals);
  return number + (number == "1" ? " point" : " points");
}

}  // namespace

void apply_overrides(const std::string& path, const GradeOptions& options, ClassBook& book,
                     const Streams& streams) {
  const CsvTable table = parse_input(path, streams, parse_csv);
  const std::vector<std::size_t> columns = columns_of(table, path);
  const bool commas = may_have_commas(table.rows, columns[2]);
  std::set<std::pair<std::string, std::string>> decided;  // steps of students
  std::set<const ClassRow*> with_points;
  std::map<const ClassRow*, Grade> before;  // of rows with decisions: what attn alone gives
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const auto cell = [&](std::size_t column) {
      return std::string(trimmed(table.rows[i][columns[column]]));
    };
    const std::string student = cell(0), points = cell(2), reason = cell(3);
    const auto row = std::find_if(book.rows.begin(), book.rows.end(), [&](const ClassRow& each) {
      return caseless(each.student()) == caseless(student);
    });
    if (row == book.rows.end())
      throw wrong_line(path, i, "there is no student \"" + student + "\"",
                       "Name a student of the roster.");
    if (!row->grade && !row->key) {
      row->notes.push_back("override of " + cell(1) + " not used: the key has no sheet");
      continue;
    }
    if (!row->grade) grade_by_hand(*row, options);
    Grade& alone = before.try_emplace(&*row, *row->grade).first->second;
    const std::vector<StepReport*> steps = steps_meant(*row->grade, cell(1));
    if (steps.empty())
      throw wrong_line(path, i, "the sheet has no step \"" + cell(1) + "\"",
                       "The header of the gradebook names the steps.");
    const bool excused = lowered(points) == "excused";
    const std::optional<double> given = points_in(points, commas);
    if (!excused && !given)
      throw wrong_line(path, i, "\"" + points + "\" is no number of points",
                       fix_of(points, commas, "Write a number such as 1.5, or excused."));
    for (const StepReport* step : steps) {
      if (!decided.emplace(row->student(), step->id).second)
        throw wrong_line(path, i, step->id + " of " + row->student() + " is decided already",
                         "Keep one line for each step of a student.");
    }
    const std::string name = steps.size() == 1 ? steps.front()->id : "bug";
    const double most = sum_of(steps, &StepReport::max_score);
    if (given.value_or(0.0) > most)
      throw wrong_line(path, i,
                       points + " is more than " + name + " gives, " + english_points(most),
                       "Write at most that, or change the points in key/exercise.json.");
    row->decisions.push_back(
        name + ": " + (excused ? "excused" : english_points(*given) + " by hand") +
        " in place of " +
        format_trimmed(sum_of(steps_meant(alone, cell(1)), &StepReport::score), kDecimals) +
        (reason.empty() ? "" : " (" + reason + ")"));
    set_points(steps, given);
    if (given) with_points.insert(&*row);
  }
  for (ClassRow& row : book.rows) {
    if (before.contains(&row)) recount(*row.key, *row.grade);
    if (row.by_hand) settle(row, with_points.contains(&row));
  }
}

void apply_penalties(const std::string& column, ClassBook& book) {
  const std::size_t at = column_of(book.header, column);
  if (at == book.header.size())
    throw input_error(
        {.id = "table",
         .what = "the roster has no column \"" + column + "\"" + did_you_mean(column, book.header),
         .fix = "Name the column that says what is taken off: 10%, or 1.5 points."});
  std::vector<std::vector<std::string>> rows;
  for (const ClassRow& row : book.rows) rows.push_back(row.columns);
  const bool commas = may_have_commas(rows, at);
  for (ClassRow& row : book.rows) {
    const std::string text = at < row.columns.size() ? std::string(trimmed(row.columns[at])) : "";
    if (text.empty() || !row.grade) continue;
    const bool percent = text.ends_with('%');
    const std::optional<double> amount =
        points_in(percent ? text.substr(0, text.size() - 1) : text, commas);
    if (!amount)
      throw input_error(
          {.id = "table",
           .what = "\"" + text + "\" in the column " + column + ", of " + row.student() +
                   ", is no penalty",
           .fix = fix_of(text, commas, "Write 10%, or points such as 1.5, or nothing.")});
    const double most = percent ? 100.0 : points_of(*row.key);
    if (*amount > most)
      throw input_error(
          {.id = "table",
           .what = "\"" + text + "\" in the column " + column + ", of " + row.student() +
                   ", is more than " +
                   (percent ? "100%" : "the sheet gives, " + english_points(most)),
           .fix = percent ? "Write 100% at most." : "Write that at most, or a share such as 10%."});
    double& score = row.grade->report.score;
    const double off = std::min(score, percent ? score * *amount / 100.0 : *amount);
    if (off > 0.0)
      row.decisions.push_back("penalty (" + column + "): " + format_trimmed(off, kDecimals) +
                              " of " + english_points(score) + " taken off" +
                              (percent ? " (" + text + ")" : ""));
    score -= off;
  }
}

}  // namespace attn::app
