#pragma once

#include <string>
#include <vector>

#include "command.hpp"

namespace attn::app {

/// What `attn` alone prints: at most 20 lines.
std::string short_help();

/// The page of a command, a topic or the word of an error; of "help", all commands and topics.
/// Throws Error (usage).
std::string help_on(const std::string& name);

// Parts of pages. Lines have at most 79 cells.
std::string command_help(const Command& command);
std::string example_lines(const std::vector<Example>& examples);
std::string option_groups(const std::vector<Option>& options);

/// What help_on takes.
std::vector<std::string> page_names();

/// Writes a page where the common options say, with 7-bit characters on a terminal that cannot show
/// UTF-8.
void print_page(std::string page, const Streams& streams);

}  // namespace attn::app
