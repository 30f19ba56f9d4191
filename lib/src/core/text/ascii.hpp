// Characters of ASCII, whatever the locale.
#pragma once

namespace attn {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_printable_ascii(char c) { return c >= 0x20 && c < 0x7F; }

}  // namespace attn
