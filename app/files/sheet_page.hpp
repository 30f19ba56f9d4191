// attn.html, made for sheets: the page in which they are opened, or one with a sheet inside.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "files/files.hpp"

namespace attn::app {

/// Whether a page has a place for a sheet, perhaps with a sheet in it.
bool is_sheet_page(std::string_view html);

class SheetPage {
 public:
  /// Reads attn.html. Throws Error: id "wrong-format" for another file.
  SheetPage(const std::string& path, const Streams& streams);

  /// The page that opens sheets, and hides what solves them; with `sheet`, as JSON, this one.
  WritePieces with(std::string sheet = "{}") const;

 private:
  std::shared_ptr<const std::string> page_;
  std::size_t place_;  ///< of the sheet
};

}  // namespace attn::app
