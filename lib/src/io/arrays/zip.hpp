// Zip archives, as far as .npz files need them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attn/core/format.hpp"

namespace attn {

/// One file inside a zip archive, according to its directory.
struct ZipMember {
  std::string name;
  std::string_view stored;  ///< its bytes in the archive: as they are, or deflated
  bool deflated = false;
  std::uint64_t size = 0;  ///< once inflated
  std::uint32_t crc = 0;   ///< of the inflated bytes
  std::uint32_t mode = 0;  ///< as Unix has it, if a Unix made the archive; otherwise 0
  std::uint32_t time = 0;  ///< date and time as DOS has them: later ones are larger
};

/// The members of an archive (PKWARE's APPNOTE 6.3, with zip64), in the order of its directory.
/// Only the directory counts: a local header need only have the same name. Throws Error (id
/// "npz-format") for what is cut off, encrypted, split, compressed in another way, or overlaps.
std::vector<ZipMember> list_zip(std::string_view bytes, const std::string& file);

/// An archive on its way to a sink, without compression; every member is dated 1980-01-01.
struct ZipArchive {
  const Sink& sink;
  std::string directory = {};  ///< what is written after the members
  std::size_t size = 0;        ///< bytes so far
  std::size_t count = 0;       ///< members so far
};

/// Whether an archive without zip64 can hold that many members of `bytes` in all: their contents,
/// and their names twice.
bool fits_zip(std::size_t members, std::uint64_t bytes);

/// Adds a file of these parts. Needs fits_zip for all members, and a name of at most 65,535 bytes.
/// `mode` is what Unix gives the file: 0755 for a program; 0 says nothing.
void add_member(ZipArchive& archive, const std::string& name,
                std::span<const std::string_view> parts, std::uint32_t mode = 0);

void finish(ZipArchive& archive);

}  // namespace attn
