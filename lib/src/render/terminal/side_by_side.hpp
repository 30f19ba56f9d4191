// Blocks of lines next to each other.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "attn/writers.hpp"
#include "core/trace/text_pieces.hpp"
#include "render/terminal/styled_line.hpp"

namespace attn {

/// Spaces between two blocks in a row.
inline constexpr std::ptrdiff_t kBetween = 3;

/// How wide a block is, and whether it begins a new row in any case.
struct Slot {
  std::ptrdiff_t width = 0;
  bool starts_row = false;
};

/// The numbers of the blocks that are next to each other: from left to right as many as fit in
/// `room` cells, row below row.
std::vector<std::vector<std::size_t>> rows_of(const std::vector<Slot>& slots, std::ptrdiff_t room);

/// Lines, and the cells kept free for them.
struct Panel {
  std::vector<StyledLine> lines = {};
  std::ptrdiff_t width = 0;
};

/// Writes one row of panels, each line after `indent`.
void write_panels(const std::vector<Panel>& panels, std::string_view indent, const TextStyle& style,
                  TextPieces& out);

}  // namespace attn
