// Writes the outputs of a command: files, devices and standard output.
#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <memory>
#include <ostream>

#include "attn/error.hpp"
#include "attn/render/text.hpp"
#include "files/files.hpp"
#include "platform/regular_file.hpp"
#include "platform/whole_file.hpp"

namespace attn::app {
namespace {

namespace fs = std::filesystem;

/// The reader of our output has left, having seen enough.
struct ClosedPipe {};

/// Passes each piece to the stream at once, and stops at the first that cannot be written.
template <typename Fail>
Sink into(std::ostream& stream, Fail fail) {
  return [&stream, fail](std::string_view piece) {
    errno = 0;
    stream << piece << std::flush;
    if (!stream) fail();
  };
}

constexpr const char* kInPlace =
    "It can only be written in place, not replaced: write to standard output, and add > FILE.";

/// What to do about a system error.
struct Remedy {
  int error;
  const char* fix;
};
constexpr std::array kRemedies{
    Remedy{ENOSPC, "The disk is full: make room on it, or write to another one."},
#ifdef EDQUOT  // not on Windows
    Remedy{EDQUOT, "Your share of the disk is full: remove something, or write to another one."},
#endif
    Remedy{EFBIG, "The file may not grow that large: choose less with --steps."},
    Remedy{EACCES, "You may not write there: choose another folder."},
    Remedy{EPERM, "You may not write there: choose another folder."},
    Remedy{EROFS, "Nothing can be written to that disk: choose another folder."},
    Remedy{EBUSY, kInPlace},
    Remedy{EEXIST, "Choose another name: it is never written over."},
    Remedy{ENOTDIR, "One of the folders in that name is a file: correct it."},
    Remedy{ELOOP, "A link leads back to itself: remove it, or choose another name."},
    Remedy{ENAMETOOLONG, "Choose a shorter name."},
    Remedy{EPIPE, "The program that reads it has stopped: start it again."},
};

std::string remedy(int error, const std::string& otherwise) {
  const auto row = std::find_if(kRemedies.begin(), kRemedies.end(),
                                [&](const Remedy& each) { return each.error == error; });
  return row == kRemedies.end() ? otherwise : row->fix;
}

Error unwritable_stdout(int error) {
  const std::string closed = "It is closed: leave out >&-, or name a file with -o.";
  return file_error("cannot-write", "standard output cannot be written: " + system_reason(error),
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

/// Writes to /dev/null, a pipe, or a stream by its name in /dev: after what it already holds.
void write_device(const std::string& path, const WritePieces& write) {
  const auto fail = [&] { throw cannot_write(path, errno); };
  errno = 0;
  std::ofstream device(fs::path(path), std::ios::binary | std::ios::app);
  if (!device) fail();
  write(into(device, fail));
}

/// "812 bytes", "12.3 kB": thousands, as disks are sold.
std::string size_text(std::size_t bytes) {
  constexpr std::array kUnits{"kB", "MB", "GB"};
  if (bytes < 1000) return std::to_string(bytes) + " bytes";
  std::size_t tenths = bytes / 100, unit = 0;
  for (; tenths >= 10000 && unit + 1 < kUnits.size(); ++unit) tenths /= 1000;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " " + kUnits[unit];
}

void say_written(const std::string& path, bool replaced, std::size_t bytes,
                 const Streams& streams) {
  if (streams.common.quiet) return;
  const std::string name = visible(path);
  const bool ascii = streams.common.ascii || !streams.terminal.err_utf8;
  streams.err << (replaced ? "replaced " : "wrote ") << (ascii ? to_ascii(name) : name) << ", "
              << size_text(bytes) << "\n"
              << std::flush;
}

/// Neither a file nor a free name.
bool is_device(const std::string& path) {
  if (names_device(path)) return true;
  std::error_code failed;
  if (fs::is_directory(path, failed)) {
    throw file_error("cannot-write", "\"" + path + "\" is a folder, not a file",
                     "Name a file inside it.");
  }
  return fs::is_symlink(path, failed) ||
         (fs::exists(path, failed) && !fs::is_regular_file(path, failed));
}

/// The temporary file of an output; nothing if it is written directly.
std::unique_ptr<WholeFile> beside_its_place(const Output& output, bool secret) {
  if (is_stdout(output.path)) return nullptr;
  const std::string path = behind_links(output.path);
  if (is_device(path)) return nullptr;
  const bool hidden = secret && output.kind == WholeFile::Kind::Usual;
  auto file = std::make_unique<WholeFile>(path, hidden ? WholeFile::Kind::Secret : output.kind);
  output.write([&](std::string_view piece) { file->write(piece); });
  file->close();
  return file;
}

}  // namespace

Error read_only(const std::string& path) {
  return file_error(
      "cannot-write", "\"" + path + "\" is read-only",
      "Choose another name, or allow writing to it: " + to_allow_writing(shell_word(path)) + ".");
}

Error cannot_write(const std::string& path, int error) {
  const std::string folder = fs::path(path).parent_path().string();
  std::error_code failed;
  if ((error == EACCES || error == EROFS) && fs::is_regular_file(path, failed))
    return file_error("cannot-write",
                      "\"" + path + "\" cannot be replaced: its folder takes no new files",
                      kInPlace);
  const std::string no_folder =
      folder.empty() ? "The folder that you are in was removed: go to another one."
      : fs::is_directory(folder, failed)
          ? "This folder takes no new files: choose another one."
          : "Make the folder \"" + folder + "\" first, or correct its name.";
  return file_error(
      "cannot-write", "\"" + path + "\" cannot be written: " + system_reason(error),
      remedy(error, error == ENOENT ? no_folder : "Check that you may write to the folder."));
}

void write_all(const std::vector<Output>& outputs, const Streams& streams) {
  std::vector<std::unique_ptr<WholeFile>> files;
  files.reserve(outputs.size());
  for (const Output& output : outputs) files.push_back(beside_its_place(output, streams.secret));
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (files[i] != nullptr) continue;
    if (is_stdout(outputs[i].path)) {
      write_stdout(outputs[i].write, streams.out);
    } else {
      write_device(outputs[i].path, outputs[i].write);
    }
  }
  std::vector<bool> replaced;
  for (const Output& output : outputs) {
    std::error_code none;
    replaced.push_back(!is_stdout(output.path) && fs::exists(output.path, none));
  }
  put_in_place(files);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (files[i] != nullptr && !outputs[i].silent)
      say_written(outputs[i].path, replaced[i], files[i]->size(), streams);
  }
}

Sink shown_json(const Sink& sink, const Streams& streams) {
  return [&sink, to_shown = streams.common.ascii ? json_to_ascii : json_visible](
             std::string_view json) { is_ascii(json) ? sink(json) : sink(to_shown(json)); };
}

void write_json(const std::string& path, const WritePieces& write, const Streams& streams) {
  write_all({{path, [&](const Sink& sink) { write(shown_json(sink, streams)); }}}, streams);
}

void write_output(const std::string& path, const std::string& text, const Streams& streams) {
  write_all({{path, [&](const Sink& sink) { sink(text); }}}, streams);
}

}  // namespace attn::app
