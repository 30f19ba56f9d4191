// Shifts bytes into numbers, takes CRC-32 eight bytes at a time, and looks for signatures.
#include "io/arrays/bytes.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "attn/io/tensor_file.hpp"
#include "core/text/bit_cast.hpp"

namespace attn {
namespace {

struct Beginning {
  std::string_view bytes;
  const char* words;
};
constexpr std::string_view kGitLfs = "version https://git-lfs";
constexpr Beginning kBeginnings[] = {
    {"PK\x03\x04", "a zip archive, as NumPy's .npz and PyTorch's .pt files are"},
    {"PK\x05\x06", "an empty zip archive"},
    {"\x80\x02", "a Python pickle"},
    {"\x80\x03", "a Python pickle"},
    {"\x80\x04", "a Python pickle"},
    {"\x80\x05", "a Python pickle"},
    {"\x89HDF", "an HDF5 file"},
    {"\x1F\x8B", "a gzip file"},
    {kGitLfs, "a Git LFS pointer instead of the file itself"},
};

/// Names in the archives that office programs write.
constexpr Beginning kOffice[] = {
    {"xl/workbook.xml", "a spreadsheet (.xlsx)"},
    {"word/document.xml", "a text document (.docx)"},
    {"opendocument.spreadsheet", "a spreadsheet (.ods)"},
    {"opendocument.text", "a text document (.odt)"},
    {"Index/Document.iwa", "a document of Pages or Numbers"},
};

constexpr std::size_t kAtOnce = 8;  // bytes

/// Row n: the remainder of each byte with n bytes of zeros after it.
using CrcTable = std::array<std::array<std::uint32_t, 256>, kAtOnce>;

constexpr CrcTable crc_table() {
  CrcTable table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ ((rest & 1) != 0 ? 0xEDB88320U : 0U);
    table[0][byte] = rest;
  }
  for (std::size_t n = 1; n < kAtOnce; ++n) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t rest = table[n - 1][byte];
      table[n][byte] = (rest >> 8) ^ table[0][rest & 0xFF];
    }
  }
  return table;
}
constexpr CrcTable kCrcTable = crc_table();

}  // namespace

std::uint64_t little_endian(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t i = size; i-- > 0;) {
    number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  }
  return number;
}

void append_little_endian(std::string& bytes, std::uint64_t number, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xFF);
}

std::string_view float64_bytes(std::span<const double> numbers, std::string& room) {
  if constexpr (std::endian::native == std::endian::little)
    return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
  room.clear();
  for (const double number : numbers)
    append_little_endian(room, bit_cast<std::uint64_t>(number), sizeof number);
  return room;
}

std::uint32_t crc32(std::string_view bytes) { return crc32(bytes, 0); }

std::uint32_t crc32(std::string_view bytes, std::uint32_t before) {
  std::uint32_t rest = ~before;
  for (; bytes.size() >= kAtOnce; bytes.remove_prefix(kAtOnce)) {
    const std::uint64_t mixed = little_endian(bytes, 0, kAtOnce) ^ rest;
    rest = 0;
    for (std::size_t n = 0; n < kAtOnce; ++n)
      rest ^= kCrcTable[kAtOnce - 1 - n][mixed >> (8 * n) & 0xFF];
  }
  for (const char byte : bytes)
    rest = (rest >> 8) ^ kCrcTable[0][(rest ^ static_cast<unsigned char>(byte)) & 0xFF];
  return ~rest;
}

const char* remedy_for(std::string_view bytes, const char* usual) {
  return bytes.starts_with(kGitLfs) ? "Fetch the file itself: git lfs pull." : usual;
}

const char* office_file(std::string_view bytes) {
  constexpr std::size_t kFirst = 100, kLast = std::size_t{1} << 16;  // bytes that hold the names
  if (!bytes.starts_with("PK\x03\x04")) return nullptr;
  const std::string_view first = bytes.substr(0, kFirst);
  const std::string_view last = bytes.substr(bytes.size() - std::min(bytes.size(), kLast));
  for (const Beginning& row : kOffice) {
    if (first.find(row.bytes) != first.npos || last.find(row.bytes) != last.npos) return row.words;
  }
  return nullptr;
}

const char* beginning_of(std::string_view bytes) {
  if (const char* office = office_file(bytes)) return office;
  for (const Beginning& beginning : kBeginnings) {
    if (bytes.starts_with(beginning.bytes)) return beginning.words;
  }
  return nullptr;
}

std::string describe_bytes(std::string_view bytes) {
  if (bytes.empty()) return "an empty file";
  if (const char* known = beginning_of(bytes)) return known;
  for (const ArrayFileType& type : array_file_types()) {
    if (type.recognises(bytes)) return type.what;
  }
  if ((bytes.front() & 0xC0) == 0x80) return "other bytes";  // no character begins like this
  for (const char byte : bytes.substr(0, 64)) {
    const auto code = static_cast<unsigned char>(byte);
    const bool space = code == '\n' || code == '\r' || code == '\t';
    const bool in_utf8 = code != 0x7F && code != 0xC0 && code != 0xC1 && code < 0xF5;
    if ((code < ' ' && !space) || !in_utf8) return "other bytes";
  }
  return "text";
}

}  // namespace attn
