// The largest numbers of a row.
#pragma once

#include <span>
#include <vector>

#include "attn/tensor.hpp"

namespace attn {

/// The columns of the `count` largest numbers, or of all; the largest first, of equal ones the
/// first. NaN comes last.
std::vector<Index> best_columns(std::span<const double> row, Index count);

}  // namespace attn
