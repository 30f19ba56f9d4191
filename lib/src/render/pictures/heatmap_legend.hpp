// The lines below a heat map.
#pragma once

#include <string>

#include "render/pictures/heatmap_panel.hpp"
#include "render/terminal/notes.hpp"

namespace attn {

/// The palette with the numbers at its ends, and what the signs in cells mean, in lines of at most
/// `room` cells; `form` is that of the cells.
Legend legend_of(const HeatMap& map, const PanelStyle& style, const CellForm& form,
                 std::ptrdiff_t room);

/// A sentence about a range that uses less than half of the colours; else empty.
std::string legend_hint(const HeatMap& map, const PanelStyle& style);

}  // namespace attn
