// Reads a part of a formula.
#pragma once

#include <string_view>

#include "attn/render/formula.hpp"

namespace attn {

/// The first term of `text`, which is removed from its front: "√(2/π)" of "√(2/π)·x".
Formula take_term(std::string_view& text);

/// Whether it is a function that is known by this name even where no bracket follows: "ln".
bool is_known_function(std::string_view name);

}  // namespace attn
