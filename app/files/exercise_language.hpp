// The language and the decimal mark in which an exercise speaks to its students.
#pragma once

#include <optional>
#include <string>

#include "attn/language.hpp"
#include "command.hpp"

namespace attn::app {

/// As long as it lives, texts for people are in the language of that code (empty: English), unless
/// --lang, or the ATTN_LANG of a terminal, says another; with decimals as its sheets have them.
class ExerciseLanguage {
 public:
  ExerciseLanguage(const std::string& code, bool decimal_comma, const Streams& streams)
      : mark_(decimal_comma) {
    if (streams.says_language || language_code() != "en") return;
    use_.emplace(language_of(code), streams.common.ascii || !streams.terminal.utf8);
  }

 private:
  DecimalMarkInUse mark_;
  std::optional<LanguageInUse> use_;
};

}  // namespace attn::app
