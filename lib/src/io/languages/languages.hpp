// The catalogues of languages, as files that are compiled in.
#pragma once

#include <span>
#include <string_view>

namespace attn {

/// One of samples/lang/*.json.
struct LanguageFile {
  std::string_view name;  ///< "de"
  std::string_view text;  ///< the file's bytes
};

std::span<const LanguageFile> language_files();

}  // namespace attn
