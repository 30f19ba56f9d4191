// Reads and makes the secret of an exercise.
#include <filesystem>
#include <random>

#include "attn/phrases.hpp"
#include "files/exercise_folder.hpp"
#include "files/input.hpp"

namespace attn::app {
namespace {

constexpr std::size_t kLeast = 16;  // characters: a shorter salt could be guessed by trying

/// The error about a salt that is not there, with what a salt is.
Error without_salt(const Error& error, const std::string& path) {
  std::vector<Diagnostic> all = error.diagnostics();
  all.front().fix =
      "The salt is the secret from which the sheets of a class are made. Name the file that "
      "--new-salt wrote, or write a new one with --new-salt " +
      shell_word(path) + ".";
  return {error.kind(), std::move(all)};
}

/// The bytes of the file. Throws Error (input) for a Git LFS pointer, which is no secret: it lies
/// in a repository.
std::string secret_in(const Input& input) {
  const auto is_pointer = [](std::string_view bytes) { return bytes.starts_with(kLfsPointer); };
  if (input.read(is_pointer)) refuse_foreign(input.kind(), input.name(), "a salt");
  return input.read([](std::string_view bytes) { return std::string(bytes); });
}

}  // namespace

std::string read_salt(const std::string& path, const Streams& streams) {
  const std::string bytes = [&] {
    std::error_code none;
    try {
      return secret_in(*open_input(path, streams));
    } catch (const Error& error) {
      throw std::filesystem::exists(path, none) ? error : without_salt(error, path);
    }
  }();
  std::string salt(trimmed(bytes));
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
