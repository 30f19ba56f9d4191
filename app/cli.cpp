#include "cli.hpp"

#include <iostream>
#include <new>
#include <set>

#include "attn/error.hpp"
#include "attn/tool/suggest.hpp"
#include "attn/version.hpp"
#include "command_line.hpp"
#include "commands/commands.hpp"
#include "files/files.hpp"
#include "help/help.hpp"
#include "report.hpp"

namespace attn::app {
namespace {

constexpr int kBug = 70;

using Words = std::vector<std::string>;

Error unknown_command(const std::string& name) {
  Words names;
  for (const CommandRow& row : commands()) names.emplace_back(row.name);
  const bool is_file = name.find_first_of("./") != name.npos;
  return {ErrorKind::Usage,
          {{.id = "unknown-command",
            .what = "there is no command \"" + name + "\"" + did_you_mean(name, names),
            .fix = is_file ? "A file stands behind a command: attn explain " + name + "."
                           : "See all commands with attn --help.",
            .help = "attn --help"}}};
}

bool is_option(const std::string& word) { return word.size() > 1 && word[0] == '-'; }

Error unknown_option(const std::string& word, const std::vector<Option>& options) {
  const std::string name = word.substr(0, word.find('='));
  std::set<std::string> known{"--version"};
  for (const Option& option : options) {
    for (const std::string& each : names_of(option)) known.insert(each);
  }
  return {ErrorKind::Usage,
          {{.id = "unknown-option",
            .what = "attn has no option \"" + name + "\"" +
                    did_you_mean(name, {known.begin(), known.end()}),
            .fix = "See the options of a command with attn help COMMAND.",
            .help = "attn --help"}}};
}

/// Where the name of the command stands, behind the options before it.
std::size_t command_at(const Words& args) {
  if (args.empty() || !is_option(args.front())) return 0;
  const std::vector<Option> options = all_options();
  std::size_t at = 0;
  while (at < args.size() && is_option(args[at])) {
    const Option* option = find_option(options, args[at]);
    if (option == nullptr) throw unknown_option(args[at], options);
    at += words_of(*option, args[at]);
  }
  return at;
}

/// Options alone say how the help looks; any that only a command has needs its command.
void refuse_without_command(const Words& args, const std::vector<Option>& options) {
  for (std::size_t at = 0; at < args.size();) {
    const Option* option = find_option(options, args[at]);
    if (option == nullptr) {
      throw Error(ErrorKind::Usage,
                  {{.id = "missing-command",
                    .what = "no command is named for the option \"" + args[at] + "\"",
                    .fix = "Name one before it: attn explain " + args[at] + " …",
                    .help = "attn --help"}});
    }
    at += words_of(*option, args[at]);
  }
}

int without_command(const Words& args, Streams streams) {
  const Command help = make_command(*find_command("help"), streams.common);
  refuse_without_command(args, help.options);
  parse_arguments(help, args);
  print_page(short_help(), streams);
  return 0;
}

int run_command(const CommandRow& row, const Words& args, Streams streams) {
  const Command command = make_command(row, streams.common);
  parse_arguments(command, args);
  return command.run(streams);
}

/// The page of the command that is named anywhere on the line, or of all.
void help_wins(const Words& args, Streams streams) {
  streams.common = common_options_in(args);
  const CommandRow* row = named_command(args);
  print_page(help_on(row == nullptr ? "help" : row->name), streams);
}

void print_version(const Words& args, Streams streams) {
  streams.common = common_options_in(args);
  std::vector<Component> lines = components();
  lines.insert(lines.begin(), {{"attn", version()}, parser_component()});
  std::string page;
  for (const Component& line : lines) page += line.name + " " + line.version + "\n";
  print_page(page, streams);
}

int dispatch(const Words& args, const Streams& streams) {
  if (asks_for("-h", args) || asks_for("--help", args)) {
    help_wins(args, streams);
    return 0;
  }
  if (asks_for("--version", args)) {
    print_version(args, streams);
    return 0;
  }
  const std::size_t at = command_at(args);
  if (at >= args.size()) return without_command(args, streams);
  const CommandRow* row = find_command(args[at]);
  if (row == nullptr) throw unknown_command(args[at]);
  Words rest = args;
  rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(at));
  return run_command(*row, rest, streams);
}

}  // namespace

int run(const Words& args, const Streams& streams) {
  try {
    return dispatch(args, streams);
  } catch (const Error& error) {
    report(error, args, streams);
    return static_cast<int>(error.kind());
  } catch (const std::bad_alloc&) {
    const Error error(ErrorKind::Input, {{.id = "too-large",
                                          .what = "this problem needs more memory than there is",
                                          .fix = "Use fewer tokens, heads or batch entries."}});
    report(error, args, streams);
    return static_cast<int>(error.kind());
  } catch (const std::exception& error) {
    const Error bug(
        ErrorKind::Input,
        {{.id = "bug",
          .what = std::string("this is a bug in attn, not in your input: ") + error.what(),
          .fix = "Report it, with the command and its files."}});
    report(bug, args, streams);
    return kBug;
  }
}

}  // namespace attn::app
