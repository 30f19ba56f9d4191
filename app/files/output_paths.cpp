// Where the names of outputs lead, and which of them are refused.
#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "attn/io/problem_file.hpp"
#include "attn/io/sheet_file.hpp"
#include "files/files.hpp"
#include "files/input.hpp"

namespace attn::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStdout = "/proc/self/fd/1";

/// The place that is written under that name: the same for all of its names.
fs::path place_of(const std::string& output) {
  if (is_stdout(output)) return kStdout;
  std::error_code failed;
  const std::string path = behind_links(output);
  if (path.starts_with("/dev/fd/")) return fs::path("/proc/self/fd") / fs::path(path).filename();
  if (names_stream(path)) {
    const fs::path stream = fs::read_symlink(path, failed);  // of /dev/stdout
    return stream.string().starts_with("/proc/self/") ? stream : fs::path(path);
  }
  const fs::path whole = fs::weakly_canonical(fs::absolute(path, failed), failed);
  return failed ? fs::path(output) : whole;
}

bool is_inside(const std::string& folder, const std::string& output) {
  if (is_stdout(output)) return false;
  const fs::path below = place_of(output).lexically_relative(place_of(folder));
  return !below.empty() && *below.begin() != "..";
}

/// Whether both are one place; standard output may be a file that has a name, too.
bool is_same_place(const fs::path& a, const fs::path& b) {
  std::error_code none;
  const bool stream = a == kStdout || b == kStdout;
  return a == b || (stream && fs::is_regular_file(a, none) && fs::equivalent(a, b, none));
}

/// As attn makes it: 64 hexadecimal digits, whatever an editor puts after them.
bool is_salt(std::string_view bytes) {
  const std::string_view digits = bytes.substr(0, bytes.find_last_not_of(" \t\r\n") + 1);
  return digits.size() == 64 && digits.find_first_not_of("0123456789abcdef") == digits.npos;
}

/// What nobody could make again: "a salt"; "" for anything else.
std::string irreplaceable(std::string_view bytes) {
  const std::string format = is_salt(bytes) ? "" : stated_format(bytes);
  return is_salt(bytes) ? "a salt, from which the sheets of a class are made"
         : format == "attn.sheet" || is_sheet_table(bytes) ? "a sheet of an exercise"
         : format == "attn.exercise"                       ? "the key of an exercise"
                                                           : "";
}

Error would_replace(const std::string& output, const std::string& what) {
  return usage_error("same-file", "the output \"" + output + "\" is in " + what,
                     "Name a place outside that folder.");
}

}  // namespace

std::string behind_links(const std::string& path) {
  constexpr int kMostLinks = 40;  // as many as the system follows
  std::error_code failed;
  fs::path at = path;
  for (int links = 0; fs::is_symlink(at, failed); ++links) {
    if (links == kMostLinks) throw cannot_write(path, ELOOP);
    if (names_stream(at.string())) break;
    at = at.parent_path() / fs::read_symlink(at, failed);
  }
  return at.string();
}

void refuse_same_file(const std::string& input, const std::string& output) {
  std::error_code none;
  if (is_stdout(output) || input.empty() || input == "-" || !fs::is_regular_file(output, none) ||
      !fs::equivalent(input, output, none))
    return;
  throw usage_error("same-file",
                    "the output \"" + output + "\" is the input file, which would be lost",
                    "Choose another name for the output.");
}

void refuse_inside(const std::string& folder, const std::string& what,
                   const std::vector<std::string>& outputs) {
  for (const std::string& output : outputs) {
    if (is_inside(folder, output)) throw would_replace(output, what);
  }
}

void refuse_replacing(const std::string& folder, const std::string& what,
                      const std::function<bool(const std::string& path)>& is_own,
                      const std::vector<std::string>& outputs) {
  std::error_code none;
  for (const std::string& output : outputs) {
    if (is_inside(folder, output) && fs::is_regular_file(output, none) && !is_own(output))
      throw would_replace(output, what + ", and would replace a file");
  }
}

void refuse_irreplaceable(const std::string& output, const Streams& streams) {
  constexpr std::uintmax_t kLargest = 16 << 20;  // of a sheet
  std::error_code none;
  if (is_stdout(output) || !fs::is_regular_file(output, none)) return;
  if (fs::file_size(output, none) > kLargest) return;
  std::string what;
  try {
    what = Input(output, streams, kUsualMemory).read(irreplaceable);
  } catch (const Error&) {
    return;  // what cannot be read may be replaced
  }
  if (what.empty()) return;
  throw file_error("file-exists", "\"" + output + "\" is " + what + ": it is never written over",
                   what.starts_with("a salt") ? "Use it with --salt-file, or choose another name."
                                              : "Choose another name for the output.");
}

void refuse_twice(const std::vector<std::string>& outputs) {
  std::vector<fs::path> seen;
  for (const std::string& output : outputs) {
    const fs::path place = place_of(output);
    const auto same = std::find_if(seen.begin(), seen.end(), [&](const fs::path& other) {
      return is_same_place(place, other);
    });
    if (same == seen.end()) {
      seen.push_back(place);
      continue;
    }
    if (place != *same) {
      throw usage_error("same-file",
                        "standard output goes to a file that is also named as an output",
                        "Write them to different files.");
    }
    if (place == kStdout) {
      throw usage_error("same-file", "two outputs would go to standard output",
                        "Name a file for one of them, with -o for example.");
    }
    throw usage_error("same-file", "the output \"" + output + "\" is named twice",
                      "Give each output a name of its own.");
  }
}

bool names_stream(const std::string& path) {
  std::error_code none;
  return path.starts_with("/dev/fd/") || path.starts_with("/proc/") ||
         fs::read_symlink(path, none).string().starts_with("/proc/");
}

}  // namespace attn::app
