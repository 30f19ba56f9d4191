// Reads the directory of a zip archive, and trusts nothing in it.
#include "io/arrays/zip.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "io/arrays/bytes.hpp"
#include "io/arrays/tensor_error.hpp"

namespace attn {
namespace {

constexpr std::size_t kLocalSize = 30;    // fixed part of a header in front of a member
constexpr std::size_t kEntrySize = 46;    // fixed part of an entry of the directory
constexpr std::size_t kEndSize = 22;      // the last record, without its comment
constexpr std::size_t kLocatorSize = 20;  // zip64: where the longer last record is
constexpr std::size_t kLongEndSize = 56;  // zip64: the longer last record itself
constexpr std::size_t kMostComment = 65535;
constexpr std::uint64_t kInExtra = 0xFFFFFFFF;  // zip64: the number is in the extra field
constexpr unsigned kStored = 0, kDeflated = 8;  // methods
constexpr unsigned kEncrypted = 0x2041;         // flags: any kind of encryption

/// An archive being read. Offsets in files are 64 bits wide; until has() holds, they are only
/// compared.
struct Reading {
  std::string_view bytes;
  const std::string& file;

  Error error(std::string what, std::string fix = kCopyAgain) const {
    return tensor_error({file}, "npz-format", std::move(what), std::move(fix));
  }

