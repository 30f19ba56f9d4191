#pragma once

#include <cstddef>

namespace attn::app {

/// What is known about the screen. The default is a pipe: 80 columns for prose, UTF-8.
struct Terminal {
  bool out_is_terminal = false;
  bool in_is_terminal = false;
  bool err_is_terminal = false;
  bool utf8 = true;
  std::ptrdiff_t width = 80;
};

/// Asks the system and the environment (LC_ALL, LC_CTYPE, LANG, COLUMNS): the only place that does.
Terminal terminal();

}  // namespace attn::app
