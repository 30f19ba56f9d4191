#include "report.hpp"

#include <iostream>

#include "attn/error_json.hpp"
#include "attn/error_text.hpp"
#include "error_words.hpp"

namespace attn::app {
namespace {

ErrorStyle style_of(const CommonOptions& common, const Terminal& terminal) {
  const bool on_screen = terminal.err_color != ColorDepth::None;
  return {.ascii = common.ascii || !terminal.utf8,
          .color = common.color == ColorChoice::Always ||
                   (common.color == ColorChoice::Auto && on_screen),
          .width = common.width.value_or(terminal.err_width)};
}

}  // namespace

void report(const Error& error, const std::vector<std::string>& args, const Streams& streams) {
  const CommonOptions common = common_options_in(args);
  const Error told = with_help(error);
  streams.err << (common.errors_as_json ? error_json(told)
                                        : error_text(told, style_of(common, streams.terminal)))
              << std::flush;
}

}  // namespace attn::app
