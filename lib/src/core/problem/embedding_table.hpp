// Embeddings looked up in a table, by tokens or text.
#pragma once

#include <optional>

#include "core/problem/build.hpp"

namespace attn {

/// X from `embeddings`, or from the embedding table with `text` or `tokens`: T × d_model, for a
/// batch N × T × d_model. Returns nothing, with a complaint, if a word is not in the table.
std::optional<Array> embeddings_of(Build& build);

/// The same for the memory; the draft must have one.
std::optional<Array> memory_of(Build& build);

/// The words of `draft.text`. Text without spaces is cut into entries of the embedding table, the
/// longest that fits first, if it can be.
std::vector<std::string> text_words(const ProblemDraft& draft);

}  // namespace attn
