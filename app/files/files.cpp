// Reads a file or standard input.
#include "files/files.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <istream>
#include <iterator>
#include <ostream>

namespace attn::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBytes = std::size_t{2} << 30;

/// All bytes of a stream. Throws Error (files) for a failure while reading.
std::string all_of(std::istream& stream, const std::string& name) {
  std::string text;
  try {
    std::array<char, 65536> part{};
    while (stream.read(part.data(), part.size()), stream.gcount() > 0) {
      text.append(part.data(), static_cast<std::size_t>(stream.gcount()));
      refuse_large_text(text.size(), name);
    }
  } catch (const std::ios_base::failure&) {
    stream.setstate(std::ios::badbit);
  }
  if (!stream.bad()) return text;
  throw file_error("cannot-read", name + " cannot be read: " + system_reason(errno),
                   "Check what it is: a problem is a JSON file.");
}

}  // namespace

Error file_error(const std::string& id, const std::string& what, const std::string& fix) {
  return {ErrorKind::Files, {{.id = id, .what = what, .fix = fix}}};
}

void refuse_large_text(std::uintmax_t bytes, const std::string& name) {
  if (bytes <= kMostBytes) return;
  throw file_error("cannot-read", name + " is larger than 2 GiB",
                   "Copy what you need from it into a smaller file.");
}

std::string system_reason(int error) {
  return error != 0 ? std::strerror(error) : "unknown reason";
}

std::string read_input(const std::string& path, const Streams& streams) {
  if (path == "-") {
    if (streams.terminal.in_is_terminal && !streams.common.quiet) {
      streams.err << "attn: reading from the keyboard; press Ctrl-D to end\n" << std::flush;
    }
    errno = 0;
    return all_of(streams.in, "standard input");
  }
  std::error_code failed;
  if (fs::is_directory(path, failed)) {
    throw file_error("cannot-read", "\"" + path + "\" is a folder, not a file",
                     "Name a file inside it.");
  }
  const std::uintmax_t size = fs::file_size(path, failed);
  if (!failed) refuse_large_text(size, "\"" + path + "\"");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (file.is_open()) return all_of(file, "\"" + path + "\"");
  throw cannot_open(path, errno);
}

std::vector<fs::path> entries_of(const fs::path& folder, std::error_code& failed,
                                 std::size_t most) {
  std::vector<fs::path> entries;
  fs::directory_iterator at(folder, failed);
  for (; !failed && at != fs::directory_iterator() && entries.size() < most; at.increment(failed))
    entries.push_back(at->path());
  std::sort(entries.begin(), entries.end());
  return entries;
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

}  // namespace attn::app
