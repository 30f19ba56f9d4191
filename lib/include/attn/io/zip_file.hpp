// Zip archives of files: what learning platforms hand out, and take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// A file for an archive.
struct FileToZip {
  std::string name;  ///< "key/exercise.json"
  std::string bytes;
  bool runs = false;  ///< a program or a script
};

/// An archive of these files, without compression; the same bytes for the same files. Throws Error
/// (input, id "too-large") for more than 65,534 files or 4 GiB.
std::string write_zip(std::span<const FileToZip> files);

/// A file of an archive that is not trusted.
struct ZippedFile {
  std::string name;         ///< with / between folders
  std::string bytes = {};   ///< none if it is broken
  std::string broken = {};  ///< why it was not read, as a sentence
  std::int64_t time = 0;    ///< when it was changed: later times are larger
};

/// How much of an archive is read.
struct ZipLimits {
  std::size_t files = 10000;
  std::uint64_t bytes_each = std::uint64_t{16} << 20;
  std::uint64_t bytes = std::uint64_t{1} << 30;  ///< of all files together, smaller ones first
};

/// Whether bytes begin as a zip archive does.
bool is_zip(std::string_view bytes);

/// The files of an archive, in its order, without folders. Nothing is written anywhere; a name that
/// would lead out of a folder ("../x", "/x", "C:x"), a link, and a file beyond the limits are
/// broken. Throws Error (input, id "zip-format") if the archive itself is.
std::vector<ZippedFile> read_zip(std::string_view bytes, const std::string& name,
                                 const ZipLimits& limits = {});

}  // namespace attn
