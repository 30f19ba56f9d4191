// Reads and makes the secret of an exercise.
#include "files/salt.hpp"

#include <random>

#include "attn/tool/phrases.hpp"
#include "files/files.hpp"

namespace attn::app {
namespace {

constexpr std::size_t kLeast = 16;  // characters: fewer could be tried one after the other

}  // namespace

std::string read_salt(const std::string& path, const Streams& streams) {
  std::string salt(trimmed(read_input(path, streams)));
  while (salt.ends_with('\n') || salt.ends_with('\r')) salt.pop_back();
  if (salt.size() >= kLeast) return salt;
  throw input_error(
      {.id = "short-salt",
       .what = filled("a salt needs at least {} characters; this one has {}", kLeast, salt.size()),
       .places = {{.file = path}},
       .fix = "Make one with --new-salt: whoever guesses it can make every key."});
}

std::string new_salt() {
  constexpr int kWords = 8;  // of 32 bits
  constexpr const char* kDigits = "0123456789abcdef";
  std::random_device system;
  std::string salt;
  for (int word = 0; word < kWords; ++word) {
    auto bits = system();
    for (int digit = 0; digit < 8; ++digit, bits >>= 4) salt += kDigits[bits & 15];
  }
  return salt;
}

}  // namespace attn::app
