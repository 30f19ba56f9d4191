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

/// Keys that are padding by themselves: tokens <pad> or [PAD], and all-zero rows of the input.
std::vector<std::vector<bool>> padding_keys(const MaskSite& site);

}  // namespace attn
