// An answer in the shape of a step: axes of size 1, lists of cells that end early, transposed.
#pragma once

#include <optional>

#include "attn/teach/answers.hpp"
#include "attn/trace.hpp"

namespace attn {

/// Whether the answer has that shape; leading axes of size 1 may be missing or added.
bool has_shape(const Answer& answer, const Shape& shape);

/// Numbers of the answer as a tensor of that shape, if it has it.
std::optional<Tensor> in_shape(const Answer& answer, const Shape& shape);

/// The answers named after the steps whose axes they have: "q" that is cut into heads is "q_heads",
/// "context" with its heads side by side is "concat". The notes say so.
Answers named_by_axes(const Trace& truth, Answers answers, std::vector<std::string>& notes);

/// The answers with blanks where a list of cells ends before its matrix does.
Answers filled_up(const Trace& truth, Answers answers);

/// The same with rows and columns swapped.
Answer transposed(const Answer& answer);

}  // namespace attn
