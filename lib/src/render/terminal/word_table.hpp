// Words and their numbers in rows and columns, where there is no room for colours.
#pragma once

#include "attn/document.hpp"
#include "attn/render/heatmap.hpp"
#include "render/terminal/number.hpp"

namespace attn {

/// A matrix of words as a table: "key 0.93".
Table word_table(const HeatPanel& panel, const NumberFormat& format);

}  // namespace attn
