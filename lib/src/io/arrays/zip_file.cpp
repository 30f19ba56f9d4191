// Lists an archive, refuses what leads out of it or is too large, and inflates the rest.
#include "attn/io/zip_file.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include "attn/error.hpp"
#include "attn/phrases.hpp"
#include "io/arrays/bytes.hpp"
#include "io/arrays/inflate.hpp"
#include "io/arrays/tensor_error.hpp"
#include "io/arrays/zip.hpp"

namespace attn {
namespace {

constexpr std::uint32_t kFileType = 0170000, kLink = 0120000, kProgram = 0100755, kPlain = 0100644;

/// With / between folders, as Windows may not have it.
std::string with_slashes(std::string name) {
  std::replace(name.begin(), name.end(), '\\', '/');
  return name;
}

/// Whether a name leads out of the folder in which it would be.
bool leads_out(const std::string& name) {
  if (name.starts_with('/') || (name.size() > 1 && name[1] == ':')) return true;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find('/', at), name.size());
    if (name.substr(at, end - at) == "..") return true;
    at = end + 1;
  }
  return false;
}

/// Why a member is not even looked into; "" if it may be.
std::string refusal(const ZipMember& member, const std::string& name, const ZipLimits& limits) {
  if (leads_out(name)) return "its name leads out of the archive";
  if (std::any_of(name.begin(), name.end(), [](char c) { return c >= 0 && c < ' '; }))
    return "its name has characters that nobody can see";
  if ((member.mode & kFileType) == kLink) return "it is a link, and links are not followed";
  if (member.size > limits.bytes_each)
    return "it takes " + bytes_text(member.size) + ", and a sheet takes a few thousand";
  return "";
}

/// The bytes of a member; nothing if they are damaged, or not as many as the directory says.
std::optional<std::string> bytes_of(const ZipMember& member) {
  std::optional<std::string> bytes =
      member.deflated ? inflate_bytes(member.stored, static_cast<std::size_t>(member.size))
                      : std::optional(std::string(member.stored));
  if (bytes && crc32(*bytes) != member.crc) bytes.reset();
  return bytes;
}

Error broken_archive(const std::string& what, const std::string& name) {
  return input_error({.id = "zip-format",
                      .what = "this archive cannot be read: " + what,
                      .places = {{.file = name}},
                      .fix = "Download it again, or unpack it and name the folder."});
}

}  // namespace

std::string write_zip(std::span<const FileToZip> files) {
  std::uint64_t size = 0;
  for (const FileToZip& each : files) size += each.bytes.size() + 2 * each.name.size();
  if (!fits_zip(files.size(), size))
    throw input_error({.id = "too-large",
                       .what = filled("expected at most 65534 files and 4 GiB for a zip archive, "
                                      "found {} and {}",
                                      counted(std::ssize(files), "file"), bytes_text(size)),
                       .fix = "Leave out what is not needed."});
  std::string bytes;
  const Sink sink = [&](std::string_view piece) { bytes += piece; };
  ZipArchive archive{sink};
  for (const FileToZip& each : files) {
    const std::string_view part = each.bytes;
    add_member(archive, each.name, {&part, 1}, each.runs ? kProgram : kPlain);
  }
  finish(archive);
  return bytes;
}

bool is_zip(std::string_view bytes) {
  return bytes.starts_with("PK\x03\x04") || bytes.starts_with("PK\x05\x06");
}

std::vector<ZippedFile> read_zip(std::string_view bytes, const std::string& name,
                                 const ZipLimits& limits) {
  if (!is_zip(bytes))
    throw broken_archive("expected a zip archive, found " + describe_bytes(bytes), name);
  std::vector<ZipMember> members;
  try {
    members = list_zip(bytes, name);
  } catch (const Error& error) {
    throw broken_archive(error.diagnostics().front().what, name);
  }
  std::erase_if(members, [](const ZipMember& each) {
    return each.name.empty() || each.name.ends_with('/') || each.name.ends_with('\\');
  });
  if (members.size() > limits.files)
    throw input_error({.id = "zip-format",
                       .what = filled("expected at most {} files in an archive, found {}",
                                      limits.files, members.size()),
                       .places = {{.file = name}},
                       .fix = "Unpack it, and name the folder with the sheets."});
  std::vector<ZippedFile> files;
  std::set<std::string> names;
  for (const ZipMember& member : members) {
    ZippedFile file{.name = with_slashes(member.name), .time = member.time};
    file.broken = refusal(member, file.name, limits);
    if (file.broken.empty() && !names.insert(file.name).second)
      file.broken = "the archive has another file of this name";
    files.push_back(std::move(file));
  }
  std::vector<std::size_t> smallest_first(members.size());
  std::iota(smallest_first.begin(), smallest_first.end(), std::size_t{0});
  std::stable_sort(smallest_first.begin(), smallest_first.end(),
                   [&](std::size_t a, std::size_t b) { return members[a].size < members[b].size; });
  std::uint64_t left = limits.bytes;
  for (const std::size_t i : smallest_first) {  // so that huge files keep no sheet out
    ZippedFile& file = files[i];
    if (file.broken.empty() && members[i].size > left)
      file.broken = "the archive holds more than can be read at once";
    if (!file.broken.empty()) continue;
    left -= members[i].size;
    if (std::optional<std::string> own = bytes_of(members[i])) {
      file.bytes = std::move(*own);
    } else {
      file.broken = "its bytes in the archive are damaged";
    }
  }
  return files;
}

}  // namespace attn
