// Where a whole row comes from.
#pragma once

#include "render/story/worked_cell.hpp"

namespace attn {

/// The row of `place`: where it is a sum of rows, in symbols and in numbers, without the terms that
/// a mask takes out; else cell by cell.
std::vector<Worked> worked_row(const Trace& trace, const StepCell& place);

}  // namespace attn
