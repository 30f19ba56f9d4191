// What happens when a signal ends the program.
#pragma once

namespace attn::app {

/// From now on a signal that asks the program to end (SIGINT, SIGTERM, SIGXCPU …) first removes
/// unfinished files and restores the terminal. A closed pipe, or a file that may not grow further,
/// is an error when writing.
void handle_signals();

}  // namespace attn::app
