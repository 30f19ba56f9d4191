// What people type on this system.
#pragma once

#include <string>

namespace attn::app {

/// `text` as one word of a shell: in quotation marks unless it needs none.
std::string shell_word(const std::string& text);

/// The commands that let oneself read or write a file, whose name is one word.
std::string to_allow_reading(const std::string& word);
std::string to_allow_writing(const std::string& word);

/// The keys that end what is typed as standard input.
std::string end_of_input();

}  // namespace attn::app
