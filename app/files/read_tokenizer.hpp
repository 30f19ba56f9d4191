// Reads the tokenizer of a model.
#pragma once

#include <string>

#include "attn/io/tokenizer.hpp"
#include "command.hpp"

namespace attn::app {

/// The path of the tokenizer.json in a folder; any other path stays as it is.
std::string tokenizer_path(const std::string& path);

/// The tokenizer in that file, or in that folder. Throws Error.
Tokenizer read_tokenizer(const std::string& path, const Streams& streams);

}  // namespace attn::app
