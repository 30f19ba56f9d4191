#include "cli.hpp"

#include <algorithm>
#include <array>
#include <iostream>

#include "attn/error.hpp"
#include "attn/error_text.hpp"
#include "attn/suggest.hpp"
#include "attn/version.hpp"
#include "commands/commands.hpp"
#include "files.hpp"

namespace attn::app {
namespace {

constexpr int kBug = 70;

/// Every subcommand. A new one is a row here and a file in commands/.
struct Row {
  const char* name;
  const char* summary;
  Command (*make)();
};
constexpr std::array kCommands{
    Row{"explain", "print every step with shapes, formulas and numbers", explain_command},
    Row{"new", "write a problem file to start from", new_command},
};

std::string short_help() {
  std::string text =
      "attn - see attention computed, step by step\n\nExamples:\n"
      "  attn explain --mask causal         all steps on a built-in sample\n"
      "  attn explain --cell weights:1,0    how one number is made\n"
      "  attn new --list                    more samples\n\nCommands:\n";
  for (const Row& row : kCommands)
    text += "  " + std::string(row.name) + std::string(10 - std::string(row.name).size(), ' ') +
            row.summary + "\n";
  return text + "\nattn COMMAND --help tells more.\n";
}

Error unknown_command(const std::string& name) {
  std::vector<std::string> names{"help"};
  for (const Row& row : kCommands) names.emplace_back(row.name);
  const std::string guess = did_you_mean(name, names);
  return {Fault::Usage,
          {{.id = "unknown-command",
            .what = "there is no command \"" + name + "\"" + (guess.empty() ? "" : "; " + guess),
            .fix = "See all commands with attn --help.",
            .help = "attn --help"}}};
}

Command command_named(const std::string& name) {
  for (const Row& row : kCommands) {
    if (name == row.name) return row.make();
  }
  throw unknown_command(name);
}

int dispatch(const std::vector<std::string>& args, const Streams& streams) {
  const auto is = [&](std::initializer_list<const char*> words) {
    return std::find(words.begin(), words.end(), args.front()) != words.end();
  };
  if (args.empty() || is({"-h", "--help"})) {
    write_output("", short_help(), streams);
    return 0;
  }
  if (is({"--version"})) {
    write_output("", "attn " + version() + "\n", streams);
    return 0;
  }
  if (is({"help"})) {
    write_output("", args.size() > 1 ? command_help(command_named(args[1])) : short_help(),
                 streams);
    return 0;
  }
  if (args.front()[0] == '-') throw unknown_command(args.front());
  const Command command = command_named(args.front());
  if (!parse_arguments(command, {args.begin() + 1, args.end()})) {
    write_output("", command_help(command), streams);
    return 0;
  }
  return command.run(streams);
}

}  // namespace

int run(const std::vector<std::string>& args, const Streams& streams) {
  try {
    return dispatch(args, streams);
  } catch (const Error& error) {
    streams.err << error_text(error, {.ascii = !streams.terminal.utf8, .width = 80}) << std::flush;
    return static_cast<int>(error.fault());
  } catch (const std::exception& error) {
    streams.err << "error[bug]: this is a fault in attn, not in your input: " << error.what()
                << "\n"
                << std::flush;
    return kBug;
  }
}

}  // namespace attn::app
