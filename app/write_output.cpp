#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "attn/error.hpp"
#include "attn/text.hpp"
#include "files.hpp"

namespace attn::app {
namespace {

namespace fs = std::filesystem;

/// The reader of our output has gone, having seen enough.
struct ClosedPipe {};

/// Gives each piece to the stream at once, and stops at the first that cannot be written.
template <typename Fail>
Sink into(std::ostream& stream, Fail fail) {
  return [&stream, fail](std::string_view piece) {
    errno = 0;
    stream << piece << std::flush;
    if (!stream) fail();
  };
}

/// What to do about a failure of the system.
struct Remedy {
  int error;
  const char* fix;
};
constexpr std::array kRemedies{
    Remedy{ENOSPC, "The disk is full: make room on it, or write to another one."},
    Remedy{EDQUOT, "Your share of the disk is full: remove something, or write to another one."},
    Remedy{EFBIG, "The file may not grow that large: choose less with --steps."},
    Remedy{EACCES, "You may not write there: choose another folder with -o."},
    Remedy{EPERM, "You may not write there: choose another folder with -o."},
    Remedy{EROFS, "Nothing can be written on that disk: choose another folder with -o."},
    Remedy{ENOENT, "Make the folder first, or correct its name."},
    Remedy{ENOTDIR, "One of the folders in that name is a file: correct it."},
    Remedy{ENAMETOOLONG, "Choose a shorter name."},
};

std::string remedy(int error, const std::string& otherwise) {
  const auto row = std::find_if(kRemedies.begin(), kRemedies.end(),
                                [&](const Remedy& each) { return each.error == error; });
  return row == kRemedies.end() ? otherwise : row->fix;
}

Error unwritable_stdout(int error) {
  const std::string closed = "It is closed: leave out >&-, or name a file with -o.";
  return file_error("cannot-write", "standard output cannot be written: " + system_reason(),
                    error == EBADF ? closed : remedy(error, "Name a file with -o."));
}

void write_stdout(const WritePieces& write, std::ostream& out) {
  try {
    write(into(out, [] {
      if (errno == EPIPE) throw ClosedPipe();
      throw unwritable_stdout(errno);
    }));
  } catch (const ClosedPipe&) {
  }
}

Error cannot_write(const std::string& path, int error) {
  const std::string why = error == 0 ? "unknown reason" : std::strerror(error);
  return file_error("cannot-write", "\"" + path + "\" cannot be written: " + why,
                    remedy(error, "Check that the folder exists and may be written to."));
}

/// /dev/null and the like.
void write_device(const std::string& path, const WritePieces& write) {
  const auto fail = [&] { throw cannot_write(path, errno); };
  errno = 0;
  std::ofstream device(path, std::ios::binary);
  if (!device) fail();
  write(into(device, fail));
}

/// A file that is removed again unless it has become another one.
struct Beside {
  std::string path;
  ~Beside() {
    std::error_code none;
    if (!path.empty()) fs::remove(path, none);
  }
};

/// Writes a file beside `path` and renames it over that. Returns how many bytes it has.
std::size_t replace_file(const std::string& path, const WritePieces& write) {
  Beside beside{path + ".attn-" + std::to_string(getpid())};
  errno = 0;
  std::ofstream file(beside.path, std::ios::binary);
  const auto fail = [&] { throw cannot_write(path, errno); };
  if (!file) fail();
  std::size_t bytes = 0;
  const Sink sink = into(file, fail);
  write([&](std::string_view piece) {
    sink(piece);
    bytes += piece.size();
  });
  file.close();
  if (!file) fail();
  std::error_code failed;
  if (fs::exists(path, failed)) {
    fs::permissions(beside.path, fs::status(path).permissions(), failed);
  }
  failed.clear();
  fs::rename(beside.path, path, failed);
  if (failed) throw cannot_write(path, failed.value());
  beside.path.clear();
  return bytes;
}

/// "812 bytes", "12.3 kB": thousands, as disks are sold.
std::string size_text(std::size_t bytes) {
  constexpr std::array kUnits{"kB", "MB", "GB"};
  if (bytes < 1000) return std::to_string(bytes) + " bytes";
  std::size_t tenths = bytes / 100, unit = 0;
  for (; tenths >= 10000 && unit + 1 < kUnits.size(); ++unit) tenths /= 1000;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " " + kUnits[unit];
}

void say_written(const std::string& path, std::size_t bytes, const Streams& streams) {
  if (streams.common.quiet) return;
  const std::string name = visible(path);
  const bool ascii = streams.common.ascii || !streams.terminal.utf8;
  streams.err << "wrote " << (ascii ? to_ascii(name) : name) << ", " << size_text(bytes) << "\n"
              << std::flush;
}

}  // namespace

void write_pieces(const std::string& given, const WritePieces& write, const Streams& streams) {
  if (given.empty() || given == "-") return write_stdout(write, streams.out);
  std::error_code failed;
  // What a link points to is replaced, not the link.
  const std::string path =
      fs::is_symlink(given, failed) ? fs::weakly_canonical(given, failed).string() : given;
  if (fs::is_directory(path, failed)) {
    throw file_error("cannot-write", "\"" + path + "\" is a folder, not a file",
                     "Name a file inside it.");
  }
  const bool device = fs::exists(path, failed) && !fs::is_regular_file(path, failed);
  if (device) return write_device(path, write);
  say_written(given, replace_file(path, write), streams);
}

void write_output(const std::string& path, const std::string& text, const Streams& streams) {
  write_pieces(
      path, [&](const Sink& sink) { sink(text); }, streams);
}

}  // namespace attn::app
