// The scripts that shells load, one file per shell.
#pragma once

#include <string>
#include <vector>

#include "command.hpp"

namespace attn::app {

/// What may follow an option, or be the operand.
struct Offer {
  bool files = false;
  std::vector<std::string> words = {};  ///< with none and no files, nothing is offered
  bool commas = false;                  ///< several, with commas between them
};
Offer offer_of(const OptionRow& option);
Offer offer_of(const Command& command);

/// The options that every command has: they may come before its name.
std::vector<OptionRow> common_rows(const std::vector<Command>& commands);

// The script of a shell for these commands.
std::string bash_completions(const std::vector<Command>& commands);
std::string zsh_completions(const std::vector<Command>& commands);
std::string fish_completions(const std::vector<Command>& commands);

/// `text` with a backslash before every one of `which`.
std::string escaped(const std::string& text, const std::string& which);

}  // namespace attn::app
