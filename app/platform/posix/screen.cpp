// Asks the system and the environment about the screen.
#include "platform/screen.hpp"

#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>

#include "attn/phrases.hpp"
#include "platform/environment.hpp"

namespace attn::app {
namespace {

bool locale_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string value = lowered(environment(name));
    if (value.empty()) continue;
    return value.find("utf-8") != value.npos || value.find("utf8") != value.npos;
  }
  return false;
}

/// Lines of the terminal that standard output belongs to; 0: not known.
std::ptrdiff_t screen_height() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}

/// Columns of the terminal that a file descriptor belongs to.
std::ptrdiff_t screen_width(int descriptor) {
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const long columns = std::strtol(environment("COLUMNS").c_str(), nullptr, 10);
  return columns > 0 && columns < 100000 ? columns : 80;
}

/// The state of standard input before keys were read from it, and whether it is still to be
/// restored. A signal may come between any two instructions, so the flag is set after the state.
termios line_mode{};
volatile std::sig_atomic_t is_raw = 0;

/// A key of standard input, without Enter and without showing it.
char pressed_key() {
  constexpr char kCtrlC = 3, kCtrlD = 4;
  if (tcgetattr(STDIN_FILENO, &line_mode) != 0) return 'q';
  termios raw = line_mode;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ISIG);
  is_raw = 1;
  tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
  std::array<char, 16> bytes{};  // an arrow sends three
  const auto count = read(STDIN_FILENO, bytes.data(), bytes.size());
  restore_terminal();
  const char key = bytes[0];
  // Ctrl-D before the mode was set arrives as 0.
  if (count <= 0 || key == 0 || key == kCtrlC || key == kCtrlD) return 'q';
  const bool arrow = count == 3 && key == '\x1b';
  return arrow && (bytes[2] == 'A' || bytes[2] == 'D') ? 'b' : key;
}

volatile std::sig_atomic_t is_interrupted = 0;

/// Waits for a line. Ctrl-C ends the wait, not the program.
bool line_arrives() {
  is_interrupted = 0;
  struct sigaction ends_wait {
  }, before{};
  ends_wait.sa_handler = [](int) { is_interrupted = 1; };
  sigaction(SIGINT, &ends_wait, &before);
  pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  while (poll(&input, 1, -1) < 0 && errno == EINTR && is_interrupted == 0) continue;
  sigaction(SIGINT, &before, nullptr);
  return is_interrupted == 0;
}

}  // namespace

void restore_terminal() {
  if (is_raw == 0) return;
  tcsetattr(STDIN_FILENO, TCSANOW, &line_mode);
  is_raw = 0;
}

Terminal screen() {
  Terminal t;
  t.out_is_terminal = isatty(STDOUT_FILENO) == 1;
  t.in_is_terminal = isatty(STDIN_FILENO) == 1;
  t.err_is_terminal = isatty(STDERR_FILENO) == 1;
  t.out_color = auto_depth(environment, t.out_is_terminal);
  t.err_color = auto_depth(environment, t.err_is_terminal);
  if (t.err_is_terminal) {
    t.err_utf8 = locale_is_utf8();
    t.err_width = std::max<std::ptrdiff_t>(screen_width(STDERR_FILENO), 20);
  }
  t.read_key = pressed_key;
  t.await_line = line_arrives;
  if (t.in_is_terminal) t.forget_typed = [] { tcflush(STDIN_FILENO, TCIFLUSH); };
  t.wait = [] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    return true;
  };
  t.seconds = [] {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
  };
  if (!t.out_is_terminal) return t;
  t.utf8 = locale_is_utf8();
  t.width = std::max<std::ptrdiff_t>(screen_width(STDOUT_FILENO), 20);
  t.height = screen_height();
  t.always_color = screen_depth(environment);
  t.theme = environment("ATTN_THEME");
  t.layout = environment("ATTN_LAYOUT");
  t.language = environment("ATTN_LANG");
  return t;
}

}  // namespace attn::app
