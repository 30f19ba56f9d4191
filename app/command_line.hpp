#pragma once

#include <string>
#include <vector>

#include "command.hpp"
#include "commands/commands.hpp"

namespace attn::app {

// What stands where among the words of a command line, before it is known to be right.

/// The option that a word names, maybe with "=VALUE"; nullptr if there is none.
const Option* find_option(const std::vector<Option>& options, const std::string& word);

/// How many words the option is that `word` names: one, or two with its value.
std::size_t words_of(const Option& option, const std::string& word);

/// Every option of every command.
std::vector<Option> all_options();

/// The command that is named, or nullptr. The value of an option is none.
const CommandRow* named_command(const std::vector<std::string>& args);

/// The common options among `args`, as far as they can be read: for messages about the rest.
CommonOptions common_options_in(const std::vector<std::string>& args);

}  // namespace attn::app
