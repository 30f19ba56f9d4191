// Gradebooks with the columns of Canvas and Moodle, and for Excel.
#include <algorithm>
#include <utility>

#include "attn/language.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/render/text.hpp"
#include "attn/teach/gradebook.hpp"
#include "io/json/writer.hpp"

namespace attn {
namespace {

using Row = std::vector<std::string>;

/// The cell of a student under the first of these headers that the roster has after the one of ids;
/// "" without one.
std::string cell_of(const ClassBook& book, const ClassRow& row,
                    std::initializer_list<const char*> headers) {
  for (const char* name : headers) {
    for (std::size_t i = 1; i < book.header.size() && i < row.columns.size(); ++i) {
      if (lowered(trimmed(book.header[i])) == name) return row.columns[i];
    }
  }
  return "";
}

/// A student's name, which may be in two columns: "Lee, Ann" as Canvas sorts them; "" without one.
std::string name_of(const ClassBook& book, const ClassRow& row) {
  const std::string whole = cell_of(book, row, {"student name", "full name", "student", "姓名"});
  if (!whole.empty()) return whole;
  const std::string last = cell_of(
      book, row, {"last name", "surname", "family name", "nachname", "familienname", "姓", "name"});
  const std::string first = cell_of(book, row, {"first name", "given name", "vorname", "名"});
  return last.empty() || first.empty() ? last + first : last + ", " + first;
}

/// The score of a student, out of the points of all: whoever is excused from a step, or from all of
/// them, has a share of what is left, or no score.
std::string score_of(const ClassRow& row, double points) {
  if (!has_score(row) || row.grade->report.max_score == 0.0) return "";
  const CheckReport& report = row.grade->report;
  return json::number_text(rounded_to(report.score * points / report.max_score, 4));
}

/// Why no file of a student counts: the status, and what is known about it.
std::vector<std::string> reasons_of(const ClassRow& row) {
  std::vector<std::string> said{fate_said(row)};
  if (row.before.value_or(row.status) == RowStatus::Duplicate) return said;
  for (std::string note : notes_for_student(row)) {
    if (note.ends_with('.')) note.pop_back();
    said.push_back(shortened(translated_sentence(note)));
  }
  return said;
}

/// What a student may read: no flags, and nothing about others.
std::string feedback_of(const ClassRow& row, double points) {
  const bool counts = row.grade && !row.by_hand;  // all blanks of an empty sheet are empty
  std::vector<std::string> said;
  for (std::string& each : counts ? Row() : reasons_of(row))
    said.push_back(without_decision(std::move(each)));
  for (const std::string& each : row.decisions) said.push_back(translated_sentence(each));
  said.push_back(scaled_text(row, points));
  for (std::string& each : counts ? losses_of(*row.grade, LossesFor::Student) : Row())
    said.push_back(without_decision(std::move(each)));
  return clauses(said);
}

/// The rows of the roster's students.
template <class RowOf>
CsvTable of_students(Row header, const ClassBook& book, RowOf row_of) {
  CsvTable table{std::move(header), {}};
  for (const ClassRow& row : book.rows) {
    if (row.status == RowStatus::NotInRoster || row.student().empty()) continue;
    table.rows.push_back(row_of(row));
    for (std::string& text : table.rows.back()) text = visible(text);
  }
  return table;
}

bool is_address(const std::string& id) { return id.find('@') != id.npos; }

CsvTable for_canvas(const ClassBook& book) {
  const double points = summarise(book).points;
  return of_students(
      {"Student", "ID", "SIS User ID", "SIS Login ID", "Section", book.exercise}, book,
      [&](const ClassRow& row) {
        const std::string& id = row.student();
        const std::string name = name_of(book, row);
        const std::string sis = cell_of(book, row, {"sis user id"});
        const std::string login = cell_of(book, row, {"sis login id", "login", "email"});
        return Row{name.empty() ? id : name,
                   cell_of(book, row, {"id"}),
                   sis.empty() && !is_address(id) ? id : sis,
                   login.empty() && is_address(id) ? id : login,
                   cell_of(book, row, {"section"}),
                   is_excused(row) ? "EX" : score_of(row, points)};
      });
}

CsvTable for_moodle(const ClassBook& book) {
  const bool addresses = std::any_of(book.rows.begin(), book.rows.end(),
                                     [](const ClassRow& row) { return is_address(row.student()); });
  Row header{addresses ? "Email address" : "ID number"};
  header.insert(header.end(), book.header.begin() + 1, book.header.end());
  header.insert(header.end(), {book.exercise, "Feedback"});
  const double points = summarise(book).points;
  return of_students(header, book, [&](const ClassRow& row) {
    Row cells = row.columns;
    cells.resize(book.header.size());
    const std::string score = score_of(row, points);  // to Moodle, an empty one may be 0
    cells.insert(cells.end(), {score.empty() ? "-" : score, feedback_of(row, points)});
    return cells;
  });
}

/// The whole table without the points possible; numbers with commas where the sheets have them.
std::string for_excel(const ClassBook& book) {
  constexpr const char* kByteOrderMark = "\xef\xbb\xbf";
  CsvTable table = gradebook_table(book);
  table.rows.erase(table.rows.begin());
  const bool commas = book.example != nullptr && book.example->decimal_comma;
  const std::size_t first = book.header.size() + 2;  // after variant and status
  const std::size_t last = table.header.size() - 5;  // before what is said about the mistakes
  for (Row& row : table.rows) {
    for (std::size_t i = first; commas && i < last; ++i)
      std::replace(row[i].begin(), row[i].end(), '.', ',');
  }
  return kByteOrderMark + csv_text(table, {}, commas ? ';' : ',');
}

}  // namespace

std::string scaled_text(const ClassRow& row, double points) {
  const std::string scaled = score_of(row, points);
  if (scaled.empty() || row.grade->report.max_score == points) return "";
  const auto text = [](double x) { return with_decimal_mark(json::number_text(rounded_to(x, 4))); };
  return translated("{n} of {all} points count as {scaled} of {points}, because of excused steps",
                    text(row.grade->report.score), text(row.grade->report.max_score),
                    with_decimal_mark(scaled), text(points));
}

std::string gradebook_text(const ClassBook& book, BookFor who) {
  if (who == BookFor::Excel) return for_excel(book);
  return csv_text(who == BookFor::Canvas   ? for_canvas(book)
                  : who == BookFor::Moodle ? for_moodle(book)
                                           : gradebook_table(book));
}

}  // namespace attn
