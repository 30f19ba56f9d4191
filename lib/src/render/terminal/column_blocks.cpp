// Cuts a wide matrix into blocks of columns, or keeps its outer ones.
#include "render/terminal/column_blocks.hpp"

#include <numeric>

namespace attn {
namespace {

using Width = std::ptrdiff_t;

/// The first `front` and the last `back` of `count`.
Excerpt ends(std::size_t count, std::size_t front, std::size_t back) {
  Excerpt block;
  for (std::size_t i = 0; i < front; ++i) block.members.push_back(i);
  for (std::size_t i = count - back; i < count; ++i) block.members.push_back(i);
  if (front + back < count) block.gap = front;
  return block;
}

/// A last column alone gets a neighbour from the block before it, if both fit.
void join_lonely_column(std::vector<Excerpt>& blocks, std::span<const Width> widths, Width room) {
  if (blocks.size() < 2 || blocks.back().members.size() != 1) return;
  std::vector<std::size_t>& before = blocks[blocks.size() - 2].members;
  if (before.size() < 3 || widths[before.back()] + widths.back() > room) return;
  blocks.back().members.insert(blocks.back().members.begin(), before.back());
  before.pop_back();
}

}  // namespace

std::vector<Excerpt> column_blocks(std::span<const Width> widths, Width room, Width tail) {
  std::vector<Excerpt> blocks(1);
  Width used = 0;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const Width behind = i + 1 == widths.size() ? tail : 0;
    if (used + widths[i] + behind > room && !blocks.back().members.empty()) {
      blocks.emplace_back();
      used = 0;
    }
    blocks.back().members.push_back(i);
    used += widths[i];
  }
  join_lonely_column(blocks, widths, room - tail);
  return blocks;
}

Excerpt outer_columns(std::span<const Width> widths, Width room, Width tail, Width dots) {
  const std::size_t n = widths.size();
  if (std::accumulate(widths.begin(), widths.end(), tail) <= room || n <= 2) return ends(n, n, 0);
  std::size_t front = 1, back = 1;
  Width left = room - tail - dots - widths.front() - widths.back();
  while (front + back < n) {
    const bool next_in_front = front == back;
    left -= next_in_front ? widths[front] : widths[n - 1 - back];
    if (left < 0) break;
    (next_in_front ? front : back) += 1;
  }
  return ends(n, front, back);
}

Excerpt everything(std::size_t count) { return ends(count, count, 0); }

Excerpt outer_rows(std::size_t count, std::size_t most) {
  return count > most ? ends(count, most / 4, most / 4) : everything(count);
}

}  // namespace attn
