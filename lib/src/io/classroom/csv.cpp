// Tables with a header: rosters, lists of variants, gradebooks.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "attn/io/sheet_file.hpp"
#include "attn/phrases.hpp"
#include "attn/render/text.hpp"
#include "io/answers/table.hpp"
#include "io/json/source.hpp"

namespace attn {
namespace {

Diagnostic wrong_table(const Source& source, std::size_t offset, std::string what,
                       std::string fix) {
  return {.id = "table",
          .what = std::move(what),
          .places = {place_at(source, offset, "")},
          .fix = std::move(fix)};
}

/// What is wrong with the lines of a table: the first three are described, the others counted.
struct FirstFaults {
  std::vector<Diagnostic> first = {};
  std::size_t more = 0;

  /// `make` makes the fault, if it is kept: finding its line takes as long as the file is.
  template <class Make>
  void add(Make make) {
    constexpr std::size_t kMost = 3;
    if (first.size() < kMost) {
      first.push_back(make());
    } else {
      ++more;
    }
  }
  void throw_if_any() {
    if (!first.empty()) throw Error(ErrorKind::Input, std::move(first), more);
  }
};

/// A table, and the byte where each of its rows begins.
struct PlacedTable {
  CsvTable table;
  std::vector<std::size_t> offsets;
};

/// Whether a spreadsheet would run the text as a formula (CWE-1236), or it would look like one that
/// is guarded: any apostrophes, then one of = + - @, a tab or a carriage return. A lone - is text.
bool wants_guard(std::string_view text) {
  if (text == "-") return false;
  const std::size_t first = text.find_first_not_of('\'');
  return first != text.npos && std::string_view("=+-@\t\r").find(text[first]) != text.npos;
}

/// Without the apostrophe that csv_text puts before formulas.
std::vector<std::string> fields_of(const TableLine& line) {
  std::vector<std::string> fields;
  for (const TableField& field : line) {
    const bool guarded = field.text.starts_with('\'') && wants_guard(field.text);
    fields.push_back(field.text.substr(guarded ? 1 : 0));
  }
  return fields;
}

/// Spreadsheets end lines with empty fields.
std::vector<std::string> without_empty_end(std::vector<std::string> fields, std::size_t least) {
  while (fields.size() > least && trimmed(fields.back()).empty()) fields.pop_back();
  return fields;
}

void check_closed(const TableLine& line, const Source& source) {
  for (const TableField& field : line) {
    if (field.closed) continue;
    throw input_error(wrong_table(source, field.offset,
                                  "a quotation mark opens a field, and none closes it",
                                  "Close it, or write two of them where one is meant."));
  }
}

PlacedTable read_table(const Source& source) {
  TableReader reader(source.text);
  const TableLine* line = reader.next();
  if (line == nullptr) {
    throw input_error(wrong_table(source, 0, "expected a table, found an empty file",
                                  "Write the names of the columns in the first line."));
  }
  check_closed(*line, source);
  PlacedTable read{{without_empty_end(fields_of(*line), 1), {}}, {}};
  const std::size_t columns = read.table.header.size();
  FirstFaults faults;
  while ((line = reader.next()) != nullptr) {
    check_closed(*line, source);
    std::vector<std::string> fields = without_empty_end(fields_of(*line), columns);
    if (fields.size() > columns) {
      faults.add([&] {
        return wrong_table(source, (*line)[columns].offset,
                           filled("this line has {}, the header {}",
                                  counted(std::ssize(fields), "field"), columns),
                           "Put fields that contain the separator in quotation marks.");
      });
      continue;
    }
    fields.resize(columns);
    read.table.rows.push_back(std::move(fields));
    read.offsets.push_back(line->front().offset);
  }
  faults.throw_if_any();
  return read;
}

/// In quotation marks if its separators, spaces or byte order mark would not be read as text.
std::string field_text(const std::string& text) {
  constexpr const char* kByteOrderMark = "\xef\xbb\xbf";
  const bool is_plain = text.find_first_of(",;\t\"\r\n") == text.npos && trimmed(text) == text;
  if (is_plain && !text.starts_with(kByteOrderMark)) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string line_text(const std::vector<std::string>& fields, std::optional<std::size_t> numbers,
                      char separator) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const bool guarded = i != numbers && wants_guard(fields[i]);
    if (i > 0) line += separator;
    line += field_text((guarded ? "'" : "") + fields[i]);
  }
  return (line.empty() ? "\"\"" : line) + "\r\n";
}

}  // namespace

CsvTable parse_csv(std::string_view bytes, const std::string& name) {
  return read_table(table_source({bytes}, name)).table;
}

std::string csv_text(const CsvTable& table, std::optional<std::size_t> numbers, char separator) {
  std::string text = line_text(table.header, {}, separator);
  for (const std::vector<std::string>& row : table.rows) text += line_text(row, numbers, separator);
  return text;
}

CsvTable parse_roster(std::string_view bytes, const std::string& name) {
  const Source source = table_source({bytes}, name);
  PlacedTable roster = read_table(source);
  for (std::size_t i = roster.table.rows.size(); i-- > 0;) {  // a line of Canvas's own
    if (lowered(trimmed(roster.table.rows[i].front())) != "points possible") continue;
    roster.table.rows.erase(roster.table.rows.begin() + static_cast<std::ptrdiff_t>(i));
    roster.offsets.erase(roster.offsets.begin() + static_cast<std::ptrdiff_t>(i));
  }
  FirstFaults faults;
  std::map<std::string, std::size_t> seen;  // file name in lower case → row
  std::set<std::string> told;
  for (std::size_t i = 0; i < roster.table.rows.size(); ++i) {
    std::string& id = roster.table.rows[i].front();
    id = std::string(trimmed(id));
    const std::size_t at = roster.offsets[i];
    if (id.empty()) {
      faults.add([&] {
        return wrong_table(source, at, "this line of the roster has no id",
                           "Write the student's id in the first column.");
      });
      continue;
    }
    if (visible(id) != id) {
      faults.add([&] {
        return wrong_table(source, at,
                           "the id \"" + visible(id) + "\" has a character that nobody can see",
                           "Type it again, without what the backslash stands for.");
      });
      continue;
    }
    const auto [other, fresh] = seen.emplace(caseless(file_name_of(id)), i);
    if (fresh || !told.insert(other->first).second) continue;
    const std::size_t earlier = other->second;
    const std::string& first = roster.table.rows[earlier].front();
    faults.add([&] {
      Diagnostic twice = wrong_table(
          source, at,
          first == id ? "the id \"" + id + "\" is in the roster twice"
                      : "the ids \"" + first + "\" and \"" + id + "\" differ only in capitals",
          first == id ? "Give every student an id of their own."
                      : "Change one of them: on many disks their files would have the same name.");
      twice.places.push_back(place_at(source, roster.offsets[earlier], "", "the first"));
      return twice;
    });
  }
  faults.throw_if_any();
  if (!roster.table.rows.empty()) return std::move(roster.table);
  throw input_error(wrong_table(source, 0, "the roster has no students, only its first line",
                                "The first line names the columns; write a line for each student "
                                "below it."));
}

}  // namespace attn
