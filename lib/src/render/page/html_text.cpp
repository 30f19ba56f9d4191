// Text that cannot become markup.
#include "render/page/html_text.hpp"

namespace attn {

std::string html_text(std::string_view text) {
  std::string safe;
  for (const char c : visible(text)) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string page_string(std::string_view text) {
  std::string safe = "\"";
  for (const char c : visible(text)) {  // no control character is left
    if (c == '"' || c == '\\') safe += '\\';
    safe += c == '<' ? std::string("\\u003c") : std::string(1, c);
  }
  return safe + "\"";
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned bits = 0;
    for (std::size_t j = 0; j < 3; ++j)
      bits = bits << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j)
      text += i + j > bytes.size() ? '=' : kDigits[bits >> (18 - 6 * j) & 63];
  }
  return text;
}

}  // namespace attn
