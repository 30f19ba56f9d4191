// What the system and the environment say about the screen.
#pragma once

#include "terminal.hpp"

namespace attn::app {

/// Asks the system and the environment: the only place that does.
Terminal screen();

/// Ends the mode in which keys are read, if it is on. A signal handler may call it.
void restore_terminal();

}  // namespace attn::app
