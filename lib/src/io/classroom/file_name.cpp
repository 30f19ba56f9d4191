// Names of files for the ids of students.
#include <algorithm>
#include <array>
#include <string_view>

#include "attn/io/sheet_file.hpp"
#include "attn/phrases.hpp"
#include "attn/render/text.hpp"
#include "core/text/ascii.hpp"
#include "core/text/sha256.hpp"

namespace attn {
namespace {

constexpr std::size_t kLongest = 120;  // bytes; with an ending, well below the 255 of most disks

/// Names that Windows reserves for devices, with any ending.
constexpr std::array<std::string_view, 6> kDevices{"con", "prn", "aux", "nul", "com", "lpt"};

bool names_device(const std::string& id) {
  const std::string stem = lowered(id.substr(0, id.find('.')));
  return std::any_of(kDevices.begin(), kDevices.end(), [&](std::string_view device) {
    const bool numbered = device == "com" || device == "lpt";
    return stem.starts_with(device) && stem.size() == device.size() + (numbered ? 1 : 0);
  });
}

bool is_plain(char c) {
  return is_digit(c) || is_letter(c) ||
         std::string_view("-_.@+=").find(c) != std::string_view::npos;
}

/// The bytes of the character at `at`, or a single byte.
std::string_view character_at(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && (text[end] & 0xC0) == 0x80) ++end;
  return text.substr(at, end - at);
}

/// Letters of any script stay; what cannot be seen, or is not text, does not.
bool stays(std::string_view character, bool at_an_end) {
  if (character.size() == 1) return is_plain(character[0]) && !(at_an_end && character[0] == '.');
  return visible(character) == character && display_width(character) > 0;
}

std::string escaped(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    text += "%";
    for (const char digit : hex(std::string(1, c)))
      text += digit >= 'a' ? static_cast<char>(digit - 'a' + 'A') : digit;
  }
  return text;
}

}  // namespace

std::string file_name_of(const std::string& student) {
  if (student.empty()) return "sheet";
  const bool device = names_device(student);
  std::string name;
  for (std::size_t at = 0; at < student.size();) {
    const std::string_view character = character_at(student, at);
    const bool at_an_end = at == 0 || at + character.size() == student.size();
    name += stays(character, at_an_end) && !(device && at == 0) ? std::string(character)
                                                                : escaped(character);
    at += character.size();
  }
  if (name.size() <= kLongest) return name;
  // No escaped id contains "%~", so this is nobody else's name.
  std::size_t cut = kLongest / 2;
  while ((name[cut] & 0xC0) == 0x80) --cut;
  return name.substr(0, cut) + "%~" + hex(sha256(student)).substr(0, 32);
}

}  // namespace attn
