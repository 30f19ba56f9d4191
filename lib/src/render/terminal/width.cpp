// Splits UTF-8 into clusters and measures them (Unicode annexes 11 and 29).
#include "render/terminal/width.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "attn/render/text.hpp"
#include "core/text/ascii.hpp"

namespace attn {
namespace {

/// What a character does to widths and clusters.
enum class Kind : std::uint8_t {
  Narrow,       // 1 cell
  Ambiguous,    // 1 cell, or 2 on East Asian terminals
  Wide,         // 2 cells
  Mark,         // 0 cells, joins what is before it
  SpacingMark,  // 1 cell, joins what is before it
  WideMark,     // 2 cells, joins what is before it: skin tones
  Joiner,       // U+200D: 0 cells, joins what is before it, and a picture after it
  Prepend,      // 1 cell, joins what is after it
  Control,      // 0 cells, always alone
  Flag,         // 1 cell, two make a flag
  Picture,      // emoji that is 1 cell wide unless U+FE0F follows
  AmbiguousPicture,
  WidePicture,  // emoji, 2 cells
  JamoLead,     // Hangul: 2 cells, the start of a syllable
  JamoVowel,    // 0 cells within a syllable
  JamoTail,     // 0 cells within a syllable
  Syllable,     // 2 cells, complete or waiting for a tail
};
using enum Kind;

struct WidthRange {
  char32_t first, count;
  Kind kind;
};

#include "render/terminal/width_table.inc"

Kind kind_of(char32_t code) {
  if (code >= 0x20 && code < 0x7F) return Narrow;
  const auto after = std::upper_bound(
      std::begin(kWidthRanges), std::end(kWidthRanges), code,
      [](char32_t wanted, const WidthRange& range) { return wanted < range.first; });
  if (after == std::begin(kWidthRanges)) return Narrow;
  const WidthRange& range = *std::prev(after);
  return code - range.first < range.count ? range.kind : Narrow;
}

std::ptrdiff_t width_of(Kind kind, const Ruler& ruler) {
  switch (kind) {
    case Mark:
    case Joiner:
    case Control:
    case JamoVowel:
    case JamoTail:
      return 0;
    case Wide:
    case WideMark:
    case WidePicture:
    case JamoLead:
    case Syllable:
      return 2;
    case Ambiguous:
    case AmbiguousPicture:
      return ruler.ambiguous;
    default:
      return 1;
  }
}

bool is_picture(Kind kind) {
  return kind == Picture || kind == AmbiguousPicture || kind == WidePicture;
}

struct Character {
  char32_t code;
  Kind kind;
};

/// A syllable block without a tail: consonant and vowel only.
bool is_open_syllable(char32_t code) { return (code - 0xAC00) % 28 == 0; }

/// Rules GB6 to GB8: whether two pieces of Hangul belong to one syllable.
bool hangul_joins(const Character& left, Kind right) {
  const bool vowel = right == JamoVowel, tail = right == JamoTail;
  switch (left.kind) {
    case JamoLead:
      return right == JamoLead || vowel || right == Syllable;
    case JamoVowel:
      return vowel || tail;
    case JamoTail:
      return tail;
    case Syllable:
      return tail || (vowel && is_open_syllable(left.code));
    default:
      return false;
  }
}

/// Rules GB4 to GB13 (Unicode 15): whether `right` belongs to the cluster that ends in `left`.
/// `picture`: that cluster is an emoji so far; `flags`: how many flag letters it holds.
bool joins(const Character& left, Kind right, bool picture, int flags) {
  if (left.kind == Control || right == Control) return false;
  if (right == Mark || right == SpacingMark || right == WideMark || right == Joiner) return true;
  if (left.kind == Prepend) return true;
  if (left.kind == Joiner) return picture && is_picture(right);
  if (left.kind == Flag) return right == Flag && flags % 2 == 1;
  return hangul_joins(left, right);
}

/// Whether U+FE0F after it asks for a picture: ☎, and the bases of keycaps such as 1️⃣.
bool has_emoji_style(const Character& base) {
  const char32_t c = base.code;
  return is_picture(base.kind) || (c >= '0' && c <= '9') || c == '#' || c == '*';
}

}  // namespace

CodePoint decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xC2 || lead > 0xF4) return {kReplacement, 1};
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  // The second byte excludes overlong forms, surrogates and what lies beyond U+10FFFF.
  unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  char32_t code = lead & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if (i >= text.size() || byte(i) < low || byte(i) > high) return {kReplacement, i};
    code = (code << 6) | (byte(i) & 0x3Fu);
    low = 0x80;
    high = 0xBF;
  }
  return {code, length};
}

