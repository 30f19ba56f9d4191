// The most probable words in place of a matrix with a column for every word.
#pragma once

#include "attn/explain.hpp"

namespace attn {

/// More words than this do not fit side by side.
inline constexpr Index kMostWords = 12;

/// Adds a table of the five largest numbers of each row, with their words, if the step has logits
/// or probabilities of more words than fit beside each other; returns whether it did.
bool add_best_words(Document& document, const Step& step, const View& view);

}  // namespace attn
