// The words of a lens, for tables and pictures.
#pragma once

#include <vector>

#include "attn/render/heatmap.hpp"

namespace attn {

/// For each batch entry that the view shows, layers × tokens: the most probable word and its
/// probability; of a query that the view chooses, layers × its five most probable words. No number
/// has a place yet.
std::vector<HeatPanel> lens_panels(const Trace& trace, const View& view);

}  // namespace attn
