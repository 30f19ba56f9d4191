// The patterns that texts are split with.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text/unicode.hpp"

namespace attn {

/// A character of a text that is matched: what it is, and where it begins.
struct Glyph {
  char32_t code = 0;
  unicode::Categories category = 0;
  bool is_space = false;
  std::size_t offset = 0;
};
using Glyphs = std::vector<Glyph>;
Glyphs glyphs_of(std::string_view text);

/// A regular expression, as far as published tokenizers use them: classes of characters, ? * + and
/// {1,3}, alternatives, (?i:…) and (?!…).
class Pattern {
 public:
  explicit Pattern(std::string_view regex);

  /// Where the match that begins at that character ends; that character itself if there is none.
  std::size_t match(const Glyphs& text, std::size_t at) const;

 private:
  friend class PatternReader;

  /// Characters, by category, by range and by whether they are white space.
  struct Set {
    unicode::Categories categories = 0;
    std::vector<std::pair<char32_t, char32_t>> ranges = {};
    bool spaces = false, no_spaces = false, all_but = false, any_case = false;
    bool has(const Glyph& glyph) const;
  };
  struct Item;
  using Items = std::vector<Item>;
  struct Item {
    Set set = {};
    std::vector<Items> choices = {};  ///< a group, of which the first that fits counts
    bool not_ahead = false;           ///< the set must not come next
    bool keeps_all = false;           ///< gives nothing back
    std::size_t least = 1, most = 1;
  };

  static std::size_t match(const Items& items, std::size_t item, const Glyphs& text,
                           std::size_t at);
  static std::size_t match_choice(const Item& group, const Glyphs& text, std::size_t at);

  std::vector<Items> choices_;
};

/// The pattern with that text, if a published tokenizer splits with it; nullptr for any other.
const Pattern* published_pattern(std::string_view regex);

/// The text of the one with that name in the table, such as "Llama 3"; empty if none has it.
std::string_view published_regex(std::string_view name);

/// The texts of all of them.
std::vector<std::string_view> published_patterns();

}  // namespace attn
