// The pages of attn help, and the manual page.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "attn/document.hpp"
#include "command.hpp"

namespace attn::app {

/// What `attn` alone prints: at most 20 lines.
Document short_help();

/// The page of a command, a topic, an error or a mistake; for "help", all commands and topics.
/// Throws Error (usage).
Document help_on(const std::string& name);

/// The page for -h: what most people need to know about a command, in at most 24 lines; for "help",
/// short_help.
Document brief_help_on(const std::string& name);

/// An environment variable that app/terminal.cpp reads.
struct Variable {
  const char* name;
  const char* says;
};

/// All of them, for the manual page and `attn help colors`.
std::span<const Variable> variables();

// Parts of pages.
Document command_help(const Command& command);
Document brief_command_help(const Command& command);
void add_examples(Document& page, std::span<const Example> examples);
void add_option_groups(Document& page, const std::vector<OptionRow>& options);

/// A table of two columns: words, and what they mean.
Table terms(std::vector<std::vector<std::string>> rows);
void add_section(Document& page, const std::string& heading, const Table& table);

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

/// Writes a page as text where the common options say, in lines that a terminal has room for, and
/// no longer than those of a terminal of 80 columns.
void print_page(const Document& page, const Streams& streams);

}  // namespace attn::app
