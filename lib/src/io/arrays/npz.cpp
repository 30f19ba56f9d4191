// .npz files: a zip archive of .npy files.
#include <cstdint>
#include <optional>
#include <unordered_set>
#include <utility>

#include "attn/io/tensor_file.hpp"
#include "core/trace/text_pieces.hpp"
#include "io/arrays/bytes.hpp"
#include "io/arrays/inflate.hpp"
#include "io/arrays/npy.hpp"
#include "io/arrays/zip.hpp"

namespace attn {
namespace {

constexpr std::string_view kExtension = ".npy";
constexpr std::uint64_t kMostInflated = std::uint64_t{1} << 27;  // bytes of a whole file

/// The array's name: that of the member, without ".npy".
std::string array_name(const ZipMember& member, const std::string& file) {
  const std::string& name = member.name;
  if (name.ends_with(kExtension)) return name.substr(0, name.size() - kExtension.size());
  throw tensor_error(
      {file}, "npz-format", "expected only arrays (.npy) in the archive, found " + excerpt(name),
      "Write it with np.savez(path, name=array); save a PyTorch file (.pt) as .safetensors.");
}

void check_names(const std::vector<ZipMember>& members, const std::string& file) {
  std::unordered_set<std::string> names;
  for (const ZipMember& member : members) {
    if (names.insert(array_name(member, file)).second) continue;
    throw tensor_error({file}, "npz-format",
                       "expected each array once, found " + excerpt(member.name) + " twice",
                       "Write it again with np.savez(path, name=array).");
  }
}

/// Inflated arrays can be a thousand times as large as the file, and eight times larger again as
/// float64, so there is a limit. Subtracts what the member needs from `room`.
void check_inflated_size(const ZipMember& member, const Origin& origin, std::uint64_t& room) {
  if (member.size > room) {
    throw tensor_error(origin, "npz-format",
                       "expected compressed arrays of at most 128 MiB in all, found more",
                       "Write them with np.savez instead of np.savez_compressed.");
  }
  room -= member.size;
}

NamedArray read_member(const ZipMember& member, const Origin& origin, const MakeRoom& room) {
  std::optional<std::string> inflated;
  if (member.deflated) {
    inflated = inflate_bytes(member.stored, static_cast<std::size_t>(member.size));
  }
  const std::string_view contents = inflated ? *inflated : member.stored;
  const bool whole = inflated.has_value() == member.deflated && crc32(contents) == member.crc;
  if (!whole) {
    throw tensor_error(origin, "npz-format",
                       member.deflated && !inflated
                           ? "the compressed bytes are damaged"
                           : "the bytes are damaged: their checksum (CRC-32) does not match",
                       kCopyAgain);
  }
  return read_npy_array(contents, origin, room);
}

void check_writable(std::span<const ArrayView> arrays) {
  constexpr std::size_t kLongestName = 65535;
  const char* fix = "Write a .safetensors file instead.";
  std::uint64_t bytes = 0;
  for (const ArrayView& named : arrays) {
    const std::size_t name_size = named.name.size() + kExtension.size();
    if (name_size > kLongestName) {
      throw tensor_error({}, "npz-format",
                         "the name " + excerpt(named.name) + " is too long for an .npz file", fix);
    }
    bytes += 2 * name_size + npy_header(named.shape).size() + named.size_bytes();
  }
  if (fits_zip(arrays.size(), bytes)) return;
  throw tensor_error({}, "npz-format",
                     "expected at most 65534 arrays and 4 GiB for an .npz file, "
                     "found " +
                         std::to_string(arrays.size()) + " arrays and " + bytes_text(bytes),
                     fix);
}

}  // namespace

std::vector<NamedArray> read_npz(std::string_view bytes, const std::string& file_name,
                                 const WantArray& wanted, const MakeRoom& room) {
  const std::vector<ZipMember> members = list_zip(bytes, file_name);
  check_names(members, file_name);
  std::uint64_t inflated = kMostInflated;
  std::vector<NamedArray> arrays;
  for (const ZipMember& member : members) {
    const Origin origin{file_name, array_name(member, file_name)};
    const bool read = wanted(origin.array);
    if (read && member.deflated) check_inflated_size(member, origin, inflated);
    arrays.push_back(read ? read_member(member, origin, room) : NamedArray{origin.array, {}, ""});
  }
  return arrays;
}

std::vector<ListedArray> list_npz(std::string_view bytes, const std::string& file_name,
                                  const MakeRoom& room) {
  const std::vector<ZipMember> members = list_zip(bytes, file_name);
  check_names(members, file_name);
  std::uint64_t inflated = kMostInflated;
  std::vector<ListedArray> listed;
  for (const ZipMember& member : members) {
    const Origin origin{file_name, array_name(member, file_name)};
    if (member.deflated) check_inflated_size(member, origin, inflated);
    const auto begin = static_cast<std::size_t>(member.stored.data() - bytes.data());
    listed.push_back({origin.array,
                      member.deflated ? read_member(member, origin, room).array.shape
                                      : read_npy_header(member.stored, origin).shape,
                      [member, origin, begin](std::string_view all) {
                        ZipMember here = member;
                        here.stored = all.substr(begin, member.stored.size());
                        return read_member(here, origin, any_size).array;
                      }});
  }
  return listed;
}

void each_npz_piece(std::span<const ArrayView> arrays, const Sink& sink) {
  check_writable(arrays);
  ZipArchive archive{sink};
  for (const ArrayView& named : arrays) {
    const std::string header = npy_header(named.shape);
    std::vector<std::string> rooms(named.parts.size());
    std::vector<std::string_view> parts{header};
    for (std::size_t i = 0; i < rooms.size(); ++i)
      parts.push_back(float64_bytes(named.parts[i], rooms[i]));
    add_member(archive, named.name + std::string(kExtension), parts);
  }
  finish(archive);
}

std::string write_npz(std::span<const NamedArray> arrays) {
  return in_one_text([&](const Sink& sink) { each_npz_piece(views_of(arrays), sink); });
}

}  // namespace attn
