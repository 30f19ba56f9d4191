// Words of sh.
#include "platform/shell.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace attn::app {

std::string shell_word(const std::string& text) {
  const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_-./:,=+@%").find(c) != std::string_view::npos;
  });
  if (plain) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string to_allow_reading(const std::string& word) { return "chmod u+rX " + word; }
std::string to_allow_writing(const std::string& word) { return "chmod u+w " + word; }
std::string end_of_input() { return "Ctrl-D"; }

}  // namespace attn::app
