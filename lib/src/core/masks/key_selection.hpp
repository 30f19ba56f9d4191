// The keys (or queries) that the arguments of a mask name.
#pragma once

#include "core/masks/mask.hpp"

namespace attn {

/// Whether the text is a whole number from 0, short enough to be read.
bool is_count(const std::string& text);

/// Which tokens the arguments of `spec` (indices, ranges "2-4", token texts) mean, per batch entry.
/// `what` is "key" or "query"; there are `n` tokens in each of `entries` entries.
std::vector<std::vector<bool>> select(const MaskSpec& spec, const std::string& what,
                                      const TokenLists& tokens, Index n, Index entries,
                                      Complaints& complaints);

/// Whether a token has one of the usual names of padding: <pad> or [PAD].
bool names_padding(const std::string& token);

/// What is padding where a mask names nothing: tokens of these names, and the rows of `zero`.
std::vector<std::vector<bool>> padding(const TokenLists& tokens,
                                       const std::vector<std::vector<bool>>& zero, Index entries);

}  // namespace attn
