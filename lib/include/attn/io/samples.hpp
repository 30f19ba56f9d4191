// The built-in problems and tokenizers.
#pragma once

#include <span>
#include <string_view>

namespace attn {

/// One of the problem files in samples/, compiled in.
struct Sample {
  std::string_view name;  ///< "01-one-head", the file's name without its extension
  std::string_view text;  ///< the file's bytes
};

/// In teaching order; the first one is shown when no file is named.
std::span<const Sample> samples();

/// The files in samples/tokenizers/, each a tokenizer.json; the first one is used when no file is
/// named.
std::span<const Sample> sample_tokenizers();

}  // namespace attn
