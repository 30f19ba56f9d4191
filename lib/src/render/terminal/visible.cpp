// Text made harmless for terminals, and text in 7-bit characters.
#include <algorithm>
#include <charconv>
#include <iterator>
#include <span>

#include "attn/render/text.hpp"
#include "core/text/ascii.hpp"
#include "render/terminal/width.hpp"

namespace attn {
namespace {

std::string hex(char32_t code) {
  char digits[8];
  const auto end =
      std::to_chars(std::begin(digits), std::end(digits), static_cast<unsigned long>(code), 16);
  return {digits, end.ptr};
}

/// "\u{202e}"
std::string code_escape(char32_t code) { return "\\u{" + hex(code) + "}"; }

struct Spelling {
  char32_t symbol;
  const char* ascii;
};

constexpr Spelling kEscapes[] = {{'\n', "\\n"}, {'\t', "\\t"}, {'\r', "\\r"}, {0x1B, "\\e"}};

// The symbols of our own sentences and formulas.
constexpr Spelling kSpellings[] = {
    {U'×', "x"},    {U'·', "*"},     {U'∘', "*"},     {U'−', "-"},  {U'–', "-"},    {U'—', "-"},
    {U'√', "sqrt"}, {U'Σ', "sum"},   {U'∞', "inf"},   {U'ᵀ', "^T"}, {U'′', "'"},    {U'″', "''"},
    {U'→', "->"},   {U'←', "<-"},    {U'≤', "<="},    {U'≥', ">="}, {U'≠', "!="},   {U'≈', "~="},
    {U'±', "+-"},   {U'…', "..."},   {U'“', "\""},    {U'”', "\""}, {U'‘', "'"},    {U'’', "'"},
    {U'₀', "0"},    {U'₁', "1"},     {U'₂', "2"},     {U'₃', "3"},  {U'₄', "4"},    {U'₅', "5"},
    {U'₆', "6"},    {U'₇', "7"},     {U'₈', "8"},     {U'₉', "9"},  {U'²', "^2"},   {U'³', "^3"},
    {U'½', "0.5"},  {U'β', "beta"},  {U'γ', "gamma"}, {U'π', "pi"}, {U'ℓ', "loss"}, {U'␣', "_"},
    {U'∂', "d"},    {U'σ', "sigma"}, {U'Θ', "Theta"},
};

/// The entry of `rows` for a character; null if there is none.
const char* spelling(std::span<const Spelling> rows, char32_t code) {
  for (const Spelling& row : rows) {
    if (row.symbol == code) return row.ascii;
  }
  return nullptr;
}

std::string control_escape(char32_t code) {
  if (const char* escape = spelling(kEscapes, code)) return escape;
  if (code >= 0x80) return code_escape(code);
  return (code < 0x10 ? "\\x0" : "\\x") + hex(code);
}

/// Zero-width joiner and non-joiner: they shape the letters on both sides of them, but never ASCII.
bool is_joiner(char32_t code) { return code == 0x200C || code == 0x200D; }

bool has_shape(char32_t code) { return code >= 0x80 && !is_control(code); }

/// Invisible copies of ASCII; only a black flag gives them a shape.
bool is_tag(char32_t code) { return code >= 0xE0000 && code < 0xE0080; }
constexpr char32_t kBlackFlag = 0x1F3F4;

bool belongs_to_name(char c) { return is_digit(c) || is_letter(c) || c == '_' || c == '.'; }

/// Whether there is exactly one space on each side: a dot between facts, "4 tokens · d_k 2", not a
/// product.
bool stands_alone(std::string_view before, std::string_view after) {
  return before.ends_with(" ") && !before.ends_with("  ") && after.starts_with(" ") &&
         !after.starts_with("  ");
}

/// How long the number or name at the start of `text` is: 3 for "d_k · S", 0 for "(a + b)".
std::size_t name_length(std::string_view text) {
  auto end = std::find_if_not(text.begin(), text.end(), belongs_to_name);
  while (end != text.begin() && *(end - 1) == '.') --end;  // the end of a sentence
  return static_cast<std::size_t>(end - text.begin());
}

/// Finds, one character after another, those that nobody would see where they are.
class Unseen {
 public:
  /// `rest` is what comes after the character.
  bool operator()(char32_t code, std::string_view rest) {
    const auto at_end = [&] { return rest.empty() || !has_shape(decode(rest).code); };
    const bool lone_joiner = is_joiner(code) && (!after_shape_ || at_end());
    in_flag_ = code == kBlackFlag || (in_flag_ && is_tag(code));
    const bool unseen = is_control(code) || lone_joiner || (is_tag(code) && !in_flag_);
    after_shape_ = !unseen && has_shape(code);
    return unseen;
  }

