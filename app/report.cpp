#include "report.hpp"

#include <iostream>

#include "attn/error_text.hpp"
#include "attn/tool/error_json.hpp"
#include "command_line.hpp"
#include "help/error_pages.hpp"

namespace attn::app {
namespace {

ErrorStyle style_of(const CommonOptions& common, const Terminal& terminal) {
  const bool on_screen = terminal.err_color != ColorDepth::None;
  return {.ascii = common.ascii || !terminal.err_utf8,
          .color = common.color == ColorChoice::Always ||
                   (common.color == ColorChoice::Auto && on_screen),
          .ruler = common.ruler,
          .width = common.width.value_or(terminal.err_width)};
}

/// The error, with the help of the command where a wrong command line has no page of its own.
Error with_command(const Error& error, const std::vector<std::string>& args) {
  if (error.kind() != ErrorKind::Usage) return error;
  const CommandRow* row = named_command(args);
  std::vector<Diagnostic> diagnostics = error.diagnostics();
  for (Diagnostic& each : diagnostics) {
    if (each.help.empty() || each.help == "attn help json")
      each.help = "attn " + (row == nullptr ? "" : std::string(row->name) + " ") + "--help";
  }
  return {error.kind(), std::move(diagnostics)};
}

}  // namespace

void report(const Error& error, const std::vector<std::string>& args, const Streams& streams) {
  const CommonOptions common = common_options_in(args);
  const Error told = with_command(with_help(error), args);
  streams.err << (common.errors_as_json ? error_json(told)
                                        : error_text(told, style_of(common, streams.terminal)))
              << std::flush;
}

}  // namespace attn::app
