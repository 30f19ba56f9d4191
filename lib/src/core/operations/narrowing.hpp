// What a mask hides is not computed where nobody sees it.
#pragma once

#include "core/operations/row_links.hpp"

namespace attn::ops {

/// Columns from `first` up to, but not including, `end`.
struct Columns {
  Index first = 0, end = 0;
};

/// Which links a mask makes narrower: those before `end` write only visible columns. If link `end`
/// is a product with weights that are 0 where nothing is visible, it leaves out those keys.
struct Narrowing {
  std::size_t hiding = 0, end = 0;  ///< 0: none

  bool reaches_product() const { return end > hiding; }
};
Narrowing narrowing_of(const std::vector<RowLink>& chain);

/// From the first to the last column in which a row of the mask has something visible, at multiples
/// of kProductStep, so that sums of products stay the same; all of them if nothing is visible. At
/// least kProductStep columns, if there are as many, so that sums over a row stay the same too.
Columns visible_columns(const Rows<const double>& mask);

}  // namespace attn::ops
