// key/roster.lock.csv: who got which sheet.
#include "attn/io/sheet_file.hpp"

namespace attn {
namespace {

std::vector<std::string> lock_header() { return {"student", "variant", "givens"}; }

}  // namespace

std::string lock_csv(const std::vector<LockedVariant>& lock) {
  CsvTable table{lock_header(), {}};
  for (const LockedVariant& each : lock)
    table.rows.push_back({each.student, each.variant, each.givens});
  return csv_text(table);
}

std::vector<LockedVariant> parse_lock(std::string_view bytes, const std::string& name) {
  CsvTable table = parse_csv(bytes, name);
  if (table.header != lock_header()) {
    throw input_error({.id = "table",
                       .what = "expected a table whose first line is student,variant,givens",
                       .places = {{.file = name, .line = 1, .column = 1}},
                       .fix = "Restore the file as it was when the sheets were made."});
  }
  std::vector<LockedVariant> lock;
  for (std::vector<std::string>& row : table.rows)
    lock.push_back({std::move(row[0]), std::move(row[1]), std::move(row[2])});
  return lock;
}

}  // namespace attn
