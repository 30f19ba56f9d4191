#include "terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace attn::app {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool locale_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string value = environment(name);
    if (value.empty()) continue;
    std::transform(value.begin(), value.end(), value.begin(), [](unsigned char c) {
      return static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    });
    return value.find("UTF-8") != value.npos || value.find("UTF8") != value.npos;
  }
  return false;
}

std::ptrdiff_t screen_width() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const long columns = std::strtol(environment("COLUMNS").c_str(), nullptr, 10);
  return columns > 0 && columns < 100000 ? columns : 80;
}

}  // namespace

Terminal terminal() {
  Terminal t;
  t.out_is_terminal = isatty(STDOUT_FILENO) == 1;
  t.in_is_terminal = isatty(STDIN_FILENO) == 1;
  t.err_is_terminal = isatty(STDERR_FILENO) == 1;
  if (!t.out_is_terminal) return t;
  t.utf8 = locale_is_utf8();
  t.width = std::max<std::ptrdiff_t>(screen_width(), 20);
  return t;
}

}  // namespace attn::app
