#include "files.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "attn/error.hpp"

namespace attn::app {
namespace {

Error file_error(const std::string& id, const std::string& what, const std::string& fix) {
  return {Fault::Files, {{.id = id, .what = what, .fix = fix}}};
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

}  // namespace

std::string read_input(const std::string& path, const Streams& streams) {
  if (path == "-") {
    if (streams.terminal.in_is_terminal) {
      streams.err << "attn: reading a problem from the keyboard; end it with Ctrl-D\n"
                  << std::flush;
    }
    return {std::istreambuf_iterator<char>(streams.in), {}};
  }
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed)) {
    throw file_error("cannot-read", "\"" + path + "\" is a folder, not a file",
                     "Name a problem file inside it.");
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text;
  if (file) text.assign(std::istreambuf_iterator<char>(file), {});
  if (file.bad() || !file.is_open()) {
    throw file_error(
        "cannot-read", "\"" + path + "\" cannot be read: " + reason(),
        "Check the name and the folder; `attn new --list` shows the built-in samples.");
  }
  return text;
}

void write_output(const std::string& path, const std::string& text, const Streams& streams) {
  if (path.empty() || path == "-") {
    write_stdout(text, streams.out);
    return;
  }
  namespace fs = std::filesystem;
  std::error_code failed;
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
    if (!failed) return;
  }
  std::error_code ignored;
  fs::remove(beside, ignored);
  throw file_error("cannot-write",
                   "\"" + path + "\" cannot be written: " + (failed ? failed.message() : why),
                   "Check that the folder exists and may be written to.");
}

}  // namespace attn::app
