// Cleans up before Ctrl-C, or the end of a window or session, ends the program.
#include "platform/signals.hpp"

#include <windows.h>

#include "platform/screen.hpp"
#include "platform/whole_file.hpp"

namespace attn::app {
namespace {

/// Windows calls it in a thread of its own.
BOOL WINAPI clean_up(DWORD) {
  remove_unfinished();
  restore_terminal();
  return FALSE;  // and Windows ends the program
}

}  // namespace

void handle_signals() { SetConsoleCtrlHandler(clean_up, TRUE); }

}  // namespace attn::app
