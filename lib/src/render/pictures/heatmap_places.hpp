// Where the numbers of a picture fall on the palette.
#pragma once

#include "attn/render/heatmap.hpp"

namespace attn {

/// Throws Error (usage) for options that contradict each other.
void check_heat_options(const HeatOptions& options);

/// A number that has no place yet, marked if it will have none: it is not finite.
HeatPlace marked_place(double number);

/// Chooses the range of the colours from the numbers of `panels`, whose places have only marks;
/// `shares`: numbers from 0 to 1. Throws Error (usage) for an empty range.
void choose_range(HeatMap& map, const std::vector<HeatPanel>& panels, const HeatOptions& options,
                  bool shares);

/// Gives each number a place in that range.
void place_all(HeatPanel& panel, const HeatMap& map);

}  // namespace attn
