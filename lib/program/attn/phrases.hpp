// Words for messages: plurals, lists, patterns.
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// What to do about two things that exclude each other.
inline constexpr const char* kKeepOne = "Keep one of the two.";

/// "numbers" for "number", "queries" for "query", "matrices" for "matrix".
std::string plural(std::string_view noun);

/// "1 number", "3 numbers", "0 batch entries" for the noun "batch entry".
std::string counted(std::ptrdiff_t count, std::string_view noun);

/// "there is 1 key", "there are 3 keys".
std::string there_are(std::ptrdiff_t count, std::string_view noun);

/// "a, b, c" for the separator ", ".
std::string separated(const std::vector<std::string>& words, std::string_view separator);

/// "a, b, c"; if there are more than `most` words, the first ones and "…".
std::string listed(const std::vector<std::string>& words, std::size_t most = 12);

/// "a, b or c".
std::string either(const std::vector<std::string>& words);

/// "a, b and c".
std::string together(const std::vector<std::string>& words);

/// `words`, each in quotation marks.
std::vector<std::string> quoted(std::vector<std::string> words);

/// As `listed`, for tokens: "''" if empty, "' the'" with a space at one end, "3:the" if repeated.
std::string listed_tokens(const std::vector<std::string>& tokens, std::size_t most = 12);

/// `text` with Latin capitals in lower case.
std::string lowered(std::string_view text);

/// Equal for texts that differ only in capitals, of any script, or in how accents are stored (ü as
/// one character, or as u and a mark: macOS).
std::string caseless(std::string_view text);

/// "past.k" for the JSON pointer "/past/k": a key in a sentence.
std::string dotted(std::string pointer);

/// `text` without the spaces around it.
std::string_view trimmed(std::string_view text);

/// `text` with the letters, digits, signs and spaces in ASCII that Chinese and Japanese input
/// methods type in full width: "０．５" is "0.5".
std::string half_width(std::string_view text);

/// `text` as it is shown: of a word of hundreds of characters (a name that somebody gave), and of
/// what is longer than a page, the middle is left out.
std::string shortened(std::string text);

/// The parts between commas, unchanged; one empty part for "".
std::vector<std::string> split_at_commas(std::string_view text);

/// Helpers of `filled`.
inline std::string message_part(std::string text) { return text; }
std::string message_part(std::integral auto number) { return std::to_string(number); }
std::string filled_with(std::string_view pattern, std::initializer_list<std::string> parts);

/// `pattern` with each "{}" replaced by the next part: text, or a whole number.
template <typename... Parts>
std::string filled(std::string_view pattern, const Parts&... parts) {
  return filled_with(pattern, {message_part(parts)...});
}

}  // namespace attn
