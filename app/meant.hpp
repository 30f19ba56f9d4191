// What a stray word of the command line was meant to be.
#pragma once

#include <string>

#include "command_line.hpp"

namespace attn::app {

/// What says the same as an option that the command does not have.
struct ExactSpelling {
  std::vector<std::string> words;  ///< empty: nothing says exactly that
  bool takes_next = false;         ///< the word after it is part of it
};

/// "--mask causal" for --causal, if exactly one option has that word as a value, and "--mask
/// window:2" for --window 2; "--mask none" for --no-mask; "--mask" for -mask; "--color" for
/// --colour; "--set normalize=sum" for --normalize sum, where a problem has that key. `next` is the
/// word after it.
ExactSpelling exact_spelling(const std::string& word, const std::string& next,
                             const Command& command);

/// The choice that `value` is in small letters, or by a name that means nothing else (half:
/// float16);
/// "" if there is none.
std::string exact_choice(const std::string& value, const std::vector<std::string>& choices);

/// Values that an option takes, or examples of them; none if it takes any text.
std::vector<std::string> examples_of(const OptionRow& option);

/// The word that follows `word` on the line, unless it is an option; "" if there is none.
std::string word_after(const std::string& word, const CommandLine& line);

/// "--mask causal" for the word causal and for the option --causal, "--mask window:2" for --window
/// with `next` 2: the option that takes the word as its value, unless every command has it; "" if
/// there is none.
std::string as_option(const std::string& word, const std::string& next, const Command& command);

/// What to do about a word that follows the value of an option and looks like another value of it:
/// "Write --steps scores,weights."; "" if it is nothing like that.
std::string advice_on_values(const std::string& word, const CommandLine& line,
                             const Command& command);

/// What to do about a line whose first word is no command: "Write attn lesson 1."
std::string advice_on_command(const CommandLine& line);

}  // namespace attn::app
