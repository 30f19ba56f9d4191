// Errors as the user sees them: with the options and help pages that the library does not know.
#include "error_report.hpp"

#include <algorithm>
#include <ostream>

#include "attn/language.hpp"
#include "attn/render/error_text.hpp"
#include "commands.hpp"
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

/// " (--mask causal --mask padding)": changes of one setting add up, others are alternatives. Omits
/// those for which the command has no option.
std::string options_for(const std::vector<Change>& changes, const std::vector<OptionRow>& options) {
  std::string text, before;
  for (const Change& change : changes) {
    std::string name = "--" + change.setting;
    std::replace(name.begin(), name.end(), '_', '-');
    if (find_option(options, name) == nullptr) continue;
    text += text.empty() ? "" : before == name ? " " : " or ";
    text += name + (change.value.empty() ? "" : " " + change.value);
    before = name;
  }
  return text.empty() ? "" : " (" + text + ")";
}

/// The page that an error points to. Instead of the help of another command, that of the command
/// that was run.
std::string own_help(const std::string& help, const CommandRow* row) {
  constexpr std::string_view kHelp = "attn help ";
  const bool page = help.starts_with(kHelp);
  const CommandRow* about = page ? find_command(help.substr(kHelp.size())) : nullptr;
  const bool other = about != nullptr && row != nullptr && about != row;
  return other ? std::string(kHelp) + row->name : help;
}

/// The error with what the program knows: the options for its settings, and where to read more (its
/// own page, or the help of the command).
Error completed(const Error& error, const CommandLine& line) {
  const CommandRow* row = named_command(line);
  CommonOptions common;
  const Command command = row == nullptr ? Command{} : make_command(*row, common);
  const std::string usage_help =
      "attn " + (row == nullptr ? "" : std::string(row->name) + " ") + "--help";
  std::vector<Diagnostic> diagnostics = error.diagnostics();
  for (Diagnostic& each : diagnostics) {
    const std::string options = options_for(each.changes, command.options);
    if (!each.fix.empty())
      each.fix.insert(each.fix.size() - (each.fix.ends_with('.') ? 1 : 0), options);
    const std::optional<ErrorPage> page = find_error_page(each.id);
    if (each.help.empty() && page) each.help = own_help(page->help, row);
    const bool usage = error.kind() == ErrorKind::Usage;
    if (usage && (each.help.empty() || each.help == "attn help json")) each.help = usage_help;
  }
  return {error.kind(), std::move(diagnostics), error.omitted()};
}

}  // namespace

void report(const Error& error, const CommandLine& line, const Streams& streams) {
  report(error, line, common_options_in(line), streams);
}

void report(const Error& error, const CommandLine& line, const CommonOptions& common,
            const Streams& streams) {
  const Error complete = completed(error, line);
  const bool says = !common.language.empty() || common.errors_as_json;
  const LanguageInUse language(language_of(says ? common.language : *streams.language_of_file),
                               common.ascii || !streams.terminal.utf8);
  streams.err << (common.errors_as_json ? error_json(complete)
                                        : error_text(complete, style_of(common, streams.terminal)))
              << std::flush;
}

}  // namespace attn::app
