// The language and the decimal mark in which an exercise speaks to its students.
#pragma once

#include <optional>
#include <string>
#include <string_view>

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
    *streams.language_of_file = code;
  }

 private:
  DecimalMarkInUse mark_;
  std::optional<LanguageInUse> use_;
};

/// The code of the language that the text of a sheet names, even if the sheet has faults; "" if it
/// names none.
inline std::string language_named_in(std::string_view text) {
  constexpr std::string_view kKey = "\"language\": \"";
  const std::size_t sheet = text.find("attn.sheet"), key = text.find(kKey, sheet);
  if (sheet == text.npos || key == text.npos) return "";
  const std::string_view rest = text.substr(key + kKey.size());
  return language_of(rest.substr(0, rest.find('"'))).code;
}

}  // namespace attn::app
