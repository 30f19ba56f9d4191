// Reads what a class handed in: any files, some of them broken.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "attn/io/sheet_file.hpp"
#include "command.hpp"

namespace attn::app {

/// One file.
struct HandedIn {
  std::string name;  ///< "ann/sheet.json", below the only operand; else the whole path
  std::filesystem::path path;
  std::filesystem::file_time_type time = {};
  std::string student = {}, variant = {}, exercise = {};  ///< as far as the file says
  Answers answers = {};
  std::optional<Sheet> sheet = {};  ///< as it came back; absent for a table
  std::optional<BugAnswer> bug = {};
  std::string bytes = {};   ///< of a file that is not broken
  std::string broken = {};  ///< why it cannot be graded, as a sentence; empty if it can
  bool seal_fits = false;   ///< of the sheet: nothing printed on it was changed since it was made
  bool is_empty = false;    ///< holds no bytes: broken, and never better than another file
  bool is_read = false;     ///< its bytes are those of a file in an archive
  bool ignored = false;     ///< a photo, a hidden file, or what systems leave in folders
  bool zip_time = false;    ///< its time is what an archive says, which goes by another clock
  bool refused = false;     ///< broken before anything of it was read
};

/// Whether a file is an archive by its name.
bool is_zip_name(const std::filesystem::path& path);

/// Whether what is named holds files: a folder, or a .zip archive as learning platforms make it.
bool is_collection(const std::string& path);

/// The one file that counts among those that one student handed in, whatever its name, by the same
/// rule as in a class. Throws Error (input, id "not-gradable") if there is none, or several that
/// differ.
HandedIn one_submission(const std::string& folder, const Streams& streams, double max_memory);

/// The bytes of large files where no limit is set: 256 MiB. A sheet has a few kilobytes.
inline constexpr double kSubmissionMemory = 268435456.0;

/// How files are read.
struct Reading {
  double max_memory =
      kSubmissionMemory;  ///< of one file in bytes, and of all large ones, if that is more
  DecimalMark mark = DecimalMark::Auto;
};

/// The files that are named and all files in and below the folders and archives that are named,
/// read, each once and sorted by name, without `others` (files and folders) and, in folders, hidden
/// ones (of which .json and .csv are there, ignored) and __MACOSX. Waits for no pipe but standard
/// input. Throws Error: files, if one that is named does not exist, or is a folder that cannot be
/// read; input, "zip-format" for an archive that cannot.
std::vector<HandedIn> handed_in(const std::vector<std::string>& named,
                                const std::vector<std::string>& others, const Reading& reading,
                                const Streams& streams);

/// Throws Error (input, id "not-gradable") for a link to a file: that may be the key.
void refuse_link(const std::string& path);

}  // namespace attn::app
