// Decodes UTF-8 and UTF-16, and counts lines and columns.
#include "io/json/source.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "io/arrays/bytes.hpp"

namespace attn {
namespace {

constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";
constexpr std::string_view kUtf16LittleMark = "\xFF\xFE";
constexpr std::string_view kUtf16BigMark = "\xFE\xFF";
constexpr const char* kReplacement = "\xEF\xBF\xBD";  // U+FFFD

unsigned byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

void append_utf8(std::string& text, std::uint32_t character) {
  const auto put = [&text](std::uint32_t byte) { text += static_cast<char>(byte); };
  const auto tail = [&](int shift) { put(0x80 | ((character >> shift) & 0x3F)); };
  if (character < 0x80) {
    put(character);
  } else if (character < 0x800) {
    put(0xC0 | (character >> 6)), tail(0);
  } else if (character < 0x10000) {
    put(0xE0 | (character >> 12)), tail(6), tail(0);
  } else {
    put(0xF0 | (character >> 18)), tail(12), tail(6), tail(0);
  }
}

/// A lone half of a surrogate pair becomes bytes that invalid_utf8 finds.
std::string utf8_from_utf16(std::string_view bytes, bool big_endian) {
  const auto unit = [&](std::size_t at) -> std::uint32_t {
    const unsigned first = byte_at(bytes, at), second = byte_at(bytes, at + 1);
    return big_endian ? first << 8 | second : second << 8 | first;
  };
  std::string text;
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    std::uint32_t character = unit(i);
    const bool high = character >= 0xD800 && character < 0xDC00;
    if (high && i + 3 < bytes.size() && unit(i + 2) >= 0xDC00 && unit(i + 2) < 0xE000) {
      character = 0x10000 + ((character - 0xD800) << 10) + (unit(i + 2) - 0xDC00);
      i += 2;
    }
    append_utf8(text, character);
  }
  return text;
}

/// How many bytes the well-formed character at `at` takes (Unicode 15, table 3-7); 0 if there is
/// none, or if it is U+0000, which text files do not have.
std::size_t character_size(std::string_view text, std::size_t at) {
  const unsigned lead = byte_at(text, at);
  if (lead < 0x80) return lead == 0 ? 0 : 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  const std::size_t size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (at + size > text.size()) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte_at(text, at + i) & 0xC0) != 0x80) return 0;
  }
  const unsigned second = byte_at(text, at + 1);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool surrogate = lead == 0xED && second >= 0xA0;
  const bool beyond = lead == 0xF4 && second >= 0x90;
  return overlong || surrogate || beyond ? 0 : size;
}

/// Whether the next eight bytes are ASCII characters, and none is zero.
bool is_plain(std::string_view text, std::size_t at) {
  if (text.size() - at < sizeof(std::uint64_t)) return false;
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, text.data() + at, sizeof bytes);
  constexpr std::uint64_t kOnes = 0x0101010101010101, kHigh = 0x8080808080808080;
  return ((bytes | (bytes - kOnes)) & kHigh) == 0;
}

/// The offset of the first byte that is not part of a character, or the size of the text.
std::size_t invalid_utf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t size = is_plain(text, at) ? sizeof(std::uint64_t) : character_size(text, at);
    if (size == 0) break;
    at += size;
  }
  return at;
}

}  // namespace

SharedBytes copy_of(std::string_view bytes) {
  const auto copy = std::make_shared<const std::string>(bytes);
  return {*copy, copy};
}

Source decode_leniently(const SharedBytes& file, std::string name) {
  std::string_view bytes = file.bytes;
  for (const std::string_view mark : {kUtf16LittleMark, kUtf16BigMark}) {
    if (!bytes.starts_with(mark)) continue;
    const SharedBytes text = copy_of(utf8_from_utf16(bytes.substr(2), mark == kUtf16BigMark));
    return {std::move(name), text.bytes, text.owner};
  }
  while (bytes.starts_with(kUtf8Mark)) bytes.remove_prefix(kUtf8Mark.size());
  return {std::move(name), bytes, file.owner};
}

Source decode_source(const SharedBytes& bytes, std::string name) {
  if (const char* found = beginning_of(bytes.bytes)) {
    throw input_error(
        {.id = "wrong-format",
         .what = std::string("expected text, found ") + found,
         .places = {{.file = name}},
         .fix = remedy_for(bytes.bytes, "Save it as text: a table (.csv), or JSON.")});
  }
  Source source = decode_leniently(bytes, std::move(name));
  const std::size_t bad = invalid_utf8(source.text);
  if (bad == source.text.size()) return source;

  const bool zero = source.text[bad] == '\0';
  const std::string shown = std::string(source.text.substr(0, bad)) + kReplacement;
  source.text = shown;
  throw input_error({
      .id = "json-encoding",
      .what = zero ? "expected a text file, found a zero byte"
                   : "expected a text file in UTF-8, found bytes that are not a character",
      .places = {place_at(source, bad, "", "this is not text")},
      .fix =
          "Save the file as UTF-8. In an editor: Save as, encoding UTF-8. In a spreadsheet: save "
          "it as CSV UTF-8.",
  });
}

Place place_at(const Source& source, std::size_t offset, std::string pointer, std::string remark) {
  const std::string_view text = source.text;
  const std::string_view before = text.substr(0, offset);
  const std::size_t newline = before.rfind('\n');
  const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
  std::string_view line = text.substr(start, text.find('\n', start) - start);
  if (line.ends_with('\r')) line.remove_suffix(1);
  const auto begins_character = [](char byte) { return (byte & 0xC0) != 0x80; };
  // More than is shown, where a line is a whole file.
  constexpr std::size_t kAround = 1000;  // bytes, on each side
  const std::size_t at = std::min(offset, text.size()) - start;
  std::size_t end = std::min(line.size(), at + kAround), begin = at - std::min(at, kAround);
  while (end < line.size() && !begins_character(line[end])) ++end;
  while (begin > 0 && begin < line.size() && !begins_character(line[begin])) --begin;
  const auto characters = [&](std::size_t from, std::size_t to) {
    return static_cast<int>(std::count_if(text.data() + from, text.data() + to, begins_character));
  };
  Place place;
  place.pointer = std::move(pointer);
  place.remark = std::move(remark);
  place.file = source.name;
  place.line = static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1;
  place.column = characters(start, start + at) + 1;
  place.line_text = line.substr(std::min(begin, line.size()), end - begin);
  place.first_column = characters(start, start + begin) + 1;
  return place;
}

}  // namespace attn
