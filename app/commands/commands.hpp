#pragma once

#include "command.hpp"

namespace attn::app {

Command convert_command();
Command explain_command();
Command new_command();
Command schema_command();

}  // namespace attn::app
