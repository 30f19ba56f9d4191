// Embeddings looked up in a table, by tokens or a text.
#pragma once

#include <optional>

#include "core/problem/build.hpp"

namespace attn {

/// X from `embeddings`, or from the embedding table with `text` or `tokens`: T × d_model, for a
/// batch N × T × d_model. Complains about words that are not in the table, and returns nothing.
std::optional<Array> embeddings_of(Build& build);

}  // namespace attn
