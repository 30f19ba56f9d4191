// Where in a step the wrong cells are: as a map, and in words.
#pragma once

#include <string>
#include <vector>

#include "attn/render/check_report.hpp"

namespace attn {

/// The cells of a step that are wrong or unreadable.
std::vector<Cell> wrong_cells(const Step& step, const StepReport& report);

/// Up to five of them by name: "A[cat, the] of head 1, A[sat, cat] of head 1".
std::string first_names(const Step& step, const std::vector<Cell>& cells);

/// What they have in common: "every cell that is filled in", "the row of "cat"", "head 1: the
/// rows of "cat", "sat"".
std::string where_text(const Step& step, const StepReport& report, const std::vector<Cell>& cells);

/// The first twelve of their rows as marks; no matrices if the step has too many columns for that.
std::vector<Grid> maps_of(const Trace& trace, const Step& step, const StepReport& report,
                          const std::vector<Cell>& cells);

}  // namespace attn
