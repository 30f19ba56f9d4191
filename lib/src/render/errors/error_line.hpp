// Pieces of an error message: colours, harmless text, notes.
#pragma once

#include <cstddef>
#include <string>

#include "attn/render/error_text.hpp"

namespace attn {

constexpr const char* kErrorColor = "1;31";  // bold red
constexpr const char* kFaintColor = "2";

/// `text` between escape sequences, if the style has any.
std::string painted(const std::string& text, const char* color, const ErrorStyle& style);

/// `text` as the style can show it, harmless to a terminal.
std::string shown(const std::string& text, const ErrorStyle& style);

/// "  rule  Each row …": the word, then the text beside it, wrapped; nothing if that is empty.
std::string note(const std::string& word, const std::string& text, const ErrorStyle& style);

}  // namespace attn
