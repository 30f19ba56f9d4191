// How the rows and columns of a step are called.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "attn/trace.hpp"

namespace attn {

/// How the rows or columns of a step are called in one batch entry, as they stand (not escaped).
struct AxisNames {
  std::vector<std::string> names;
  bool tokens = false;  ///< the names are tokens, which may repeat
};
AxisNames row_names(const Step& step, Index batch);
AxisNames col_names(const Step& step, Index batch);

/// "q0", "q1", … "q{n-1}" for the prefix "q".
std::vector<std::string> indexed_labels(std::string_view prefix, std::ptrdiff_t n);

}  // namespace attn
