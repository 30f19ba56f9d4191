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
  const std::string file = tokenizer_path(path);
  const auto opens = file == path ? open_input : open_part;
  const auto input = opens(file, streams, kUsualMemory);
  return input->read([&](std::string_view bytes) { return Tokenizer::read(bytes, input->name()); });
}

}  // namespace attn::app