  /// Whether the archive has the bytes from `at`, beginning with "PK" and the two of `kind`.
  bool has(std::uint64_t at, std::size_t size, std::string_view kind) const {
    return at <= bytes.size() && size <= bytes.size() - at &&
           bytes.substr(static_cast<std::size_t>(at), 4) == "PK" + std::string(kind);
  }
};

/// Where the directory is.
struct Directory {
  std::uint64_t count = 0;
  std::uint64_t size = 0;
  std::uint64_t offset = 0;
  std::uint64_t end = 0;  // where the records after it begin
};

/// The last record ends with a comment, so it is searched for from the end.
std::optional<std::size_t> find_end(const Reading& zip) {
  const std::size_t size = zip.bytes.size();
  if (size < kEndSize) return std::nullopt;
  for (std::size_t comment = 0; comment <= std::min(kMostComment, size - kEndSize); ++comment) {
    const std::size_t at = size - kEndSize - comment;
    if (!zip.has(at, kEndSize, "\x05\x06")) continue;
    if (little_endian(zip.bytes, at + 20, 2) == comment) return at;
  }
  return std::nullopt;
}

Directory long_directory(const Reading& zip, std::size_t locator) {
  const std::uint64_t at = little_endian(zip.bytes, locator + 8, 8);
  if (!zip.has(at, kLongEndSize, "\x06\x06")) {
    throw zip.error("the archive's directory (zip64) is not where the last bytes say");
  }
  const auto number = [&](std::size_t offset) {
    return little_endian(zip.bytes, static_cast<std::size_t>(at) + offset, 8);
  };
  return {.count = number(32), .size = number(40), .offset = number(48), .end = at};
}

Directory find_directory(const Reading& zip) {
  const bool archive = zip.has(0, 4, "\x03\x04") || zip.has(0, 4, "\x05\x06");
  if (!archive) {
    throw zip.error("expected arrays in a zip archive (.npz), found " + describe_bytes(zip.bytes),
                    remedy_for(zip.bytes, "Write it with np.savez(path, name=array)."));
  }
  const std::optional<std::size_t> end = find_end(zip);
  if (!end) throw zip.error("expected the archive's directory at the end, found none");
  const std::size_t locator = *end - std::min(*end, kLocatorSize);
  Directory directory = {.count = little_endian(zip.bytes, *end + 10, 2),
                         .size = little_endian(zip.bytes, *end + 12, 4),
                         .offset = little_endian(zip.bytes, *end + 16, 4),
                         .end = *end};
  const bool zip64 = zip.has(locator, kLocatorSize, "\x06\x07");
  if (zip64) directory = long_directory(zip, locator);
  if (directory.offset > directory.end || directory.size != directory.end - directory.offset) {
    throw zip.error("the archive's directory is not where the last bytes say");
  }
  return directory;
}

/// zip64: the numbers that did not fit into the entry follow one another in the extra field 1.
void read_extra(const Reading& zip, std::string_view extra,
                const std::vector<std::uint64_t*>& numbers) {
  while (extra.size() >= 4) {
    const std::uint64_t id = little_endian(extra, 0, 2);
    const auto size = static_cast<std::size_t>(little_endian(extra, 2, 2));
    extra.remove_prefix(4);
    if (size > extra.size()) break;
    std::string_view field = extra.substr(0, size);
    extra.remove_prefix(size);
    for (std::uint64_t* number : numbers) {
      if (id != 1 || *number != kInExtra) continue;
      if (field.size() < 8) throw zip.error("an entry of the archive's directory is incomplete");
      *number = little_endian(field, 0, 8);
      field.remove_prefix(8);
    }
  }
}

/// An entry of the directory.
struct ZipEntry {
  ZipMember member;
  unsigned flags = 0;
  unsigned method = 0;
  std::uint64_t stored_size = 0;
  std::uint64_t begin = 0;  // of its local header
  std::uint64_t end = 0;    // of its stored bytes
};

/// The entry at `at`; moves `at` to the next one.
ZipEntry read_entry(const Reading& zip, std::size_t& at, const Directory& directory) {
  const auto number = [&](std::size_t offset, std::size_t size) {
    return little_endian(zip.bytes, at + offset, size);
  };
  const auto count = [&](std::size_t offset) {
    return static_cast<std::size_t>(number(offset, 2));
  };
  const bool found = zip.has(at, kEntrySize, "\x01\x02");
  const std::size_t size = found ? kEntrySize + count(28) + count(30) + count(32) : 0;
  if (!found || size > directory.end - at) {
    throw zip.error("the archive\'s directory has fewer entries than the " +
                    std::to_string(directory.count) + " it promises");
  }
  ZipEntry entry;
  constexpr std::uint64_t kUnix = 3;
  if (number(4, 2) >> 8 == kUnix) entry.member.mode = static_cast<std::uint32_t>(number(40, 2));
  entry.member.time = static_cast<std::uint32_t>(number(14, 2) << 16 | number(12, 2));
  entry.flags = static_cast<unsigned>(number(8, 2));
  entry.method = static_cast<unsigned>(number(10, 2));
  entry.member.crc = static_cast<std::uint32_t>(number(16, 4));
  entry.stored_size = number(20, 4);
  entry.member.size = number(24, 4);
  entry.begin = number(42, 4);
  entry.member.name = zip.bytes.substr(at + kEntrySize, count(28));
  entry.member.deflated = entry.method == kDeflated;
  read_extra(zip, zip.bytes.substr(at + kEntrySize + count(28), count(30)),
             {&entry.member.size, &entry.stored_size, &entry.begin});
  at += size;
  return entry;
}

void check_method(const Reading& zip, const ZipEntry& entry) {
  const std::string name = excerpt(entry.member.name);
  if ((entry.flags & kEncrypted) != 0) {
    throw zip.error(name + " is encrypted", "Write it again with np.savez(path, name=array).");
  }
  if (entry.method != kStored && entry.method != kDeflated) {
    throw zip.error("expected " + name + " stored or deflated (methods 0 and 8), found method " +
                        std::to_string(entry.method),
                    "Write it again with np.savez(path, name=array).");
  }
  if (entry.method == kStored && entry.stored_size != entry.member.size) {
    throw zip.error("expected " + bytes_text(entry.member.size) + " in " + name + ", found " +
                    std::to_string(entry.stored_size));
  }
}

/// Finds the bytes of the member: they follow its local header.
void find_stored(const Reading& zip, const Directory& directory, ZipEntry& entry) {
  const std::string_view bytes = zip.bytes.substr(0, static_cast<std::size_t>(directory.offset));
  const Reading members = {bytes, zip.file};
  const std::string name = excerpt(entry.member.name);
  if (!members.has(entry.begin, kLocalSize, "\x03\x04")) {
    throw zip.error(name + " is not where the archive's directory says");
  }
  const auto at = static_cast<std::size_t>(entry.begin);
  const auto name_size = static_cast<std::size_t>(little_endian(bytes, at + 26, 2));
  const auto extra_size = static_cast<std::size_t>(little_endian(bytes, at + 28, 2));
  const std::size_t data = at + kLocalSize + name_size + extra_size;
  if (data > bytes.size() || entry.stored_size > bytes.size() - data) {
    throw zip.error(name + " goes on beyond the end of the archive's members");
  }
  if (bytes.substr(at + kLocalSize, name_size) != entry.member.name) {
    throw zip.error(name + " has another name in the archive's directory than before its bytes");
  }
  entry.member.stored = bytes.substr(data, static_cast<std::size_t>(entry.stored_size));
  entry.end = data + entry.stored_size;
}

/// Overlapping members would let a small archive hold endless data.
void check_overlaps(const Reading& zip, const std::vector<ZipEntry>& entries) {
  std::vector<const ZipEntry*> sorted(entries.size());
  std::transform(entries.begin(), entries.end(), sorted.begin(),
                 [](const ZipEntry& entry) { return &entry; });
  std::sort(sorted.begin(), sorted.end(),
            [](const ZipEntry* a, const ZipEntry* b) { return a->begin < b->begin; });
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i]->begin < sorted[i - 1]->end) {
      throw zip.error(excerpt(sorted[i - 1]->member.name) + " and " +
                      excerpt(sorted[i]->member.name) + " overlap in the archive");
    }
  }
}

}  // namespace

std::vector<ZipMember> list_zip(std::string_view bytes, const std::string& file) {
  const Reading zip = {bytes, file};
  const Directory directory = find_directory(zip);
  std::vector<ZipEntry> entries;
  auto at = static_cast<std::size_t>(directory.offset);
  for (std::uint64_t i = 0; i < directory.count; ++i) {
    entries.push_back(read_entry(zip, at, directory));
    check_method(zip, entries.back());
    find_stored(zip, directory, entries.back());
  }
  if (at != directory.end) {
    throw zip.error("the archive\'s directory has more entries than the " +
                    std::to_string(directory.count) + " it promises");
  }
  check_overlaps(zip, entries);
  std::vector<ZipMember> members;
  members.reserve(entries.size());
  for (ZipEntry& entry : entries) members.push_back(std::move(entry.member));
  return members;
}

}  // namespace attn
