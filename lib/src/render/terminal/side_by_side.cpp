// Puts blocks of lines next to each other.
#include "render/terminal/side_by_side.hpp"

#include <algorithm>

namespace attn {

std::vector<std::vector<std::size_t>> rows_of(const std::vector<Slot>& slots, std::ptrdiff_t room) {
  std::vector<std::vector<std::size_t>> rows;
  std::ptrdiff_t used = 0;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (rows.empty() || slots[i].starts_row || used + slots[i].width > room) {
      rows.emplace_back();
      used = 0;
    }
    rows.back().push_back(i);
    used += slots[i].width + kBetween;
  }
  return rows;
}

void write_panels(const std::vector<Panel>& panels, std::string_view indent, const TextStyle& style,
                  TextPieces& out) {
  std::size_t height = 0;
  for (const Panel& panel : panels) height = std::max(height, panel.lines.size());
  for (std::size_t l = 0; l < height; ++l) {
    StyledLine line(style.ruler);
    line.add(indent);
    std::ptrdiff_t start = line.width();
    for (const Panel& panel : panels) {
      if (&panel != &panels.front()) line.add(spaces(start - line.width()));
      if (l < panel.lines.size()) line.add(panel.lines[l]);
      start += panel.width + kBetween;
    }
    const std::string text = line.text(style.color);
    out += style.ascii ? to_ascii(text) : text;
  }
}

}  // namespace attn
