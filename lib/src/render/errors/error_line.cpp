// Pieces of an error message: colours, harmless text, notes that begin with a word.
#include "render/errors/error_line.hpp"

#include "attn/phrases.hpp"
#include "attn/render/text.hpp"

namespace attn {

std::string painted(const std::string& text, const char* color, const ErrorStyle& style) {
  return style.color ? "\x1b[" + std::string(color) + "m" + text + "\x1b[0m" : text;
}

std::string shown(const std::string& text, const ErrorStyle& style) {
  return shown_text(shortened(text), style.ascii);
}

std::string note(const std::string& word, const std::string& text, const ErrorStyle& style) {
  if (text.empty()) return "";
  constexpr std::ptrdiff_t kIndent = 8;
  std::string result = pad_right("  " + word, kIndent);
  const std::ptrdiff_t room = style.width - kIndent;
  for (const std::string& line : wrapped(shown(text, style), room, room, style.ruler)) {
    result += result.back() == '\n' ? spaces(kIndent) + line : line;
    result += "\n";
  }
  return result;
}

}  // namespace attn