 private:
  bool in_flag_ = false, after_shape_ = false;
};

/// JSON in which the characters that nobody would see are escapes, or all but ASCII.
std::string json_with_escapes(std::string_view json, bool all) {
  std::string result;
  const auto add = [&](char32_t unit) {
    const std::string digits = hex(unit);
    result += "\\u" + std::string(4 - digits.size(), '0') + digits;
  };
  Unseen is_unseen;
  while (!json.empty()) {
    const auto ascii =
        std::find_if(json.begin(), json.end(), [](char c) { return (c & 0x80) != 0; });
    if (ascii != json.begin()) is_unseen = {};
    result.append(json.begin(), ascii);
    json.remove_prefix(static_cast<std::size_t>(ascii - json.begin()));
    if (json.empty()) break;
    const CodePoint next = decode(json);
    const std::string_view character = json.substr(0, next.bytes);
    json.remove_prefix(next.bytes);
    if (!is_unseen(next.code, json) && !all) {
      result += character;
    } else if (next.code < 0x10000) {
      add(next.code);
    } else {  // two halves of UTF-16
      add(0xD800 + ((next.code - 0x10000) >> 10));
      add(0xDC00 + ((next.code - 0x10000) & 0x3FF));
    }
  }
  return result;
}

}  // namespace

std::string visible(std::string_view text) {
  if (std::all_of(text.begin(), text.end(), is_printable_ascii)) return std::string(text);
  std::string result;
  Unseen is_unseen;
  while (!text.empty()) {
    const CodePoint next = decode(text);
    const std::string_view character = text.substr(0, next.bytes);
    text.remove_prefix(next.bytes);
    const bool escaped = is_unseen(next.code, text);
    if (next.code == kReplacement) {
      result += "\uFFFD";
    } else if (escaped) {
      result += control_escape(next.code);
    } else {
      result += character;
    }
  }
  return result;
}

std::string to_ascii(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const CodePoint next = decode(text);
    const std::string_view rest = text.substr(next.bytes);
    if (next.code == U'·' && stands_alone(result, rest)) {
      result += "|";
    } else if (next.code < 0x80) {
      result += static_cast<char>(next.code);
    } else {
      const char* ascii = spelling(kSpellings, next.code);
      result += ascii == nullptr ? code_escape(next.code) : ascii;
    }
    text = rest;
    if (next.code != U'√') continue;
    const std::size_t length = name_length(text);
    if (length == 0) continue;
    result += "(" + std::string(text.substr(0, length)) + ")";
    text.remove_prefix(length);
  }
  return result;
}

std::string shown_text(std::string_view text, bool ascii) {
  return ascii ? to_ascii(visible(text)) : visible(text);
}

bool is_ascii(std::string_view text) {
  unsigned bits = 0;
  for (const char c : text) bits |= static_cast<unsigned char>(c);  // many at a time: no early end
  return bits < 0x80;
}

std::string json_visible(std::string_view json) { return json_with_escapes(json, false); }

std::string json_to_ascii(std::string_view json) { return json_with_escapes(json, true); }

}  // namespace attn
