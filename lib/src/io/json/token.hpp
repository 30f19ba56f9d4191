// The words of a JSON text, for messages about them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace attn::json {

/// Whether numbers and words are made of this character: a letter, a digit, or one of _ . + -
bool is_word(char c);

/// The first byte at or after `at` that is not white space, or the size of the text.
std::size_t skip_space(std::string_view text, std::size_t at);

/// The first byte at or after `at` that is neither white space, "," nor ":".
std::size_t skip_separators(std::string_view text, std::size_t at);

/// The end of the token that begins at `at`: one bracket or separator, a string to its closing
/// quotation mark, or a run of the characters that numbers and words are made of.
std::size_t token_end(std::string_view text, std::size_t at);

/// Where the list or object that begins at `at` ends, after its closing bracket; npos if another
/// kind of bracket closes inside it, a string runs past the end of a line, nothing closes it, or
/// thousands are open at once.
std::size_t bracket_end(std::string_view text, std::size_t at);

/// The token at `at` as it is written, cut to some 40 characters: `"abc"`, `2.7`.
std::string token_text(std::string_view text, std::size_t at);

/// What is at `at`, in words: `the string "abc"`, `the number 2.7`, `a list of numbers`.
std::string describe_token(std::string_view text, std::size_t at);

/// "0.5" for "0,5".
std::string with_point(std::string number);

/// The text with quotation marks in place of the first and last character of each word in a list
/// that is not a value, such as NaN or 1e999: everything stays where it is. One character alone is
/// left as it is.
std::string with_odd_words_quoted(std::string_view text);

/// Whether the word is a number by the grammar of JSON (RFC 8259, section 6).
bool is_number(std::string_view word);

}  // namespace attn::json
