// How many colours a screen shows, going by the environment.
#include "terminal.hpp"

namespace attn::app {

ColorDepth screen_depth(const Environment& environment) {
  const std::string colors = environment("COLORTERM");
  const std::string term = environment("TERM");
  const bool apple = environment("TERM_PROGRAM") == "Apple_Terminal";  // says truecolor, has 256
  const bool all = colors == "truecolor" || colors == "24bit" || !environment("WT_SESSION").empty();
  if (all && !apple) return ColorDepth::TrueColor;
  return apple || term.find("256color") != term.npos ? ColorDepth::Ansi256 : ColorDepth::Ansi16;
}

ColorDepth auto_depth(const Environment& environment, bool is_terminal) {
  if (!environment("NO_COLOR").empty()) return ColorDepth::None;
  const std::string force = environment("FORCE_COLOR"), cli = environment("CLICOLOR_FORCE");
  if (force == "1") return ColorDepth::Ansi16;
  if (force == "2") return ColorDepth::Ansi256;
  if (force == "3") return ColorDepth::TrueColor;
  const auto refuses = [](const std::string& value) { return value == "0" || value == "false"; };
  const auto asks = [&](const std::string& value) { return !value.empty() && !refuses(value); };
  const bool forced = asks(force) || asks(cli);
  if (forced && !is_terminal) return ColorDepth::Ansi256;
  if (!forced && (!is_terminal || environment("TERM") == "dumb" || refuses(force)))
    return ColorDepth::None;
  return screen_depth(environment);
}

}  // namespace attn::app
