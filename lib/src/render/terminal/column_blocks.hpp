// Which rows and columns of a matrix are shown, and which of them side by side.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace attn {

/// Columns (or rows) that are shown together. Some are left out before number `gap` of them.
struct Excerpt {
  std::vector<std::size_t> members;
  std::optional<std::size_t> gap;
};

/// The most that a screen shows without leaving any out.
inline constexpr std::size_t kMostShown = 32;

/// Columns of these widths in blocks of at most `room` cells, from left to right, at least one in
/// each; the last block also leaves `tail` cells after it.
std::vector<Excerpt> column_blocks(std::span<const std::ptrdiff_t> widths, std::ptrdiff_t room,
                                   std::ptrdiff_t tail);

/// The first and the last columns that together with `tail` and an ellipsis of `dots` cells fit
/// into `room` cells, as many from the left as from the right or one more, at least one from each.
Excerpt outer_columns(std::span<const std::ptrdiff_t> widths, std::ptrdiff_t room,
                      std::ptrdiff_t tail, std::ptrdiff_t dots);

/// All of `count`.
Excerpt everything(std::size_t count);

/// All rows; if there are more than `most`, the first and the last quarter of `most`.
Excerpt outer_rows(std::size_t count, std::size_t most = kMostShown);

}  // namespace attn
