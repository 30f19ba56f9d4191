// Which rows and columns of a matrix are shown, and which side by side.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace attn {

/// Columns (or rows) that are shown together. Before number `gap` of them, some are left out.
struct Excerpt {
  std::vector<std::size_t> members;
  std::optional<std::size_t> gap;
};

/// More of them than this are not shown one and all on a screen.
inline constexpr std::size_t kMostShown = 32;

/// Columns of these widths in blocks of at most `room` cells, from left to right, at least one in
/// each; the last block also has room for `tail` cells behind it.
std::vector<Excerpt> column_blocks(std::span<const std::ptrdiff_t> widths, std::ptrdiff_t room,
                                   std::ptrdiff_t tail);

/// The first and the last columns that together with `tail` and an ellipsis of `dots` cells fit
/// into `room` cells, as many from the one side as from the other, at least one from each.
Excerpt outer_columns(std::span<const std::ptrdiff_t> widths, std::ptrdiff_t room,
                      std::ptrdiff_t tail, std::ptrdiff_t dots);

/// All of `count`.
Excerpt everything(std::size_t count);

/// All rows, or the first and the last eight of more than kMostShown.
Excerpt outer_rows(std::size_t count);

}  // namespace attn
