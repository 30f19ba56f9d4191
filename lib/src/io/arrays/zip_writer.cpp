// Writes zip archives without compression.
#include <algorithm>

#include "io/arrays/bytes.hpp"
#include "io/arrays/zip.hpp"

namespace attn {
namespace {

constexpr std::size_t kHeaders = 30 + 46;    // of a member and of its entry, without the names
constexpr std::size_t kEnd = 22;             // the last record
constexpr std::uint64_t kVersion = 20;       // of the format that a reader needs: 2.0
constexpr std::uint64_t kUnix = 3 << 8;      // the system that made it, which has modes
constexpr std::uint64_t kUtf8Name = 0x800;   // flag
constexpr std::uint64_t kDate = 1 << 5 | 1;  // 1980-01-01, the first day there is

bool is_ascii(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; });
}

/// The fields that the header of a member and its entry have in common.
std::string common_fields(const std::string& name, std::span<const std::string_view> parts) {
  std::uint32_t crc = 0;
  std::size_t size = 0;
  for (const std::string_view part : parts) {
    crc = crc32(part, crc);
    size += part.size();
  }
  std::string fields;
  append_little_endian(fields, kVersion, 2);
  append_little_endian(fields, is_ascii(name) ? 0 : kUtf8Name, 2);
  append_little_endian(fields, 0, 2);  // method: stored
  append_little_endian(fields, 0, 2);  // time: midnight
  append_little_endian(fields, kDate, 2);
  append_little_endian(fields, crc, 4);
  append_little_endian(fields, size, 4);  // in the archive
  append_little_endian(fields, size, 4);
  append_little_endian(fields, name.size(), 2);
  append_little_endian(fields, 0, 2);  // size of the extra field
  return fields;
}

void pass_on(ZipArchive& archive, std::string_view bytes) {
  archive.sink(bytes);
  archive.size += bytes.size();
}

}  // namespace

bool fits_zip(std::size_t members, std::uint64_t bytes) {
  constexpr std::uint64_t kMostMembers = 0xFFFE, kMostBytes = 0xFFFFFFFE;
  return members <= kMostMembers && bytes <= kMostBytes - kEnd - members * kHeaders;
}

void add_member(ZipArchive& archive, const std::string& name,
                std::span<const std::string_view> parts, std::uint32_t mode) {
  const std::string fields = common_fields(name, parts);
  std::string& directory = archive.directory;
  directory += "PK\x01\x02";
  append_little_endian(directory, mode == 0 ? kVersion : kVersion | kUnix, 2);
  directory += fields;
  append_little_endian(directory, 0, 2);                          // size of the comment
  append_little_endian(directory, 0, 2);                          // disk
  append_little_endian(directory, 0, 2);                          // attributes
  append_little_endian(directory, std::uint64_t{mode} << 16, 4);  // attributes of the system
  append_little_endian(directory, archive.size, 4);
  directory += name;
  pass_on(archive, "PK\x03\x04" + fields + name);
  for (const std::string_view part : parts) pass_on(archive, part);
  ++archive.count;
}

void finish(ZipArchive& archive) {
  std::string bytes = archive.directory + "PK\x05\x06";
  append_little_endian(bytes, 0, 4);              // number of this disk, and of the directory's
  append_little_endian(bytes, archive.count, 2);  // on this disk
  append_little_endian(bytes, archive.count, 2);
  append_little_endian(bytes, archive.directory.size(), 4);
  append_little_endian(bytes, archive.size, 4);
  append_little_endian(bytes, 0, 2);  // size of the comment
  pass_on(archive, bytes);
}

}  // namespace attn
