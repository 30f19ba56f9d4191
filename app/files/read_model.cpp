// Reads a whole model as Hugging Face saves it.
#include <algorithm>
#include <array>
#include <filesystem>

#include "attn/checkpoint.hpp"
#include "attn/error.hpp"
#include "attn/hugging_face.hpp"
#include "attn/phrases.hpp"
#include "files/files.hpp"
#include "files/input.hpp"
#include "files/read_problem.hpp"
#include "files/read_tokenizer.hpp"

namespace attn::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kConfig = "config.json";
constexpr std::array kWeights{"model.safetensors.index.json", "model.safetensors",
                              "pytorch_model.bin.index.json", "pytorch_model.bin"};

bool is_file(const fs::path& path) {
  std::error_code failed;
  return fs::is_regular_file(path, failed);
}

bool is_gguf(const std::string& path) { return path.ends_with(".gguf"); }

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

/// Throws Error (usage) for a file that holds no tensors.
void check_weights(const std::string& path, const ProblemSource& source, const Streams& streams) {
  const ArrayFileType* named = array_file_type(path);
  const bool known =
      is_checkpoint_index(path) ||
      (named != nullptr
           ? named->several
           : !path.empty() && open_input(path, streams, source.max_memory)->has_tensors());
  if (known) return;
  throw usage_error("option-conflict",
                    path.empty() ? "--config describes a file of weights, but no file is named"
                                 : "--config describes a file of weights, but \"" + path +
                                       "\" is not one: its name should end in " +
                                       either(checkpoint_endings()),
                    "Give model.safetensors with its config.json.");
}

/// Names the tokens as that file does.
void take_names(const std::string& path, const ProblemSource& source, ProblemFile& file,
                const Streams& streams) {
  if (!file.draft.vocabulary) file.draft.vocabulary.emplace();
  file.draft.vocabulary->tokens = parse_input(path, streams, read_token_texts, source.max_memory);
  const std::string place = source.tokenizer.empty() ? path : "--tokenizer " + source.tokenizer;
  file.places.override_with("/vocabulary/tokens", place);
}

}  // namespace

bool is_model_path(const std::string& path) {
  if (path.empty()) return false;
  if (is_gguf(path)) return true;
  const auto has = [&](const char* name) { return is_file(fs::path(path) / name); };
  return is_checkpoint_index(path) || has(kConfig) ||
         std::any_of(kWeights.begin(), kWeights.end(), has);
}

ProblemFile read_model(const ProblemSource& source, const Streams& streams) {
  if (is_gguf(source.path) && source.config.empty()) {
    return read_gguf_model(
        tensor_file(open_input(source.path, streams, source.max_memory), source.max_memory));
  }
  std::error_code failed;
  const bool folder = fs::is_directory(source.path, failed);
  const std::string weights = folder ? weights_in(source.path) : source.path;
  const std::string config =
      source.config.empty() ? (fs::path(source.path) / kConfig).string() : source.config;
  check_weights(weights, source, streams);
  if (!folder && source.config.empty()) {
    throw usage_error(
        "option-conflict",
        "\"" + weights + "\" has the weights of a whole model, but does not say what it computes",
        "Name the configuration that was saved with it: --config config.json.");
  }
  const auto open = [&](const std::string& path) {
    const auto opens = path == weights ? open_input : open_part;
    return tensor_file(opens(path, streams, source.max_memory), source.max_memory);
  };
  ModelTensors tensors = checkpoint_tensors(weights, open);
  const auto parse = [&](std::string_view text, const std::string& name) {
    return read_model_config(text, name, std::move(tensors));
  };
  const auto opens = source.config.empty() ? open_part : open_input;  // nobody named it
  const auto input = opens(config, streams, source.max_memory);
  ProblemFile file =
      input->read([&](std::string_view bytes) { return parse(bytes, input->name()); });
  file.places.override_with("/weights", weights);
  return file;
}

void read_norm_beside(const ProblemSource& source, ProblemDraft& draft, const Streams& streams) {
  const fs::path config = fs::path(source.path).parent_path() / kConfig;
  const auto is_gain = [](const auto& weight) {
    return weight.first.find("norm.") != std::string::npos;  // q_norm.weight
  };
  if (source.path == "-" || !is_file(config)) return;
  if (std::none_of(draft.weights.begin(), draft.weights.end(), is_gain)) return;
  const auto parse = [&](std::string_view text, const std::string& name) {
    read_norm_config(text, name, draft);
    return true;
  };
  parse_input(config.string(), streams, parse, source.max_memory);
}

void name_tokens(const ProblemSource& source, ProblemFile& file, const Streams& streams) {
  if (!file.draft.vocabulary && !file.draft.model) {
    throw usage_error("option-conflict",
                      "--tokenizer names the words of a vocabulary, and this problem has none",
                      "Leave it out, or name the folder of a whole model.");
  }
  take_names(tokenizer_path(source.tokenizer), source, file, streams);
}

void encode_text(const ProblemSource& source, ProblemFile& file, const Streams& streams) {
  ProblemDraft& draft = file.draft;
  const bool looks_up = !draft.embedding_table.empty() || !draft.model;
  const bool to_decoder = draft.model && draft.source.has_value();
  if (!draft.text || looks_up || to_decoder || first_given(streams, {"--ids"})) return;
  const std::string path =
      source.tokenizer.empty() ? tokenizer_beside(source.path) : tokenizer_path(source.tokenizer);
  if (path.empty()) return;
  draft.ids = {read_tokenizer(path, streams, source.max_memory).encode(*draft.text)};
  file.places.override_with("/ids", "--text " + *draft.text);
  draft.text.reset();
  draft.tokens.clear();
  if (source.tokenizer.empty() && !is_gguf(path)) take_names(path, source, file, streams);
}

}  // namespace attn::app
