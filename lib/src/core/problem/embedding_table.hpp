// Embeddings looked up in a table, by tokens or a text.
#pragma once

#include <optional>

#include "core/problem/build.hpp"

namespace attn {

/// X from `embeddings`, or from the embedding table with `text` or `tokens`: T × d_model, for a
/// batch N × T × d_model. Returns nothing, with a complaint, if a word is not in the table.
std::optional<Array> embeddings_of(Build& build);

}  // namespace attn
