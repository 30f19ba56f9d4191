// From the words of the command line to the exit code.
#include "cli.hpp"

#include <algorithm>
#include <new>
#include <optional>
#include <ostream>

#include "attn/core/version.hpp"
#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/suggest.hpp"
#include "command_line.hpp"
#include "error_report.hpp"
#include "files/files.hpp"
#include "help/help.hpp"
#include "meant.hpp"
#include "old_spellings.hpp"

namespace attn::app {
namespace {

constexpr int kNo = 1;
constexpr int kBug = 70;

Error unknown_command(const CommandLine& line) {
  const std::string& name = line.words.front();
  return usage_error("unknown-command",
                     "there is no command \"" + name + "\"" + did_you_mean(name, main_commands()),
                     advice_on_command(line));
}

/// Prints the page of the command named anywhere on the line; without one, that of all commands.
void print_help(const CommandLine& line, Streams streams, Document (*page)(const std::string&)) {
  streams.common = common_options_in(line);
  const CommandRow* row = named_command(line);
  print_page(page(row == nullptr ? "help" : row->name), streams);
}

void print_version(const CommandLine& line, Streams streams) {
  streams.common = common_options_in(line);
  std::vector<Component> parts = components();
  parts.insert(parts.begin(), {{"attn", version()}, parser_component()});
  std::string text;
  for (const Component& part : parts) text += part.name + " " + part.version + "\n";
  write_output(streams.common.output, text, streams);
}

/// Options without a command only say how the help looks.
void print_short_help(const CommandLine& line, Streams streams) {
  Command common_only;
  add_common_options(common_only, streams.common);
  read_into(common_only, line);
  print_page(short_help(), streams);
}

/// What --lang says; without it, on a terminal, ATTN_LANG; "" if neither says anything.
std::string wanted_language(const CommonOptions& common, const Terminal& terminal) {
  if (!common.language.empty()) return common.language;
  const bool screen = terminal.out_is_terminal && (common.output.empty() || common.output == "-");
  if (!screen || terminal.language.empty()) return "";
  const std::vector<std::string> codes = language_codes();
  if (std::find(codes.begin(), codes.end(), terminal.language) != codes.end())
    return terminal.language;
  throw usage_error_at("the variable ATTN_LANG=" + terminal.language,
                       usage_error("unknown-value",
                                   "there is no language \"" + terminal.language + "\"" +
                                       did_you_mean(terminal.language, codes),
                                   "Choose one of " + listed(codes) + "."));
}

/// Returns the answer of a command that has one, else yes.
bool run_command(const CommandLine& given, Streams streams) {
  const CommandRow* row = find_command(given.words.front());
  if (row == nullptr && !given.unknown.empty()) read_into({}, given);  // throws
  if (row == nullptr) throw unknown_command(given);
  const Command command = make_command(*row, streams.common);
  const CommandLine line = with_exact_spellings(given, command);
  read_into(command, line);
  std::optional<LanguageInUse> language;
  const std::string code = wanted_language(streams.common, streams.terminal);
  streams.says_language = !code.empty();
  if (streams.says_language)
    language.emplace(language_of(code), streams.common.ascii || !streams.terminal.utf8);
  streams.outputs = checked_outputs(command, line, streams);
  streams.given = given_names(line);
  streams.secret = command.tells_answers;
  if (command.ask) return command.ask(streams);
  command.run(streams);
  return true;
}

bool dispatch(const CommandLine& line, const Streams& streams) {
  if (asks_for("--help", line)) {
    print_help(line, streams, help_on);
  } else if (asks_for("-h", line)) {
    print_help(line, streams, brief_help_on);
  } else if (asks_for("--version", line)) {
    print_version(line, streams);
  } else if (line.words.empty()) {
    print_short_help(line, streams);
  } else {
    return run_command(line, streams);
  }
  return true;
}

}  // namespace

int run(const std::vector<std::string>& args, const Streams& streams) {
  CommandLine line;
  try {
    const Respelled today = respelled(args);
    line = split(today.args);
    if (!today.note.empty() && !common_options_in(line).quiet)
      streams.err << today.note << std::flush;
    return dispatch(line, streams) ? 0 : kNo;
  } catch (const Error& error) {
    report(error, line, streams);
    return static_cast<int>(error.kind());
  } catch (const std::bad_alloc&) {
    const Error error(ErrorKind::Input, {{.id = "too-large",
                                          .what = "this problem needs more memory than there is",
                                          .fix = "Use fewer tokens, heads or batch entries."}});
    report(error, line, streams);
    return static_cast<int>(error.kind());
  } catch (const std::exception& error) {
    const Error bug(
        ErrorKind::Input,
        {{.id = "bug",
          .what = std::string("this is a bug in attn, not in your input: ") + error.what(),
          .fix = "Report it, with the command and its files."}});
    report(bug, line, streams);
    return kBug;
  }
}

}  // namespace attn::app