Cluster first_cluster(std::string_view text, const Ruler& ruler) {
  const bool alone = text.size() == 1 || is_printable_ascii(text[1]);
  if (alone && is_printable_ascii(text[0])) return {text.substr(0, 1), 1};

  const CodePoint first = decode(text);
  const Character base = {first.code, kind_of(first.code)};
  Character left = base;
  std::size_t bytes = first.bytes;
  std::ptrdiff_t width = width_of(base.kind, ruler);
  bool picture = is_picture(base.kind);
  int flags = base.kind == Flag ? 1 : 0;
  while (bytes < text.size()) {
    const CodePoint next = decode(text.substr(bytes));
    const Kind kind = kind_of(next.code);
    if (!joins(left, kind, picture, flags)) break;
    const bool emoji_style = next.code == 0xFE0F && has_emoji_style(base);
    width = emoji_style ? 2 : std::min<std::ptrdiff_t>(2, width + width_of(kind, ruler));
    picture = is_picture(kind) || (picture && (kind == Mark || kind == WideMark || kind == Joiner));
    flags += kind == Flag ? 1 : 0;
    bytes += next.bytes;
    left = {next.code, kind};
  }
  return {text.substr(0, bytes), width};
}

bool is_control(char32_t code) { return kind_of(code) == Control; }

std::string_view unicode_version() { return kUnicodeVersion; }

std::ptrdiff_t Ruler::width(std::string_view text) const {
  if (std::all_of(text.begin(), text.end(), is_printable_ascii)) {
    return static_cast<std::ptrdiff_t>(text.size());
  }
  std::ptrdiff_t width = 0;
  while (!text.empty()) {
    const auto end = std::find_if_not(text.begin(), text.end(), is_printable_ascii);
    const std::ptrdiff_t alone = end - text.begin() - 1;  // what comes next may join the last one
    if (alone > 0) {
      width += alone;
      text.remove_prefix(static_cast<std::size_t>(alone));
    }
    const Cluster cluster = first_cluster(text, *this);
    width += cluster.width;
    text.remove_prefix(cluster.text.size());
  }
  return width;
}

std::string Ruler::cut(std::string_view text, std::ptrdiff_t most,
                       std::string_view ellipsis) const {
  if (width(text) <= most) return std::string(text);
  if (width(ellipsis) > most) ellipsis = "";
  std::ptrdiff_t room = most - width(ellipsis);
  std::size_t bytes = 0;
  while (bytes < text.size()) {
    const Cluster cluster = first_cluster(text.substr(bytes), *this);
    if (cluster.width > room) break;
    room -= cluster.width;
    bytes += cluster.text.size();
  }
  return std::string(text.substr(0, bytes)).append(ellipsis);
}

std::string Ruler::pad_left(std::string_view text, std::ptrdiff_t cells) const {
  const std::ptrdiff_t missing = std::max<std::ptrdiff_t>(0, cells - width(text));
  return std::string(static_cast<std::size_t>(missing), ' ').append(text);
}

std::string Ruler::pad_right(std::string_view text, std::ptrdiff_t cells) const {
  const std::ptrdiff_t missing = std::max<std::ptrdiff_t>(0, cells - width(text));
  return std::string(text).append(static_cast<std::size_t>(missing), ' ');
}

std::string spaces(std::ptrdiff_t count) {
  return std::string(static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, count)), ' ');
}

}  // namespace attn
