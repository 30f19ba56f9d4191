// Reads the tokenizer of a model, from its file or from the folder of the model.
#include "files/read_tokenizer.hpp"

#include <filesystem>

#include "files/input.hpp"

namespace attn::app {

std::string tokenizer_path(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code failed;
  return fs::is_directory(path, failed) ? (fs::path(path) / "tokenizer.json").string() : path;
}

Tokenizer read_tokenizer(const std::string& path, const Streams& streams) {
  return parse_input(tokenizer_path(path), streams, Tokenizer::read);
}

}  // namespace attn::app
