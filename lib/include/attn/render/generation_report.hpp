// Generated text for people, as a document, and for programs, as JSON.
#pragma once

#include <string>

#include "attn/document.hpp"
#include "attn/generate.hpp"
#include "attn/io/trace_file.hpp"

namespace attn {

/// A line for each token: what was chosen, what came second, and how much was multiplied.
Document generation_document(const Generation& generation, const std::string& title,
                             int precision = kUsualDecimals);

/// The same as JSON (docs/whole-models.md).
std::string generation_json(const Generation& generation, NonFinite nonfinite = NonFinite::Words);

}  // namespace attn
