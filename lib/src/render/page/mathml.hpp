// Formulas as MathML.
#pragma once

#include <string>

#include "attn/document.hpp"

namespace attn {

/// A `math` element for the LaTeX of a formula, its text as `alttext`. It knows the LaTeX that the
/// formulas of operations are written in; any other command appears by its name, as text.
std::string mathml(const Formula& formula);

}  // namespace attn
