// Words around matrices: wrapped prose, notes about what is not shown, what signs mean.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "attn/writers.hpp"
#include "render/terminal/column_blocks.hpp"
#include "render/terminal/styled_line.hpp"

namespace attn {

/// `text`, harmless and wrapped where the style asks for it: the first line comes after `first`,
/// the others after `indent`.
std::string prose(const std::string& text, const TextStyle& style, std::string_view first = "",
                  std::string_view indent = "", const Paint& paint = kPlain);

/// "showing 6 of 128 columns", and how to see all, as prose; empty if all are shown.
std::string left_out_note(const Excerpt& shown, std::size_t all, const char* english,
                          const TextStyle& style, std::string_view indent);

/// Signs and their meanings side by side, as many per line as fit in `room` cells.
class Legend {
 public:
  Legend(const Ruler& ruler, std::ptrdiff_t room) : ruler_(ruler), room_(room) {}
  void add(const StyledLine& entry);
  void add(const std::string& sign, const std::string& meaning);
  /// Every line after `indent`.
  std::string text(std::string_view indent, ColorDepth depth) const;

 private:
  Ruler ruler_;
  std::ptrdiff_t room_;
  std::vector<StyledLine> lines_{StyledLine(ruler_)};
};

}  // namespace attn
