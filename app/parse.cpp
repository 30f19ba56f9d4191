#include <CLI/CLI.hpp>
#include <algorithm>

#include "attn/error.hpp"
#include "attn/suggest.hpp"
#include "attn/words.hpp"
#include "command.hpp"

// The only place that knows CLI11: it splits the words of the command line; all texts are ours.

namespace attn::app {
namespace {

Error usage(const std::string& id, const std::string& what, const std::string& fix,
            const std::string& command) {
  return {ErrorKind::Usage,
          {{.id = id, .what = what, .fix = fix, .help = "attn " + command + " --help"}}};
}

std::vector<std::string> all_names(const Command& command) {
  std::vector<std::string> names{"--help"};
  for (const Option& option : command.options) {
    for (const std::string& name : names_of(option)) names.push_back(name);
  }
  return names;
}

void check_choice(const Command& command, const Option& option, const std::string& value) {
  const auto& choices = option.choices;
  if (choices.empty() || std::find(choices.begin(), choices.end(), value) != choices.end()) return;
  const std::string name = names_of(option).back();
  throw usage("option-value", name + " cannot be \"" + value + "\"" + did_you_mean(value, choices),
              "Choose one of " + listed(choices, choices.size()) + ".", command.name);
}

Error extra_argument(const Command& command, const std::string& word) {
  return usage("extra-argument",
               "attn " + command.name + " does not know what to do with \"" + word + "\"",
               command.operand.empty()
                   ? "Leave it out."
                   : "Name one at most: attn " + command.name + " " + command.operand + ".",
               command.name);
}

/// What CLI11 could not place: an option that is not known, or one word too many.
void refuse_leftovers(const Command& command, std::vector<std::string> words) {
  const auto dashed = std::find_if(
      words.begin(), words.end(), [](const std::string& w) { return w.size() > 1 && w[0] == '-'; });
  if (dashed != words.end()) {
    const std::string word = dashed->substr(0, dashed->find('='));
    throw usage("unknown-option",
                "attn " + command.name + " has no option \"" + word + "\"" +
                    did_you_mean(word, all_names(command)),
                "See the options with attn " + command.name + " --help.", command.name);
  }
  if (!words.empty()) throw extra_argument(command, words.front());
}

using AddedOptions = std::vector<std::pair<const Option*, CLI::Option*>>;

AddedOptions add_options(CLI::App& app, const Command& command) {
  AddedOptions added;
  for (const Option& option : command.options) {
    CLI::Option* row =
        option.value.empty() ? app.add_flag(option.names) : app.add_option(option.names);
    if (!option.value.empty())
      row->expected(1)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
          ->allow_extra_args(false);
    added.emplace_back(&option, row);
  }
  return added;
}

/// With extras allowed only one thing is left to go wrong: a value that is missing or too much.
Error unreadable(const Command& command, const std::string& last) {
  for (const Option& option : command.options) {
    for (const std::string& name : names_of(option)) {
      if (last != name || option.value.empty()) continue;
      return usage("missing-value", name + " needs a value: " + name + " " + option.value,
                   "Write one after it.", command.name);
    }
  }
  return usage("wrong-option", "the options of attn " + command.name + " cannot be read",
               "Compare them with the help.", command.name);
}

}  // namespace

std::vector<std::string> names_of(const Option& option) {
  std::vector<std::string> names;
  std::size_t at = 0;
  while (at <= option.names.size()) {
    const std::size_t comma = std::min(option.names.find(',', at), option.names.size());
    names.push_back(option.names.substr(at, comma - at));
    at = comma + 1;
  }
  return names;
}

bool parse_arguments(const Command& command, const std::vector<std::string>& args) {
  const auto end = std::find(args.begin(), args.end(), "--");  // what follows is no option
  const bool help = std::any_of(
      args.begin(), end, [](const std::string& arg) { return arg == "-h" || arg == "--help"; });
  if (help) return false;
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  const AddedOptions added = add_options(app, command);
  CLI::Option* operand = command.operand.empty() ? nullptr : app.add_option("operand")->expected(1);
  const std::vector<std::string> words(args.begin(), end);
  try {
    std::vector<std::string> last_first(words.rbegin(), words.rend());
    app.parse(last_first);
  } catch (const CLI::ParseError&) {
    throw unreadable(command, words.empty() ? "" : words.back());
  }
  refuse_leftovers(command, app.remaining());
  for (const auto& [option, row] : added) {
    for (const std::string& value : row->results()) {
      check_choice(command, *option, value);
      option->set(value);
    }
  }
  std::vector<std::string> operands;
  if (operand != nullptr) operands = operand->results();
  if (end != args.end()) operands.insert(operands.end(), end + 1, args.end());
  const std::size_t most = operand == nullptr ? 0 : 1;
  if (operands.size() > most) throw extra_argument(command, operands[most]);
  for (const std::string& word : operands) command.set_operand(word);
  return true;
}

}  // namespace attn::app
