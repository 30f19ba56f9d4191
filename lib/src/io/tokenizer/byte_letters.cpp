// Bytes as letters, and the way back; and what a token looks like.
#include "io/tokenizer/byte_letters.hpp"

#include <array>
#include <cstdio>
#include <map>

#include "attn/render/text.hpp"
#include "core/text/unicode.hpp"

namespace attn {
namespace {

constexpr char32_t kLlamaSpace = 0x2581;  // ▁
constexpr std::string_view kShownSpace = "␣";

std::array<char32_t, 256> letters() {
  const auto visible_byte = [](char32_t byte) {
    return (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte != 0xAD);
  };
  std::array<char32_t, 256> all{};
  char32_t others = 0x100;
  for (char32_t byte = 0; byte < all.size(); ++byte)
    all[byte] = visible_byte(byte) ? byte : others++;
  return all;
}

}  // namespace

std::string letters_of_bytes(std::string_view bytes) {
  static const std::array<char32_t, 256> kLetters = letters();
  std::string text;
  for (const char byte : bytes) unicode::append(text, kLetters[static_cast<unsigned char>(byte)]);
  return text;
}

std::string bytes_of_letters(std::string_view token) {
  static const std::map<char32_t, char> kBytes = [] {
    std::map<char32_t, char> bytes;
    const std::array<char32_t, 256> all = letters();
    for (std::size_t byte = 0; byte < all.size(); ++byte)
      bytes[all[byte]] = static_cast<char>(byte);
    return bytes;
  }();
  std::string bytes;
  for (std::size_t at = 0; at < token.size();) {
    const unicode::Character next = unicode::first_character(token.substr(at));
    const auto found = kBytes.find(next.code);
    if (found == kBytes.end() || !next.valid) return std::string(token);  // an added token
    bytes += found->second;
    at += next.bytes;
  }
  return bytes;
}

std::string shown_token(std::string_view text) {
  std::string made;
  const auto hex = [&](char byte) {
    std::array<char, 8> code{};
    std::snprintf(code.data(), code.size(), "<0x%02X>", static_cast<unsigned char>(byte));
    made += code.data();
  };
  while (!text.empty()) {
    const unicode::Character next = unicode::first_character(text);
    const std::string_view bytes = text.substr(0, next.bytes);
    if (next.code == kLlamaSpace || next.code == ' ') {
      made += kShownSpace;
    } else if (next.code == '\n') {
      made += "\\n";
    } else if (next.code == '\t') {
      made += "\\t";
    } else if (!next.valid || next.code < ' ' || next.code == 0x7F) {
      for (const char byte : bytes) hex(byte);
    } else {
      made += bytes;
    }
    text.remove_prefix(next.bytes);
  }
  return visible(made);
}

}  // namespace attn
