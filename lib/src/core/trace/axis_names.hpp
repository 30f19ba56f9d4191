// Names of the rows and columns of a step.
#pragma once

#include <string>
#include <vector>

#include "attn/trace.hpp"

namespace attn {

/// The names of the rows or columns of one matrix of a step, not escaped. The columns of a later
/// head go on counting: "q3", "q4", "q5".
struct AxisNames {
  std::vector<std::string> names;
  bool tokens = false;  ///< the names are tokens, which may repeat
};
AxisNames row_names(const Step& step, Index batch, Index head);
AxisNames col_names(const Step& step, Index batch, Index head);

/// One of them, and whether it is there more than once.
struct AxisName {
  std::string name;
  bool token = false, repeated = false;
};
/// "the", or "2:the" where the name is there more than once.
std::string unique_name(const AxisName& name, Index i);
AxisName name_of_row(const Step& step, const Cell& cell);
AxisName name_of_col(const Step& step, const Cell& cell);

/// What the columns of a step are: "key". Empty if there is only one by nature, or if they are not
/// as many as the name says: an output without W_o need not be d_model wide.
std::string col_axis_name(const Step& step);

}  // namespace attn
