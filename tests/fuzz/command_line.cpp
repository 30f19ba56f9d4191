// A command line, one word per line, and standard input after an empty line.
// There is no folder to work in, and no word names another: nothing is read or written.
#include <unistd.h>

#include <array>
#include <sstream>

#include "cli.hpp"
#include "fuzz.hpp"

namespace {

void leave_all_folders() {
  std::string folder = "/tmp/attn-fuzz-XXXXXX";
  attn::fuzz::require(
      mkdtemp(folder.data()) != nullptr && chdir(folder.c_str()) == 0 && rmdir(folder.c_str()) == 0,
      "there is a folder that is gone");
}

std::vector<std::string> words_of(std::string_view& bytes) {
  std::vector<std::string> words;
  while (!bytes.empty()) {
    std::string word(bytes.substr(0, bytes.find('\n')));
    bytes.remove_prefix(std::min(word.size() + 1, bytes.size()));
    if (word.empty()) break;
    std::erase_if(word, [](char c) { return c == '/' || c == '\0'; });
    words.push_back(word);
  }
  return words;
}

}  // namespace

void try_input(std::string_view bytes) {
  static const bool left = (leave_all_folders(), true);
  attn::fuzz::require(left, "no folder");
  std::vector<std::string> words = words_of(bytes);
  std::istringstream in{std::string(bytes)};
  std::ostringstream out, err;
  const int code = attn::app::run(words, {in, out, err, {}});
  constexpr std::array kCodes{0, 1, 2, 3, 4};
  attn::fuzz::require(std::count(kCodes.begin(), kCodes.end(), code) == 1, "an exit code of ours");
  attn::fuzz::require(code < 2 || !err.str().empty(), "every refusal has a reason");
  attn::fuzz::require(code < 2 || out.str().empty(), "no output with an error");
}
