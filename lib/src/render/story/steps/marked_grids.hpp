// The matrices of a step on two sides, with the cells that differ.
#pragma once

#include <string>
#include <vector>

#include "attn/document.hpp"
#include "attn/teach/comparison.hpp"

namespace attn {

struct MarkedGrids {
  std::vector<Grid> grids;  ///< left and right in turn
  std::string left_out;     ///< how many of the cells that differ are shown; empty if all are
};

/// The matrices in which the step differs, the first few; of large ones, the first rows and columns
/// that differ. Of a step that only one side has, or with another shape, or that is the same on
/// both sides, the first few matrices without marks.
MarkedGrids marked_grids(const StepDifference& step, const Trace& left, const Trace& right);

}  // namespace attn
