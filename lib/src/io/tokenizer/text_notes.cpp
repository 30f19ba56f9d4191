// What the tokens of a text do not keep.
#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <utility>

#include "attn/io/tokenizer.hpp"
#include "attn/phrases.hpp"
#include "attn/render/text.hpp"
#include "core/text/unicode.hpp"
#include "io/tokenizer/byte_letters.hpp"

namespace attn {
namespace {

template <class Use>
void for_each_character(std::string_view text, const Use& use) {
  for (std::size_t at = 0; at < text.size();) {
    const unicode::Character next = unicode::first_character(text.substr(at));
    use(next, text.substr(at, next.bytes));
    at += next.bytes;
  }
}

/// How often each character is in a text.
using Counts = std::map<char32_t, std::ptrdiff_t>;
void add_counts(std::string_view text, std::ptrdiff_t times, Counts& counts) {
  for_each_character(
      text, [&](const unicode::Character& next, std::string_view) { counts[next.code] += times; });
}

/// The characters that there are more of in `text` than in `counts`, each once, as they are shown.
std::vector<std::string> missing_in(Counts counts, std::string_view text) {
  add_counts(text, -1, counts);
  std::vector<std::string> missing;
  for_each_character(text, [&](const unicode::Character& next, std::string_view bytes) {
    if (std::exchange(counts[next.code], 0) >= 0) return;
    const std::string shown = shown_token(bytes);
    missing.push_back(display_width(shown) > 0 ? shown : "◌" + shown);
  });
  return missing;
}

/// The bytes that are no UTF-8, and the first of them.
std::string invalid_bytes(std::string_view text) {
  std::size_t invalid = 0, first = 0, at = 0;
  for_each_character(text, [&](const unicode::Character& next, std::string_view bytes) {
    if (!next.valid && invalid == 0) first = at;
    if (!next.valid) invalid += next.bytes;
    at += bytes.size();
  });
  if (invalid == 0) return "";
  std::array<char, 8> hex{};
  std::snprintf(hex.data(), hex.size(), "0x%02X", static_cast<unsigned char>(text[first]));
  const auto bytes = static_cast<std::ptrdiff_t>(invalid);
  return filled(
      "{} of this text {} not UTF-8; the first, {}, comes after {}. U+FFFD is in {} place.",
      counted(bytes, "byte"), invalid == 1 ? "is" : "are", std::string(hex.data()),
      counted(static_cast<std::ptrdiff_t>(first), "byte"), invalid == 1 ? "its" : "their");
}

}  // namespace

std::vector<std::string> text_notes(const Tokenizer& tokenizer, std::string_view text) {
  std::vector<std::string> notes;
  if (std::string invalid = invalid_bytes(text); !invalid.empty())
    notes.push_back(std::move(invalid));
  const std::string given = unicode::valid_text(text);
  const std::vector<Index> ids = tokenizer.encode(given, false);
  const std::string decoded = tokenizer.decode(ids);
  if (decoded == given) return notes;
  Counts kept;
  add_counts(decoded, 1, kept);
  if (const std::optional<Index> unknown = tokenizer.unknown())
    add_counts(tokenizer.token(*unknown), -std::count(ids.begin(), ids.end(), *unknown), kept);
  const std::vector<std::string> missing = missing_in(std::move(kept), given);
  const std::string shown = "\"" + cut(visible(decoded), 60, "…") + "\"";
  notes.push_back(
      missing.empty()
          ? filled("Decoded, these tokens are not quite the same text: {}.", shown)
          : filled("These tokens do not keep all of the text. Lost: {}. Decoded, they are {}.",
                   listed(missing), shown));
  return notes;
}

}  // namespace attn
