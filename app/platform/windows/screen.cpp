// Asks the console and the environment about the screen.
#include "platform/screen.hpp"

#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>

#include "platform/environment.hpp"

namespace attn::app {
namespace {

/// Standard output or error, if it is a console.
struct Console {
  void* handle = nullptr;
  DWORD mode_before = 0;
  bool is_console = false, has_colors = false;
  std::ptrdiff_t width = 80, height = 0;
};

/// The console as it was, to be restored.
Console out_console, err_console;
UINT out_page_before = 0, in_page_before = 0;

/// Lets it obey escape sequences, which Windows before 10 cannot.
Console opened(DWORD stream) {
  Console c{.handle = GetStdHandle(stream)};
  c.is_console = GetConsoleMode(c.handle, &c.mode_before) != 0;
  if (!c.is_console) return c;
  c.has_colors = SetConsoleMode(c.handle, c.mode_before | ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0;
  CONSOLE_SCREEN_BUFFER_INFO info{};
  if (GetConsoleScreenBufferInfo(c.handle, &info) != 0) {
    c.width = info.srWindow.Right - info.srWindow.Left + 1;
    c.height = info.srWindow.Bottom - info.srWindow.Top + 1;
  }
  return c;
}

/// The environment; a console that obeys escape sequences shows all colours, which no variable
/// says.
std::string on_console(const char* name) {
  const std::string value = environment(name);
  return value.empty() && std::string_view(name) == "COLORTERM" ? "truecolor" : value;
}

ColorDepth depth(const Console& c) {
  return c.has_colors ? auto_depth(on_console, true) : auto_depth(environment, false);
}

/// A key of standard input, without Enter and without showing it.
char pressed_key() {
  constexpr wchar_t kCtrlC = 3, kCtrlD = 4, kCtrlZ = 26;
  void* const keyboard = GetStdHandle(STD_INPUT_HANDLE);
  INPUT_RECORD event{};
  DWORD count = 0;
  while (ReadConsoleInputW(keyboard, &event, 1, &count) != 0 && count == 1) {
    const KEY_EVENT_RECORD& key = event.Event.KeyEvent;
    if (event.EventType != KEY_EVENT || key.bKeyDown == 0) continue;
    if (key.wVirtualKeyCode == VK_UP || key.wVirtualKeyCode == VK_LEFT) return 'b';
    const wchar_t letter = key.uChar.UnicodeChar;
    if (letter == kCtrlC || letter == kCtrlD || letter == kCtrlZ) return 'q';
    if (key.wVirtualKeyCode == VK_DOWN || key.wVirtualKeyCode == VK_RIGHT || letter >= 128)
      return ' ';
    if (letter != 0) return static_cast<char>(letter);  // 0 is Shift, Ctrl …
  }
  return 'q';
}

}  // namespace

void restore_terminal() {
  for (const Console& c : {out_console, err_console}) {
    if (c.is_console) SetConsoleMode(c.handle, c.mode_before);
  }
  if (out_page_before != 0) SetConsoleOutputCP(out_page_before);
  if (in_page_before != 0) SetConsoleCP(in_page_before);
}

Terminal screen() {
  for (std::FILE* stream : {stdin, stdout, stderr}) _setmode(_fileno(stream), _O_BINARY);
  out_console = opened(STD_OUTPUT_HANDLE);
  err_console = opened(STD_ERROR_HANDLE);
  if (out_console.is_console || err_console.is_console) {
    out_page_before = GetConsoleOutputCP();
    in_page_before = GetConsoleCP();
    SetConsoleOutputCP(CP_UTF8);
    SetConsoleCP(CP_UTF8);
    std::atexit(restore_terminal);
  }
  DWORD mode = 0;
  Terminal t;
  t.out_is_terminal = out_console.is_console;
  t.err_is_terminal = err_console.is_console;
  t.in_is_terminal = GetConsoleMode(GetStdHandle(STD_INPUT_HANDLE), &mode) != 0;
  t.out_color = depth(out_console);
  t.err_color = depth(err_console);
  t.err_width = std::max<std::ptrdiff_t>(err_console.width, 20);
  t.read_key = pressed_key;
  if (t.in_is_terminal)
    t.forget_typed = [] { FlushConsoleInputBuffer(GetStdHandle(STD_INPUT_HANDLE)); };
  t.wait = [] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    return true;
  };
  t.seconds = [] {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
  };
  if (!t.out_is_terminal) return t;
  t.width = std::max<std::ptrdiff_t>(out_console.width, 20);
  t.height = out_console.height;
  t.always_color = screen_depth(on_console);
  t.theme = environment("ATTN_THEME");
  t.layout = environment("ATTN_LAYOUT");
  t.language = environment("ATTN_LANG");
  return t;
}

}  // namespace attn::app
