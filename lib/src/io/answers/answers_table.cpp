// Reads answers from a table with the columns step, row, col and value.
#include "io/answers/answers_table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include "attn/io/problem_file.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "core/text/complaints.hpp"
#include "io/answers/answer_cell.hpp"
#include "io/answers/table.hpp"
#include "io/arrays/tensor_error.hpp"
#include "io/json/source.hpp"

namespace attn {
namespace {

enum Column : std::size_t {
  kBatchColumn,
  kHeadColumn,
  kRowColumn,
  kColColumn,
  kStepColumn,
  kValueColumn,
  kGivenColumn,
  kColumns
};
constexpr const char* kColumnNames[kColumns] = {"batch", "head",  "row",  "col",
                                                "step",  "value", "given"};
constexpr std::size_t kAxisColumns = 4;  // the columns before kStepColumn
constexpr Index kMostRows = 1'000'000'000;
constexpr std::size_t kMayLack = 2;  // batch and head

using Columns = std::array<std::optional<std::size_t>, kColumns>;

std::optional<std::size_t> column_named(std::string_view text) {
  const std::string name = lowered(trimmed(text));
  const auto at = std::find(std::begin(kColumnNames), std::end(kColumnNames), name);
  if (at == std::end(kColumnNames)) return std::nullopt;
  return static_cast<std::size_t>(at - std::begin(kColumnNames));
}

Columns columns_in(const TableLine& header) {
  Columns columns;
  for (std::size_t i = 0; i < header.size(); ++i) {
    const auto column = column_named(header[i].text);
    if (column && !columns[*column]) columns[*column] = i;
  }
  return columns;
}

bool is_complete(const Columns& columns) {
  return std::all_of(columns.begin() + kMayLack, columns.begin() + kGivenColumn,
                     [](const auto& column) { return column.has_value(); });
}

/// Whether no value that somebody typed has a decimal point; what is printed does not count.
bool uses_commas(std::string_view text) {
  TableReader table(text);
  const TableLine* line = table.next();
  const Columns columns = line == nullptr ? Columns{} : columns_in(*line);
  while (columns[kValueColumn] && (line = table.next()) != nullptr) {
    const auto& given = columns[kGivenColumn];
    if (given && *given < line->size() && !trimmed((*line)[*given].text).empty()) continue;
    if (*columns[kValueColumn] < line->size() &&
        !may_have_commas((*line)[*columns[kValueColumn]].text))
      return false;
  }
  return true;
}

/// One line: where its cell is, −1 for an axis that it does not have, and what is in it.
struct TableCell {
  std::array<Index, kAxisColumns> at;
  CellState state;
  double number;
  std::size_t offset;  // of the value
  bool comma;
};

/// All lines of one step.
struct TableStep {
  std::string id;
  std::vector<TableCell> cells = {};
  std::vector<Diagnostic> unreadable = {};
  std::vector<UnreadCell> unread = {};  // by place among `cells`
};

/// What a cell that can be read holds.
std::string text_of(const TableCell& cell) {
  return cell.state == CellState::Empty ? "?" : format_exact(cell.number);
}

class Reader {
 public:
  Reader(Source source, MemoryBudget budget, DecimalMark mark)
      : source_(std::move(source)),
        table_(source_.text),
        commas_(mark == DecimalMark::Auto ? uses_commas(source_.text) : mark == DecimalMark::Comma),
        budget_(budget) {}

  Answers read();

 private:
  void read_line(const TableLine& line);
  Index index_of(const TableLine& line, std::size_t column);
  const TableField& field(const TableLine& line, std::size_t column) const;
  TableStep& step_of(std::string_view id);
  std::vector<Index> sizes_of(const TableStep& step) const;
  std::vector<Index> checked_shape(const TableStep& step, const std::vector<Index>& sizes);
  void refuse_second_columns(const TableLine& header);
  Diagnostic given_twice(const TableCell& cell);
  Answer answer_of(const TableStep& step);
  Place place(std::size_t offset);
  Error wrong(std::size_t offset, const std::string& what, const std::string& fix);

