// Applying masks to the queries and keys of a problem.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "attn/core/memory_budget.hpp"
#include "attn/mask.hpp"
#include "core/text/complaints.hpp"

namespace attn {

/// What to do with negative numbers under `allowed`.
inline constexpr const char* kAddedMask =
    "A mask that is added to the scores, 0 where a query may attend and a negative number where "
    "not, belongs under \"bias\".";

/// What masks are applied to: sizes, tokens and positions.
struct MaskSite {
  std::optional<Index> batch, heads;
  Index n_queries = 0, n_keys = 0;
  Index n_extra = 0;                            ///< keys after those, which no mask hides
  TokenLists query_tokens, key_tokens;          ///< one list, or one per batch entry
  std::vector<Index> offsets;                   ///< p_i = i + offset, one, or one per batch entry
  std::vector<std::vector<bool>> zero_queries;  ///< those whose input row is all zero, per entry
  std::vector<std::vector<bool>> zero_keys;     ///< likewise
  const char* matrix = "allowed";               ///< the key of the file that gives a matrix

  Index entries() const { return batch.value_or(1); }
  /// The element for batch entry `b` in a list that has one for all or one for each.
  template <typename List>
  static const auto& of_entry(const List& list, Index b) {
    return list[list.size() == 1 ? 0 : static_cast<std::size_t>(b)];
  }
};

/// Whether the keys that a query sees depend on its position among them.
bool depends_on_position(const MaskSpec& spec);

/// What hides keys: specs, then `allowed`, then `key_lengths`. Absent without any of them. It has
/// the leading axes along which they differ; `take` gets the number of its bytes before it is made.
/// Specs that hide nothing are added to `idle`.
std::optional<Visibility> resolve_masks(const std::vector<MaskSpec>& specs,
                                        const std::optional<Tensor>& allowed,
                                        const std::vector<Index>& key_lengths, const MaskSite& site,
                                        const std::function<void(double bytes)>& take,
                                        std::vector<std::string>& idle, Complaints& complaints);

/// T_q × 1 of 0 (padding) and 1, from the `queries` masks; absent without one.
std::optional<Tensor> resolve_query_masks(const std::vector<MaskSpec>& specs, const MaskSite& site,
                                          std::vector<std::string>& idle, Complaints& complaints);

}  // namespace attn
