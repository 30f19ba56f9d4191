// Reads the tokenizer of a model: from its file, from the folder of the model, or from beside it.
#include "files/read_tokenizer.hpp"

#include <filesystem>

#include "attn/core/memory_budget.hpp"
#include "attn/error.hpp"
#include "attn/hugging_face.hpp"
#include "files/files.hpp"
#include "files/input.hpp"

namespace attn::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTokenizer = "tokenizer.json";

bool is_folder(const std::string& path) {
  std::error_code failed;
  return fs::is_directory(path, failed);
}

}  // namespace

std::string tokenizer_path(const std::string& path) {
  return is_folder(path) ? (fs::path(path) / kTokenizer).string() : path;
}

std::string tokenizer_beside(const std::string& path) {
  if (path.empty() || path == "-") return "";
  if (path.ends_with(".gguf")) return path;  // has its own
  const fs::path folder = is_folder(path) ? fs::path(path) : fs::path(path).parent_path();
  std::error_code failed;
  return fs::is_regular_file(folder / kTokenizer, failed) ? (folder / kTokenizer).string() : "";
}

Tokenizer read_tokenizer(const std::string& path, const Streams& streams, double max_memory) {
  const std::string file = tokenizer_path(path);
  const auto opens = file == path ? open_input : open_part;
  const auto input = [&] {
    try {
      return opens(file, streams, max_memory);
    } catch (const Error& error) {
      throw with_advice_on_file(error, "Name the tokenizer.json of a model, or its folder.");
    }
  }();
  const MakeRoom room = tensor_file(input, max_memory).room;
  MemoryBudget budget = input->budget(max_memory);
  return input->read([&](std::string_view bytes) {
    return bytes.starts_with("GGUF") ? read_gguf_tokenizer(bytes, input->name(), room)
                                     : Tokenizer::read(bytes, input->name(), &budget);
  });
}

std::optional<Tokenizer> tokenizer_of_model(const ProblemSource& source, const Streams& streams) {
  const std::string path =
      source.tokenizer.empty() ? tokenizer_beside(source.path) : source.tokenizer;
  if (path.empty()) return std::nullopt;
  try {
    return read_tokenizer(path, streams, source.max_memory);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Input) return std::nullopt;
    throw;
  }
}

}  // namespace attn::app
