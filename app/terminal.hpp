// What is known about the screen.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "attn/render/color.hpp"

namespace attn::app {

/// The value of an environment variable, empty if it is not set.
using Environment = std::function<std::string(const char* name)>;

/// What is known about the screen. The default is a pipe: 80 columns for prose, UTF-8.
struct Terminal {
  bool out_is_terminal = false;
  bool in_is_terminal = false;
  bool err_is_terminal = false;
  bool utf8 = true;      ///< what standard output shows
  bool err_utf8 = true;  ///< the same for messages
  std::ptrdiff_t width = 80;
  std::ptrdiff_t err_width = 80;
  std::ptrdiff_t height = 0;                      ///< lines of standard output; 0: not known
  ColorDepth out_color = ColorDepth::None;        ///< of --color auto
  ColorDepth err_color = ColorDepth::None;        ///< the same for messages
  ColorDepth always_color = ColorDepth::Ansi256;  ///< of --color always
  /// ATTN_THEME, ATTN_LAYOUT and ATTN_LANG, for terminals only.
  std::string theme, layout, language;
  /// Waits for a key. Arrows to the left and up are b; Ctrl-C, Ctrl-D and the end of input are q.
  std::function<char()> read_key = [] { return 'q'; };
  /// Waits until there is a line to read, or the end of input. False: Ctrl-C came instead.
  std::function<bool()> await_line = [] { return true; };
  /// Drops what was typed before it was asked for, such as pasted lines.
  std::function<void()> forget_typed = [] {};
  /// Lets a moment pass, for what looks at a file again and again. Returns whether to go on.
  std::function<bool()> wait = [] { return false; };
  /// A clock that shows whether something takes long.
  std::function<double()> seconds = [] { return 0.0; };
};

/// How many colours a screen shows, going by TERM, COLORTERM and what some terminals set; at least
/// 16.
ColorDepth screen_depth(const Environment& environment);

/// The colours of --color auto: none for NO_COLOR; those of FORCE_COLOR and CLICOLOR_FORCE;
/// otherwise none in a pipe or if TERM is dumb.
ColorDepth auto_depth(const Environment& environment, bool is_terminal);

}  // namespace attn::app
