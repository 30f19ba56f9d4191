// The pages of attn help, and the manual page.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "command.hpp"

namespace attn::app {

/// What `attn` alone prints: at most 20 lines.
std::string short_help();

/// The page of a command, a topic, an error or a mistake; for "help", all commands and topics.
/// Throws Error (usage).
std::string help_on(const std::string& name);

/// The page for -h: what most people need to know about a command, in at most 24 lines; for "help",
/// short_help.
std::string brief_help_on(const std::string& name);

/// An environment variable that app/terminal.cpp reads.
struct Variable {
  const char* name;
  const char* says;
};

/// All of them, for the manual page and `attn help colors`.
std::span<const Variable> variables();

// Parts of pages. Lines have at most 79 cells.
std::string command_help(const Command& command);
std::string brief_command_help(const Command& command);
std::string example_lines(const std::vector<Example>& examples);
std::string option_groups(const std::vector<OptionRow>& options);

/// A group of options, and its heading in the help of a command and in the manual page.
struct GroupTitle {
  Group group;
  const char* help;
  const char* man;
};
/// All of them, in order.
std::span<const GroupTitle> group_titles();

/// The values to choose from, unless the description of the option names them.
std::vector<std::string> unnamed_choices(const OptionRow& option);

/// What help_on takes.
std::vector<std::string> page_names();

/// The manual page attn(1) in roff, 7-bit, from the options of these commands.
std::string man_page(const std::vector<Command>& commands);

/// The page in lines of at most `width` cells; a width of 79 or more changes nothing. `ascii`: in
/// 7-bit characters, where some lines get longer and are wrapped anew, too.
std::string narrowed(const std::string& page, std::ptrdiff_t width, bool ascii);

/// Writes a page where the common options say, in 7-bit characters on a terminal that cannot show
/// UTF-8, and no wider than the terminal.
void print_page(const std::string& page, const Streams& streams);

}  // namespace attn::app
