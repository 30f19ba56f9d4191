#include "cli.hpp"

#include <algorithm>
#include <array>
#include <iostream>
#include <new>

#include "attn/error.hpp"
#include "attn/error_text.hpp"
#include "attn/suggest.hpp"
#include "attn/text.hpp"
#include "attn/version.hpp"
#include "commands/commands.hpp"
#include "files.hpp"
#include "topics.hpp"

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
    Row{"convert", "a problem as JSON, .npz or .safetensors", convert_command},
    Row{"new", "write a problem file to start from", new_command},
    Row{"schema", "the JSON Schema of a file format", schema_command},
};

std::string line(const std::string& name, const std::string& summary) {
  return "  " + pad_right(name, 12) + summary + "\n";
}

std::string examples_and_commands() {
  std::string text =
      "attn - see attention computed, step by step\n\nExamples:\n"
      "  attn explain --mask causal         all steps on a built-in sample\n"
      "  attn explain --cell weights:1,0    how one number is made\n"
      "  attn new --list                    more samples\n\nCommands:\n";
  for (const Row& row : kCommands) text += line(row.name, row.summary);
  return text;
}

std::string short_help() {
  return examples_and_commands() + line("help", "more about a command or a topic: attn help") +
         "\nattn COMMAND --help tells more.\n";
}

/// `attn help`: commands and topics.
std::string long_help() {
  std::string text = examples_and_commands() + "\nTopics:\n";
  for (const Topic& topic : topics()) text += line(topic.name, topic.summary);
  return text + "\nattn help NAME tells more about any of them.\n";
}

/// `name` is neither a command nor, if topics may be meant, a topic.
Error unknown_name(const std::string& name, bool or_topic) {
  std::vector<std::string> names{"help"};
  for (const Row& row : kCommands) names.emplace_back(row.name);
  if (or_topic) {
    for (const Topic& topic : topics()) names.emplace_back(topic.name);
  }
  const std::string see = or_topic ? "attn help" : "attn --help";
  return {ErrorKind::Usage,
          {{.id = or_topic ? "unknown-topic" : "unknown-command",
            .what = std::string("there is no command ") + (or_topic ? "or topic " : "") + "\"" +
                    name + "\"" + did_you_mean(name, names),
            .fix = "See all commands" + std::string(or_topic ? " and topics" : "") + " with " +
                   see + ".",
            .help = see}}};
}

const Row* find_command(const std::string& name) {
  const auto at = std::find_if(kCommands.begin(), kCommands.end(),
                               [&](const Row& row) { return name == row.name; });
  return at == kCommands.end() ? nullptr : &*at;
}

/// `attn help NAME`.
std::string help_on(const std::string& name) {
  if (name == "help" || name == "-h" || name == "--help") return long_help();
  if (const Row* row = find_command(name)) return command_help(row->make());
  for (const Topic& topic : topics()) {
    if (name == topic.name) return topic.text();
  }
  throw unknown_name(name, true);
}

/// Prints a page. Where UTF-8 cannot be shown, dots in pictures are full stops.
void print_help(std::string page, const Streams& streams) {
  if (!streams.terminal.utf8) {
    for (std::size_t at = page.find(" ·"); at != page.npos; at = page.find(" ·", at)) {
      page.replace(at, std::string(" ·").size(), " .");
    }
    page = to_ascii(page);
  }
  write_output("", page, streams);
}

int dispatch(const std::vector<std::string>& args, const Streams& streams) {
  const auto is = [&](std::initializer_list<const char*> words) {
    return std::find(words.begin(), words.end(), args.front()) != words.end();
  };
  if (args.empty() || is({"-h", "--help"})) {
    print_help(short_help(), streams);
    return 0;
  }
  if (is({"--version"})) {
    write_output("", "attn " + version() + "\n", streams);
    return 0;
  }
  if (is({"help"})) {
    print_help(args.size() > 1 ? help_on(args[1]) : long_help(), streams);
    return 0;
  }
  const Row* row = find_command(args.front());
  if (row == nullptr) throw unknown_name(args.front(), false);
  const Command command = row->make();
  if (!parse_arguments(command, {args.begin() + 1, args.end()})) {
    print_help(command_help(command), streams);
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
    return static_cast<int>(error.kind());
  } catch (const std::bad_alloc&) {
    const Error error(ErrorKind::Input, {{.id = "too-large",
                                          .what = "this problem needs more memory than there is",
                                          .fix = "Use fewer tokens, heads or batch entries."}});
    streams.err << error_text(error, {.ascii = !streams.terminal.utf8, .width = 80}) << std::flush;
    return static_cast<int>(error.kind());
  } catch (const std::exception& error) {
    streams.err << "error[bug]: this is a bug in attn, not in your input: " << error.what() << "\n"
                << std::flush;
    return kBug;
  }
}

}  // namespace attn::app
