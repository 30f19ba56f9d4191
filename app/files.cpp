#include "files.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "attn/error.hpp"
#include "attn/text.hpp"

namespace attn::app {
namespace {

Error file_error(const std::string& id, const std::string& what, const std::string& fix) {
  return {ErrorKind::Files, {{.id = id, .what = what, .fix = fix}}};
}

std::string reason() { return errno != 0 ? std::strerror(errno) : "unknown reason"; }

void write_stdout(const std::string& text, std::ostream& out) {
  errno = 0;
  out << text << std::flush;
  if (out) return;
  if (errno == EPIPE) return;  // the reader has seen enough
  throw file_error("cannot-write", "standard output cannot be written: " + reason(),
                   "Check that the disk is not full.");
}

/// All bytes of a stream; a failure while reading is told, not thrown by the stream.
std::string all_of(std::istream& stream, const std::string& name) {
  constexpr std::size_t kMost = std::size_t{2} << 30;
  std::string text;
  try {
    std::array<char, 65536> part{};
    while (stream.read(part.data(), part.size()), stream.gcount() > 0) {
      text.append(part.data(), static_cast<std::size_t>(stream.gcount()));
      if (text.size() <= kMost) continue;
      throw file_error("cannot-read", name + " is larger than 2 GiB",
                       "Take what you need from it into a smaller file.");
    }
  } catch (const std::ios_base::failure&) {
    stream.setstate(std::ios::badbit);
  }
  if (!stream.bad()) return text;
  throw file_error("cannot-read", name + " cannot be read: " + reason(),
                   "Check what it is: a problem is a JSON file.");
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

std::string read_input(const std::string& path, const Streams& streams) {
  if (path == "-") {
    if (streams.terminal.in_is_terminal && !streams.common.quiet) {
      streams.err << "attn: reading a problem from the keyboard; end it with Ctrl-D\n"
                  << std::flush;
    }
    errno = 0;
    return all_of(streams.in, "standard input");
  }
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed)) {
    throw file_error("cannot-read", "\"" + path + "\" is a folder, not a file",
                     "Name a problem file inside it.");
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (file.is_open()) return all_of(file, "\"" + path + "\"");
  throw file_error("cannot-read", "\"" + path + "\" cannot be read: " + reason(),
                   "Check the name and the folder; `attn new --list` shows the built-in samples.");
}

std::string shell_word(const std::string& text) {
  const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_-./:,=+@%").find(c) != std::string_view::npos;
  });
  if (plain) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

void require_path(const std::string& what, const std::string& path) {
  if (!path.empty()) return;
  throw Error(ErrorKind::Usage,
              {{.id = "empty-path",
                .what = what + " got an empty file name",
                .fix = "Name a file, or - for standard input and output. An empty variable of the "
                       "shell, perhaps?"}});
}

void refuse_same_file(const std::string& input, const std::string& output) {
  std::error_code none;
  const bool files = !input.empty() && input != "-" && !output.empty() && output != "-";
  if (!files || !std::filesystem::is_regular_file(output, none) ||
      !std::filesystem::equivalent(input, output, none)) {
    return;
  }
  throw Error(ErrorKind::Usage,
              {{.id = "same-file",
                .what = "the output \"" + output + "\" is the input file, which would be lost",
                .fix = "Name another file with -o."}});
}

void refuse_existing(const std::string& path) {
  std::error_code none;
  if (path.empty() || path == "-" || !std::filesystem::is_regular_file(path, none)) return;
  throw file_error("file-exists", "the file \"" + path + "\" exists already",
                   "Choose another name, or write over it with --force.");
}

void write_output(const std::string& given, const std::string& text, const Streams& streams) {
  if (given.empty() || given == "-") {
    write_stdout(text, streams.out);
    return;
  }
  namespace fs = std::filesystem;
  std::error_code failed;
  // What a link points to is replaced, not the link.
  const std::string path =
      fs::is_symlink(given, failed) ? fs::weakly_canonical(given, failed).string() : given;
  if (fs::exists(path, failed) && !fs::is_regular_file(path, failed)) {  // /dev/null and the like
    std::ofstream device(path, std::ios::binary);
    device << text << std::flush;
    if (device) return;
    throw file_error("cannot-write", "\"" + path + "\" cannot be written: " + reason(),
                     "Choose another file.");
  }
  const std::string beside = path + ".attn-" + std::to_string(getpid());
  errno = 0;
  std::ofstream file(beside, std::ios::binary);
  file << text << std::flush;
  file.close();
  const std::string why = reason();
  if (file) {
    if (fs::exists(path, failed)) fs::permissions(beside, fs::status(path).permissions(), failed);
    failed.clear();
    fs::rename(beside, path, failed);
    if (!failed) return say_written(given, text.size(), streams);
  }
  std::error_code ignored;
  fs::remove(beside, ignored);
  throw file_error("cannot-write",
                   "\"" + path + "\" cannot be written: " + (failed ? failed.message() : why),
                   "Check that the folder exists and may be written to.");
}

}  // namespace attn::app
