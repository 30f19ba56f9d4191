// Tables as text: RFC 4180, and its relatives with semicolons or tabs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// A field of a table, and the byte where it begins.
struct TableField {
  std::string text;
  std::size_t offset = 0;
  bool closed = true;  ///< false: a quotation mark opens it, and none closes it
};
using TableLine = std::vector<TableField>;

/// Reads a table line by line.
class TableReader {
 public:
  /// The separator is a comma, a semicolon or a tab: whichever follows the first field.
  explicit TableReader(std::string_view text);

  /// The next line that is not empty, or nothing. It is valid until the next call.
  const TableLine* next();

 private:
  void read_field(TableField& field);

  std::string_view text_;
  char separator_;
  std::size_t at_ = 0;
  TableLine line_;
};

}  // namespace attn
