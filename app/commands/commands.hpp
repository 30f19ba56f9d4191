#pragma once

#include "command.hpp"

namespace attn::app {

Command explain_command();
Command new_command();

}  // namespace attn::app
