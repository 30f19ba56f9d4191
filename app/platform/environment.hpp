// The variables that the program was started with.
#pragma once

#include <string>

namespace attn::app {

/// The value of an environment variable; "" if there is none.
std::string environment(const char* name);

}  // namespace attn::app
