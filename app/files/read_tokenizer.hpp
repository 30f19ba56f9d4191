// Reads the tokenizer of a model.
#pragma once

#include <optional>
#include <string>

#include "attn/io/tokenizer.hpp"
#include "command.hpp"
#include "files/read_problem.hpp"

namespace attn::app {

/// The path of the tokenizer.json in a folder; any other path stays as it is.
std::string tokenizer_path(const std::string& path);

/// The tokenizer in that file (a tokenizer.json, or GGUF), or in that folder. Throws Error:
/// also "memory-limit" for what takes more bytes than that.
Tokenizer read_tokenizer(const std::string& path, const Streams& streams,
                         double max_memory = kUsualMemory);

/// The tokenizer.json in the folder of a model, or beside its file; a GGUF file itself; "" if there
/// is none.
std::string tokenizer_beside(const std::string& path);

/// The tokenizer of a model: the one that is named, or else the one beside it. Nothing if there is
/// none, or only a vocab.json, or one that attn does not have.
std::optional<Tokenizer> tokenizer_of_model(const ProblemSource& source, const Streams& streams);

}  // namespace attn::app
