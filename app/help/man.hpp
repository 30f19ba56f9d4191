#pragma once

#include <string>
#include <vector>

#include "command.hpp"

namespace attn::app {

/// The manual page attn(1) in roff, 7-bit, from the options of these commands.
std::string man_page(const std::vector<Command>& commands);

}  // namespace attn::app
