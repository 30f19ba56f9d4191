// The option that says how much numbers may differ.
#pragma once

#include <optional>
#include <string>

#include "attn/check.hpp"
#include "options/option_row.hpp"

namespace attn::app {

/// --tolerance X, or X% of the largest number of a step.
OptionRow tolerance_row(const std::string& help, std::optional<Tolerance>& into);

}  // namespace attn::app
