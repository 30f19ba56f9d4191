// Reads a whole model as Hugging Face saves it.
#pragma once

#include <string>
#include <vector>

#include "attn/problem_file.hpp"
#include "command.hpp"

namespace attn::app {

/// Where a model is.
struct ModelSource {
  std::string path;    ///< of the weights, their index, or a folder with either and config.json
  std::string config;  ///< of config.json; empty: in the folder
  std::vector<std::string> outputs = {};  ///< files that the command will write
};

/// Whether the path can only be a whole model: a folder with a config.json or weights, or an index.
bool is_model_path(const std::string& path);

/// The weights, and the model that the config describes; without token ids.
ProblemFile read_model(const ModelSource& source, const Streams& streams);

/// Gives the tokens of the draft the names that a tokenizer.json or a vocab.json has for them.
void name_tokens(const std::string& path, ProblemFile& file, const Streams& streams);

}  // namespace attn::app
