// Matches patterns by backtracking.
// One item after the other matches as often as it can, and less often if the rest needs it.
#include "io/tokenizer/pattern.hpp"

#include <algorithm>

namespace attn {
namespace {

constexpr std::size_t kNoMatch = static_cast<std::size_t>(-1);

}  // namespace

Glyphs glyphs_of(std::string_view text) {
  Glyphs glyphs;
  for (std::size_t at = 0; at < text.size();) {
    const unicode::Character next = unicode::first_character(text.substr(at));
    glyphs.push_back({next.code, unicode::category(next.code), unicode::is_space(next.code), at});
    at += next.bytes;
  }
  return glyphs;
}

bool Pattern::Set::has(const Glyph& glyph) const {
  const char32_t code = any_case ? unicode::folded(glyph.code) : glyph.code;
  const bool listed = (categories & glyph.category) != 0 || (spaces && glyph.is_space) ||
                      (no_spaces && !glyph.is_space) ||
                      std::any_of(ranges.begin(), ranges.end(), [code](const auto& range) {
                        return code >= range.first && code <= range.second;
                      });
  return listed != all_but;
}

/// Where the items from `item` on end, if they match at `at`; else kNoMatch.
std::size_t Pattern::match(const Items& items, std::size_t item, const Glyphs& text,
                           std::size_t at) {
  if (item == items.size()) return at;
  const Item& next = items[item];
  if (next.not_ahead) {
    const bool ahead = at < text.size() && next.set.has(text[at]);
    return ahead ? kNoMatch : match(items, item + 1, text, at);
  }
  if (!next.choices.empty()) {
    const std::size_t end = match_choice(next, text, at);
    if (end != kNoMatch) return match(items, item + 1, text, end);
    return next.least == 0 ? match(items, item + 1, text, at) : kNoMatch;
  }
  std::size_t count = 0;
  while (count < next.most && at + count < text.size() && next.set.has(text[at + count])) ++count;
  for (std::size_t n = count + 1; n-- > next.least;) {
    const std::size_t end = match(items, item + 1, text, at + n);
    if (end != kNoMatch || next.keeps_all) return end;
  }
  return kNoMatch;
}

std::size_t Pattern::match_choice(const Item& group, const Glyphs& text, std::size_t at) {
  for (const Items& items : group.choices) {
    const std::size_t end = match(items, 0, text, at);
    if (end != kNoMatch) return end;
  }
  return kNoMatch;
}

std::size_t Pattern::match(const Glyphs& text, std::size_t at) const {
  for (const Items& items : choices_) {
    const std::size_t end = match(items, 0, text, at);
    if (end != kNoMatch && end > at) return end;
  }
  return at;
}

}  // namespace attn
