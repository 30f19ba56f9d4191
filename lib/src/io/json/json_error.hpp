// Finds what is wrong with text that is not JSON.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "io/json/source.hpp"

namespace attn::json {

/// How much text was read before it stopped being JSON.
struct Stop {
  enum class After {
    Nothing,  ///< no token yet
    Bracket,  ///< the opening bracket of a list or object
    Key,
    Item,  ///< a complete value inside a list or object
    Root,  ///< the complete value that is the text
  };

  After after = After::Nothing;
  std::size_t token = 0;               ///< where the last good token begins
  std::size_t cursor = 0;              ///< where it ends
  std::size_t byte = 0;                ///< where the lexer gave up
  std::optional<std::size_t> bracket;  ///< the innermost bracket that is open
  std::string pointer;                 ///< the value being read
};

/// What is wrong at the stop, found by looking at the text there.
Diagnostic syntax_error(const Source& source, const Stop& stop);

}  // namespace attn::json
