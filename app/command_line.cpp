#include "command_line.hpp"

#include <algorithm>

#include "attn/error.hpp"

namespace attn::app {
namespace {

using Words = std::vector<std::string>;

/// What follows -- is no option.
Words before_dashes(const Words& args) {
  return {args.begin(), std::find(args.begin(), args.end(), "--")};
}

/// Sets a value that the option may have; whoever needs the option tells what is wrong with
/// another.
void set_if_right(const Option& option, const std::string& value) {
  const auto& choices = option.choices;
  if (!choices.empty() && std::find(choices.begin(), choices.end(), value) == choices.end()) return;
  try {
    option.set(value);
  } catch (const Error&) {
  }
}

}  // namespace

const Option* find_option(const std::vector<Option>& options, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  for (const Option& option : options) {
    const Words names = names_of(option);
    if (std::find(names.begin(), names.end(), name) != names.end()) return &option;
  }
  return nullptr;
}

std::size_t words_of(const Option& option, const std::string& word) {
  return option.value.empty() || word.find('=') != word.npos ? 1 : 2;
}

std::vector<Option> all_options() {
  CommonOptions common;
  std::vector<Option> all;
  for (Command& command : every_command(common)) {
    for (Option& option : command.options) all.push_back(std::move(option));
  }
  return all;
}

const CommandRow* named_command(const Words& args) {
  const Words words = before_dashes(args);
  const std::vector<Option> options = all_options();
  for (std::size_t at = 0; at < words.size();) {
    if (const CommandRow* row = find_command(words[at])) return row;
    const Option* option = find_option(options, words[at]);
    at += option == nullptr ? 1 : words_of(*option, words[at]);
  }
  return nullptr;
}

CommonOptions common_options_in(const Words& args) {
  CommonOptions common;
  Command bare;
  add_common_options(bare, common);
  const Words words = before_dashes(args);
  for (std::size_t at = 0; at < words.size(); ++at) {
    const std::string& word = words[at];
    const Option* option = find_option(bare.options, word);
    if (option == nullptr) continue;
    const std::size_t equals = word.find('=');
    if (option->value.empty() || equals != word.npos) {
      set_if_right(*option, equals == word.npos ? "" : word.substr(equals + 1));
    } else if (at + 1 < words.size() && !words[at + 1].starts_with("--")) {
      set_if_right(*option, words[++at]);
    }
  }
  return common;
}

}  // namespace attn::app
