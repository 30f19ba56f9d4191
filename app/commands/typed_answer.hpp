// Compares what a reader types with the answer of a lesson.
#pragma once

#include <string>

namespace attn::app {

/// "Right." or "Not quite.", if the answer begins with a number, a word in quotation marks, Yes or
/// No, and one word was typed; otherwise empty: the reader compares.
std::string verdict_on(const std::string& typed, const std::string& answer);

}  // namespace attn::app
