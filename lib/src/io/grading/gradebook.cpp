// The gradebook as a table.
#include "attn/teach/gradebook.hpp"

#include <algorithm>
#include <utility>

#include "attn/language.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/render/text.hpp"
#include "io/json/writer.hpp"

namespace attn {
namespace {

using Row = std::vector<std::string>;

/// At most four decimals.
std::string number(double x) { return json::number_text(rounded_to(x, 4)); }

/// What one step of a row earned; empty without a grade.
std::string step_score(const ClassRow& row, const ClassStep& step) {
  if (!row.grade) return "";
  for (const StepReport& each : row.grade->report.steps) {
    if (each.id != step.id) continue;
    if (each.excused) return "excused";
    return row.unscored ? "" : number(each.score);
  }
  return "";
}

std::string note_of(const ClassRow& row) {
  std::vector<std::string> notes;
  const auto add = [&](std::string note) { notes.push_back(without_decision(std::move(note))); };
  if (!row.owner.empty()) add("this is the sheet of " + row.owner);
  for (const std::string& note : row.notes) add(note);
  notes.insert(notes.end(), row.decisions.begin(), row.decisions.end());
  if (row.status == RowStatus::Missing && notes.empty()) add("nothing was handed in");
  if (row.grade) {
    for (std::string& loss : row.by_hand ? Row() : losses_of(*row.grade)) add(std::move(loss));
    for (const Flag& flag : row.grade->flags)
      add(flag.code + (flag.student.empty() ? "" : ": " + flag.student) + " (" + flag.message +
          ")");
  }
  for (std::string& note : notes) {
    if (note.ends_with('.')) note.pop_back();
  }
  return shortened(separated(notes, "; "));
}

Row head_of(const ClassBook& book, const ClassSummary& summary) {
  Row head = book.header;
  for (const char* name : {"variant", "status", "score", "max_score", "percent"})
    head.emplace_back(name);
  for (const ClassStep& step : summary.steps) head.push_back(step.id);
  for (const char* name : {"first_wrong", "main_code", "other_codes", "file", "note"})
    head.emplace_back(name);
  return head;
}

Row possible(const ClassBook& book, const ClassSummary& summary) {
  Row row(book.header.size());
  row.front() = "points possible";
  for (const std::string& text : Row{"", "", number(summary.points), number(summary.points), "100"})
    row.push_back(text);
  for (const ClassStep& step : summary.steps) row.push_back(number(step.points));
  row.resize(row.size() + 5);
  return row;
}

Row row_of(const ClassRow& from, const ClassBook& book, const ClassSummary& summary) {
  Row row;
  for (const std::string& text : from.columns) row.push_back(visible(text));
  row.resize(book.header.size());
  const bool graded = from.grade.has_value(), scored = has_score(from);
  row.push_back(from.key ? from.key->variant : "");
  row.emplace_back(status_word(from.status));
  row.push_back(scored ? number(from.grade->report.score) : "");
  row.push_back(number(graded ? from.grade->report.max_score : summary.points));
  row.push_back(scored ? number(from.grade->percent()) : "");
  for (const ClassStep& step : summary.steps) row.push_back(step_score(from, step));
  Row codes = graded ? codes_of(*from.grade) : Row{};
  row.push_back(graded ? from.grade->report.first_wrong.value_or("") : "");
  const std::string main = graded ? main_code(*from.grade) : "";
  row.push_back(main);
  codes.erase(std::remove(codes.begin(), codes.end(), main), codes.end());
  row.push_back(separated(codes, " "));
  row.push_back(visible(listed(from.files)));
  row.push_back(visible(note_of(from)));
  return row;
}

}  // namespace

CsvTable gradebook_table(const ClassBook& book) {
  const LanguageInUse english(language_of("en"));  // programs may read the notes
  const DecimalMarkInUse points(false);
  const ClassSummary summary = summarise(book);
  CsvTable table{.header = head_of(book, summary), .rows = {possible(book, summary)}};
  for (std::string& name : table.header) name = visible(name);
  for (const ClassRow& row : book.rows) table.rows.push_back(row_of(row, book, summary));
  return table;
}

}  // namespace attn
