// The buckets of distances of T5, for the operations that use them.
#pragma once

#include "core/operations/positions/row_positions.hpp"

namespace attn::ops {

/// Parameters of both: offsets of queries, keys without a position, and how distances are cut.
inline constexpr ParameterField kBucketFields[] = {
    kOffsetsField,
    {.name = "n_distances",
     .kind = ParameterField::Kind::Count,
     .summary = "keys from this one on have no position",
     .least = 0},
    {.name = "max_distance",
     .kind = ParameterField::Kind::Count,
     .summary = "distances from this one on share the last bucket",
     .least = 1},
    {.name = "bidirectional",
     .kind = ParameterField::Kind::Flag,
     .summary = "whether half of the buckets are for later keys, not for earlier ones"}};

/// Whether distances can be cut into that many buckets.
bool has_buckets(const Parameters& p, Index buckets);

/// The bucket of key − query: one for each small distance, then wider and wider ones. As in the
/// T5 of Hugging Face's transformers, whose logarithms are float32.
Index bucket_of(const Parameters& p, Index buckets, Index distance);

/// Key − query of a cell of the bias.
inline Index distance_of(const Parameters& p, const Cell& cell) {
  return cell.col - position(p, cell.batch, cell.row);
}

}  // namespace attn::ops