  Source source_;
  TableReader table_;
  bool commas_;  // whether decimals may have them
  MemoryBudget budget_;
  Columns columns_;
  std::size_t header_fields_ = 0, placed_ = 0;
  std::vector<TableStep> steps_;
  std::map<std::string, std::size_t, std::less<>> numbers_;  // of steps_, by id
};

Place Reader::place(std::size_t offset) {
  return placed_++ < kMostPlaces ? place_at(source_, offset, "") : Place{.file = source_.name};
}

Error Reader::wrong(std::size_t offset, const std::string& what, const std::string& fix) {
  return input_error({.id = "answers-table", .what = what, .places = {place(offset)}, .fix = fix});
}

const TableField& Reader::field(const TableLine& line, std::size_t column) const {
  static const TableField kNone;
  const std::optional<std::size_t>& at = columns_[column];
  return at && *at < line.size() ? line[*at] : kNone;
}

/// −1 for an empty batch or head.
Index Reader::index_of(const TableLine& line, std::size_t column) {
  const TableField& from = field(line, column);
  const std::string_view text = trimmed(from.text);
  if (text.empty() && column < kMayLack) return -1;
  Index index = -1;
  const auto [rest, problem] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (problem == std::errc() && rest == text.data() + text.size() && index >= 0 &&
      index < kMostRows)
    return index;
  throw wrong(
      text.empty() ? line.front().offset : from.offset,
      filled("expected a whole number for {}, found {}", kColumnNames[column], excerpt(text)),
      "Count rows and columns from 0.");
}

TableStep& Reader::step_of(std::string_view id) {
  const auto known = numbers_.find(id);
  if (known != numbers_.end()) return steps_[known->second];
  if (steps_.size() == kMostMatrices)
    throw too_many_matrices(kMostMatrices + 1, {.file = source_.name});
  numbers_.emplace(id, steps_.size());
  steps_.push_back({std::string(id)});
  return steps_.back();
}

void Reader::read_line(const TableLine& line) {
  if (line.size() > header_fields_ && !trimmed(line[header_fields_].text).empty())
    throw wrong(line[header_fields_].offset,
                filled("this line has {}, the header {}", counted(std::ssize(line), "field"),
                       std::to_string(header_fields_)),
                "Write decimals with a point, or put the value in quotation marks.");
  TableStep& step = step_of(trimmed(field(line, kStepColumn).text));
  const TableField& value = field(line, kValueColumn);
  const AnswerCell read = read_answer_cell(value.text, commas_);
  TableCell cell{{}, read.state, read.number, value.offset, read.comma};
  for (std::size_t axis = 0; axis < kAxisColumns; ++axis) cell.at[axis] = index_of(line, axis);
  budget_.take_bytes(2.0 * sizeof cell, "");  // a vector that grows
  step.cells.push_back(cell);
  if (read.state != CellState::Unreadable) return;
  if (step.unread.size() < kMostUnread)
    step.unread.push_back({step.cells.size() - 1, excerpt(value.text)});
  if (step.unreadable.size() < kMostDescribed)
    step.unreadable.push_back(unreadable_cell(excerpt(value.text), read, place(value.offset)));
}

/// One more than the largest index of each axis; 0 for those that no line has.
std::vector<Index> Reader::sizes_of(const TableStep& step) const {
  std::vector<Index> sizes(kAxisColumns, 0);
  for (const TableCell& cell : step.cells) {
    for (std::size_t axis = 0; axis < kAxisColumns; ++axis)
      sizes[axis] = std::max(sizes[axis], cell.at[axis] + 1);
  }
  return sizes;
}

/// The shape of a step. Refuses a matrix that would be mostly blanks: a single wrong index could
/// make it so large that it fills the memory.
std::vector<Index> Reader::checked_shape(const TableStep& step, const std::vector<Index>& sizes) {
  constexpr double kSmall = 1e6, kBlanks = 100.0;
  std::vector<Index> shape;
  double count = 1.0;
  for (const Index size : sizes) {
    if (size > 0) shape.push_back(size);
    count *= static_cast<double>(std::max<Index>(size, 1));
  }
  if (count > kSmall + kBlanks * static_cast<double>(step.cells.size())) {
    const auto farthest = std::max_element(step.cells.begin(), step.cells.end(),
                                           [](const TableCell& a, const TableCell& b) {
                                             return *std::max_element(a.at.begin(), a.at.end()) <
                                                    *std::max_element(b.at.begin(), b.at.end());
                                           });
    throw wrong(farthest->offset,
                filled("{} would be {}, but the table has only {} of it", step.id,
                       shape_text(shape), counted(std::ssize(step.cells), "cell")),
                "Correct the largest row or col.");
  }
  budget_.take(shape, "");
  return shape;
}

/// Puts the cells in their places; those that no line names stay empty.
Answer Reader::answer_of(const TableStep& step) {
  const std::vector<Index> sizes = sizes_of(step);
  Answer answer{.id = step.id, .shape = checked_shape(step, sizes), .open_ended = true};
  Index count = 1;
  for (const Index size : answer.shape) count *= size;
  answer.numbers.assign(static_cast<std::size_t>(count), std::numeric_limits<double>::quiet_NaN());
  answer.states.assign(answer.numbers.size(), CellState::Empty);
  answer.unreadable = step.unreadable;
  std::vector<bool> given(answer.numbers.size(), false);
  auto unread = step.unread.begin();
  for (std::size_t i = 0; i < step.cells.size(); ++i) {
    const TableCell& cell = step.cells[i];
    Index index = 0;
    for (std::size_t axis = 0; axis < kAxisColumns; ++axis) {
      if (sizes[axis] > 0) index = index * sizes[axis] + std::max<Index>(cell.at[axis], 0);
    }
    const auto at = static_cast<std::size_t>(index);
    const bool twice = given[at];
    given[at] = true;
    const bool is_unread = unread != step.unread.end() && unread->cell == i;
    if ((twice || is_unread) && answer.unread.size() < kMostUnread) {
      const std::string before = twice ? written_text(answer, at) + "; " : "";
      answer.unread.push_back({at, before + (is_unread ? unread->text : text_of(cell))});
    }
    unread += is_unread;
    answer.numbers[at] = cell.number;
    answer.commas += cell.comma;
    answer.states[at] = twice ? CellState::Unreadable : cell.state;
    if (twice && answer.unreadable.size() < kMostDescribed)
      answer.unreadable.push_back(given_twice(cell));
  }
  return answer;
}

Diagnostic Reader::given_twice(const TableCell& cell) {
  return {.id = "unreadable-cell",
          .what = "the table has this cell twice",
          .places = {place(cell.offset)},
          .fix = "Keep one of the two lines."};
}

/// Which of two columns counts would be a guess.
void Reader::refuse_second_columns(const TableLine& header) {
  for (const TableField& each : header) {
    const std::optional<std::size_t> column = column_named(each.text);
    if (!column || &header[*columns_[*column]] == &each) continue;
    const std::string name = kColumnNames[*column];
    throw wrong(each.offset, "the table has two columns " + name,
                "Keep one column with that name.");
  }
}

Answers Reader::read() {
  const TableLine* line = table_.next();
  if (line != nullptr) {
    columns_ = columns_in(*line);
    header_fields_ = line->size();
  }
  if (line != nullptr) refuse_second_columns(*line);
  if (line == nullptr || !is_complete(columns_)) {
    throw wrong(0, "expected a table whose first line is step,row,col,value",
                "Write that line first, then one line for each cell: scores,0,1,0.5.");
  }
  Complaints complaints;
  while ((line = table_.next()) != nullptr) {
    try {
      read_line(*line);
    } catch (const Error& error) {
      if (error.diagnostics().front().id == "too-large") throw;
      complaints.add(error);
    }
  }
  complaints.throw_if_any();
  Answers answers{.source = source_.name};
  for (const TableStep& step : steps_) answers.matrices.push_back(answer_of(step));
  return answers;
}

}  // namespace

bool begins_like_json(std::string_view bytes) {
  const std::size_t first = bytes.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return first == bytes.npos || bytes[first] == '{' || bytes[first] == '[';
}

bool is_answers_table(std::string_view bytes) {
  if (begins_like_json(bytes)) return false;  // its first line may be the whole file
  return is_complete(columns_in(header_of(bytes)));
}

Answers parse_answers_table(std::string_view bytes, const std::string& name, MemoryBudget budget,
                            DecimalMark mark) {
  try {
    return Reader(table_source({bytes}, name), budget, mark).read();
  } catch (const Error& error) {
    throw SourceMap(name).locate(error);  // also what takes too much memory
  }
}

}  // namespace attn
