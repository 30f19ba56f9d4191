// The lines below a heat map.
#pragma once

#include <string>
#include <vector>

#include "render/pictures/heatmap_panel.hpp"
#include "render/terminal/notes.hpp"

namespace attn {

/// The ends of the palette in words or numbers.
struct RampEnds {
  std::string low, high;
  bool alike = false;  ///< one colour: `high` says what it stands for, and `low` is empty
};
RampEnds ramp_ends(const HeatMap& map);

/// Whether a cell of the picture has a colour.
bool has_colors(const HeatMap& map);

/// What a mark means, for each kind of mark that the picture has.
struct MarkMeaning {
  HeatMark mark;
  std::string meaning;  ///< "hidden: exactly 0", "above (2)"
};
std::vector<MarkMeaning> meanings_of(const HeatMap& map);

/// The palette with the numbers at its ends, and what the signs in cells mean, in lines of at most
/// `room` cells; `form` is that of the cells.
Legend legend_of(const HeatMap& map, const PanelStyle& style, const CellForm& form,
                 std::ptrdiff_t room);

/// A sentence about numbers that use less than half of the colours; otherwise empty.
std::string legend_hint(const HeatMap& map, const PanelStyle& style);

}  // namespace attn
