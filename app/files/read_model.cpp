// Reads a whole model as Hugging Face saves it.
#include "files/read_model.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "attn/error.hpp"
#include "attn/tool/checkpoint.hpp"
#include "attn/tool/hugging_face.hpp"
#include "attn/tool/phrases.hpp"
#include "files/files.hpp"
#include "platform/mapped_file.hpp"

namespace attn::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kConfig = "config.json";
constexpr std::array kWeights{"model.safetensors.index.json", "model.safetensors"};

bool is_file(const fs::path& path) {
  std::error_code failed;
  return fs::is_regular_file(path, failed);
}

/// The weights in a folder: in one file, or in several with an index.
std::string weights_in(const fs::path& folder) {
  for (const char* name : kWeights) {
    if (is_file(folder / name)) return (folder / name).string();
  }
  throw file_error("cannot-read",
                   "the folder \"" + folder.string() +
                       "\" has a config.json, but no weights: "
                       "neither model.safetensors nor model.safetensors.index.json",
                   "Download model.safetensors too.");
}

void check_ending(const std::string& path) {
  const std::vector<std::string> endings = checkpoint_endings();
  const bool known = std::any_of(endings.begin(), endings.end(),
                                 [&](const std::string& ending) { return path.ends_with(ending); });
  if (known) return;
  throw usage_error("option-conflict",
                    path.empty() ? "--config describes a file of weights, but no file is named"
                                 : "--config describes a file of weights, but \"" + path +
                                       "\" is not one: its name should end in " + either(endings),
                    "Give model.safetensors with its config.json.");
}

}  // namespace

bool is_model_path(const std::string& path) {
  if (path.empty()) return false;
  const auto has = [&](const char* name) { return is_file(fs::path(path) / name); };
  return is_checkpoint_index(path) || has(kConfig) ||
         std::any_of(kWeights.begin(), kWeights.end(), has);
}

ProblemFile read_model(const ModelSource& source, const Streams& streams) {
  std::error_code failed;
  const bool folder = fs::is_directory(source.path, failed);
  const std::string weights = folder ? weights_in(source.path) : source.path;
  const std::string config =
      source.config.empty() ? (fs::path(source.path) / kConfig).string() : source.config;
  check_ending(weights);
  if (!folder && source.config.empty()) {
    throw usage_error(
        "option-conflict",
        "\"" + weights + "\" has the weights of a whole model, but does not say what it computes",
        "Name the configuration that was saved with it: --config config.json.");
  }
  const auto open = [&](const std::string& path) {
    for (const std::string& output : source.outputs) refuse_same_file(path, output);
    return open_tensor_file(path, streams);
  };
  ModelTensors tensors = checkpoint_tensors(weights, open);
  ProblemFile file = read_model_config(read_input(config, streams), config, std::move(tensors));
  file.places.override_with("/weights", weights);
  return file;
}

void name_tokens(const std::string& path, ProblemFile& file, const Streams& streams) {
  if (!file.draft.vocabulary && !file.draft.model) {
    throw usage_error("option-conflict",
                      "--tokenizer names the words of a vocabulary, and this problem has none",
                      "Leave it out, or name the folder of a whole model.");
  }
  if (!file.draft.vocabulary) file.draft.vocabulary.emplace();
  file.draft.vocabulary->tokens = read_token_texts(read_input(path, streams), path);
  file.places.override_with("/vocabulary/tokens", "--tokenizer " + path);
}

}  // namespace attn::app
