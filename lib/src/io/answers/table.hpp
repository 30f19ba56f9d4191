// Tables as text: RFC 4180, and its relatives with semicolons or tabs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/json/source.hpp"

namespace attn {

/// A field of a table, and the byte where it begins.
struct TableField {
  std::string text;
  std::size_t offset = 0;
  bool closed = true;  ///< false: a quotation mark opens it, and none closes it
};
using TableLine = std::vector<TableField>;

/// Where the line after "sep=;" begins, with which Excel names the separator; 0 without such a
/// line.
std::size_t after_separator_line(std::string_view text);

/// The text of a table. Lines that end with CR alone end with LF in it. Throws Error: that of
/// decode_source.
Source table_source(const SharedBytes& bytes, const std::string& name);

/// The first line of what may be a table, as TableReader finds it; anything for other files.
TableLine header_of(std::string_view bytes);

/// Reads a table line by line.
class TableReader {
 public:
  /// The separator is what the first line says, as "sep=;", or else a comma, a semicolon or a tab:
  /// whichever follows the first field.
  explicit TableReader(std::string_view text);

  /// The next line that is not empty, or nothing. It is valid until the next call.
  const TableLine* next();

 private:
  void read_field(TableField& field, bool last);

  std::string_view text_;
  char separator_;
  std::size_t at_;
  TableLine line_;
};

}  // namespace attn
