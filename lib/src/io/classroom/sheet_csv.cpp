// Sheets as tables, one cell in each line.
#include <algorithm>
#include <cmath>

#include "attn/io/sheet_file.hpp"
#include "attn/phrases.hpp"
#include "io/answers/table.hpp"
#include "io/json/writer.hpp"

namespace attn {
namespace {

constexpr const char* kSheetAxes[] = {"batch", "head", "row", "col"};
constexpr const char* kSheetColumns[] = {"exercise", "student", "variant"};

/// Where number `index` of a matrix is, in the last `axes` of kSheetAxes; empty for those it lacks.
std::vector<std::string> place_of(std::size_t index, const std::vector<Index>& shape,
                                  std::size_t axes) {
  std::vector<std::string> place(axes);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const auto size = static_cast<std::size_t>(shape[shape.size() - 1 - i]);
    place[axes - 1 - i] = std::to_string(index % size);
    index /= size;
  }
  return place;
}

std::string number_text(double number, bool comma) {
  std::string text = json::number_text(number);
  if (comma) std::replace(text.begin(), text.end(), '.', ',');
  return text;
}

}  // namespace

std::string sheet_csv(const Sheet& sheet) {
  std::size_t axes = 2;
  for (const SheetStep& step : sheet.steps) axes = std::max(axes, step.shape.size());
  CsvTable table{{"step"}, {}};
  table.header.insert(table.header.end(), std::end(kSheetAxes) - static_cast<std::ptrdiff_t>(axes),
                      std::end(kSheetAxes));
  const std::size_t values = table.header.size();
  table.header.insert(table.header.end(), {"value", "given"});
  table.header.insert(table.header.end(), std::begin(kSheetColumns), std::end(kSheetColumns));
  for (const SheetStep& step : sheet.steps) {
    for (std::size_t i = 0; i < step.numbers.size(); ++i) {
      const double number = step.numbers[i] + 0.0;  // no −0
      std::vector<std::string> row{step.id};
      for (std::string& index : place_of(i, step.shape, axes)) row.push_back(std::move(index));
      row.push_back(std::isnan(number)      ? ""
                    : std::isfinite(number) ? number_text(number, sheet.decimal_comma)
                    : number < 0            ? "-Infinity"
                                            : "Infinity");
      row.push_back(step.blank[i] != 0 ? "" : "given");
      row.insert(row.end(), {sheet.exercise, sheet.student, sheet.variant});
      table.rows.push_back(std::move(row));
    }
  }
  return csv_text(table, values, sheet.decimal_comma ? ';' : ',');
}

bool is_sheet_table(std::string_view bytes) {
  const TableLine header = header_of(bytes);
  const auto has = [&](std::string_view name) {
    return std::any_of(header.begin(), header.end(),
                       [&](const TableField& each) { return lowered(trimmed(each.text)) == name; });
  };
  return has("step") && has("value") && has("variant");
}

std::optional<SheetName> sheet_name_in(std::string_view bytes, const std::string& name) {
  const CsvTable table = parse_csv(bytes, name);
  std::string SheetName::*const members[] = {&SheetName::exercise, &SheetName::student,
                                             &SheetName::variant};
  SheetName sheet;
  bool named = false;
  for (std::size_t i = 0; i < std::size(kSheetColumns); ++i) {
    const auto column = std::find_if(
        table.header.begin(), table.header.end(),
        [&](const std::string& each) { return lowered(trimmed(each)) == kSheetColumns[i]; });
    if (column == table.header.end()) continue;
    named = named || members[i] == &SheetName::variant;
    for (const std::vector<std::string>& row : table.rows) {
      const std::string text(trimmed(row[static_cast<std::size_t>(column - table.header.begin())]));
      std::string& known = sheet.*members[i];
      if (known.empty()) known = text;
      if (text == known || text.empty()) continue;
      throw input_error({.id = "table",
                         .what = filled("the column {} has both \"{}\" and \"{}\"",
                                        kSheetColumns[i], known, text),
                         .places = {{.file = name}},
                         .fix = "Keep only the lines of one sheet."});
    }
  }
  return named ? std::optional(sheet) : std::nullopt;
}

}  // namespace attn
