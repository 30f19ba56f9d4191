// Command lines of pages, as a shell splits them.
#pragma once

#include <string>
#include <vector>

namespace attn::testing {

/// The words of a command line, without the quotation marks around some.
inline std::vector<std::string> shell_words(const std::string& line) {
  std::vector<std::string> words;
  bool quoted = false, open = false;
  for (const char c : line) {
    if (c == ' ' && !quoted) {
      open = false;
      continue;
    }
    if (!open) words.emplace_back();
    open = true;
    if (c == '"') {
      quoted = !quoted;
    } else {
      words.back() += c;
    }
  }
  return words;
}

}  // namespace attn::testing
