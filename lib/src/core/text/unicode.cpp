// Characters with utf8proc; nothing else in attn includes that library.
#include "core/text/unicode.hpp"

#include <utf8proc.h>

#include <array>
#include <cstdlib>
#include <memory>

namespace attn::unicode {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

// The names of the categories, in the order of their bits.
constexpr std::array<std::string_view, 30> kNames{
    "Cn", "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps",
    "Pe", "Pi", "Pf", "Po", "Sm", "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Co"};
static_assert(UTF8PROC_CATEGORY_MN == 6 && UTF8PROC_CATEGORY_ND == 9 &&
              UTF8PROC_CATEGORY_PC == 12 && UTF8PROC_CATEGORY_CO == 29);

constexpr Categories kSeparators = 0b111 << 23;

/// The bytes that may follow the first one of a character, which decide what it can be.
struct Second {
  unsigned char least = 0x80, most = 0xBF;
};

Second second_after(unsigned char first) {
  switch (first) {
    case 0xE0:
      return {0xA0, 0xBF};
    case 0xED:
      return {0x80, 0x9F};
    case 0xF0:
      return {0x90, 0xBF};
    case 0xF4:
      return {0x80, 0x8F};
    default:
      return {};
  }
}

std::size_t length_by(unsigned char first) {
  return first < 0x80   ? 1
         : first < 0xC2 ? 0
         : first < 0xE0 ? 2
         : first < 0xF0 ? 3
         : first < 0xF5 ? 4
                        : 0;
}

utf8proc_option_t options_of(Form form) {
  constexpr int kOptions[] = {UTF8PROC_COMPOSE, UTF8PROC_DECOMPOSE,
                              UTF8PROC_COMPOSE | UTF8PROC_COMPAT,
                              UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT};
  return static_cast<utf8proc_option_t>(UTF8PROC_STABLE | kOptions[static_cast<int>(form)]);
}

}  // namespace

std::string tables_version() { return utf8proc_unicode_version(); }
std::string library_version() { return utf8proc_version(); }

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = length_by(byte(0));
  if (length == 1) return {byte(0), 1};
  if (length == 0) return {kReplacement, 1, false};
  char32_t code = byte(0) & (0x7Fu >> length);
  Second range = second_after(byte(0));
  for (std::size_t i = 1; i < length; ++i) {
    if (i == text.size() || byte(i) < range.least || byte(i) > range.most)
      return {kReplacement, i, false};
    code = (code << 6) | (byte(i) & 0x3Fu);
    range = {};
  }
  return {code, length};
}

void append(std::string& text, char32_t code) {
  std::array<utf8proc_uint8_t, 4> bytes{};
  const auto size = utf8proc_encode_char(static_cast<utf8proc_int32_t>(code), bytes.data());
  text.append(reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(size));
}

std::string valid_text(std::string_view bytes) {
  std::string text;
  while (!bytes.empty()) {
    const Character next = first_character(bytes);
    if (next.valid) {
      text += bytes.substr(0, next.bytes);
    } else {
      append(text, kReplacement);
    }
    bytes.remove_prefix(next.bytes);
  }
  return text;
}

Categories categories_named(std::string_view name) {
  Categories found = 0;
  for (std::size_t i = 0; !name.empty() && i < kNames.size(); ++i) {
    if (kNames[i].starts_with(name)) found |= Categories{1} << i;
  }
  return found;
}

Categories category(char32_t code) {
  return Categories{1} << utf8proc_category(static_cast<utf8proc_int32_t>(code));
}

bool is_space(char32_t code) {
  return (code >= '\t' && code <= '\r') || code == 0x85 || (category(code) & kSeparators) != 0;
}

bool is_word(char32_t code) {
  static const Categories kWord =
      kLetters | kMarks | categories_named("Nd") | categories_named("Pc");
  return (category(code) & kWord) != 0;
}

std::string normalized(std::string_view text, Form form) {
  const std::string valid = valid_text(text);
  utf8proc_uint8_t* made = nullptr;
  const auto size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(valid.data()),
                   static_cast<utf8proc_ssize_t>(valid.size()), &made, options_of(form));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(made, std::free);
  if (size < 0) return valid;  // only if there is no memory
  return {reinterpret_cast<const char*>(made), static_cast<std::size_t>(size)};
}

std::string lowercased(std::string_view text) {
  std::string made;
  while (!text.empty()) {
    const Character next = first_character(text);
    append(made, static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(next.code))));
    if (next.code == 0x130) append(made, 0x307);  // İ is the only one that becomes two
    text.remove_prefix(next.bytes);
  }
  return made;
}

char32_t folded(char32_t code) {
  std::array<utf8proc_int32_t, 4> made{};
  int boundary = 0;
  const auto size = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(code), made.data(),
                                            made.size(), UTF8PROC_CASEFOLD, &boundary);
  return size == 1 ? static_cast<char32_t>(made[0]) : code;
}

}  // namespace attn::unicode
