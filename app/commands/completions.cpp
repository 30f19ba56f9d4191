// attn completions: what a shell loads to complete commands and options.
#include <array>
#include <memory>

#include "attn/phrases.hpp"
#include "attn/suggest.hpp"
#include "commands.hpp"
#include "files/files.hpp"
#include "help/completions/completions.hpp"

namespace attn::app {
namespace {

struct Shell {
  const char* name;
  std::string (*script)(const std::vector<Command>& commands);
};
constexpr std::array kShells{Shell{"bash", bash_completions}, Shell{"zsh", zsh_completions},
                             Shell{"fish", fish_completions}};

std::vector<std::string> shell_names() { return names_in(kShells); }

const Shell& find_shell(const std::string& name) {
  if (const Shell* shell = find_row(kShells, name)) return *shell;
  throw usage_error("unknown-shell",
                    name.empty() ? "attn completions needs the name of a shell"
                                 : "there are no completions for \"" + name + "\"" +
                                       did_you_mean(name, shell_names()),
                    "Name one of " + listed(shell_names()) + ".");
}

}  // namespace

Command completions_command() {
  auto shell = std::make_shared<std::string>();
  Command command;
  command.examples = {{"attn completions bash", "to load: source <(attn completions bash)"},
                      {"attn completions fish -o attn.fish", "write them to a file"}};
  command.operand = "bash|zsh|fish";
  command.operand_examples = shell_names;
  command.set_operand = [shell](const std::string& name) { *shell = name; };
  command.run = [shell](const Streams& streams) {
    CommonOptions common;
    write_output(streams.common.output, find_shell(*shell).script(every_command(common)), streams);
  };
  return command;
}

}  // namespace attn::app
