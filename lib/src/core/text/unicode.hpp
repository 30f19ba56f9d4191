// Characters of UTF-8 text: what they are, and their normal forms.
// Only unicode.cpp knows the library that has the tables of Unicode.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace attn::unicode {

/// The version of Unicode that the library knows, and its own: "15.0.0", "2.8.0".
std::string tables_version();
std::string library_version();

/// A character at the beginning of a text, and how many bytes it takes. Bytes that are none are
/// U+FFFD: as many as begin a character that was cut short, else one.
struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;
  bool valid = true;
};
Character first_character(std::string_view text);

/// Adds a character to a text, in UTF-8.
void append(std::string& text, char32_t code);

/// The text with U+FFFD in place of bytes that are no characters.
std::string valid_text(std::string_view bytes);

/// Sets of general categories of Unicode: a bit for each.
using Categories = std::uint32_t;
/// The categories with that name: "L", "Lu", "N" …; 0 if there are none.
Categories categories_named(std::string_view name);
/// The bit of a character's category.
Categories category(char32_t code);

constexpr Categories kMarks = 0b111 << 6;        ///< Mn, Mc, Me
constexpr Categories kNonspacing = 1 << 6;       ///< Mn
constexpr Categories kNumbers = 0b111 << 9;      ///< Nd, Nl, No
constexpr Categories kPunctuation = 0x7F << 12;  ///< Pc, Pd, Ps, Pe, Pi, Pf, Po
constexpr Categories kLetters = 0b11111 << 1;    ///< Lu, Ll, Lt, Lm, Lo

/// White space, line ends too: what \s is in a pattern.
bool is_space(char32_t code);
/// Of a word: letters, marks, decimal digits, and what joins words such as _.
bool is_word(char32_t code);

enum class Form { Nfc, Nfd, Nfkc, Nfkd };
/// The text in a normal form (Unicode Standard Annex 15). Bytes that are no characters are U+FFFD.
std::string normalized(std::string_view text, Form form);

/// Each character in lower case on its own: Σ is σ everywhere.
std::string lowercased(std::string_view text);
/// What characters that differ only in case have in common.
char32_t folded(char32_t code);

}  // namespace attn::unicode
