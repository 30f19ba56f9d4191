// The right column of each row, for losses and their gradients.
#pragma once

#include "core/operations/shape_rules.hpp"

namespace attn::ops {

inline constexpr ParameterField kLabelsField{.name = "labels",
                                             .kind = ParameterField::Kind::Counts,
                                             .summary = "the right column of each row, −1 for none",
                                             .least = -1};

/// The column that is right in a row, or −1; labels are listed batch entry by batch entry.
inline Index label_of(const Parameters& p, const Shape& shape, Index batch, Index row) {
  return p.counts("labels")[static_cast<std::size_t>(batch * shape.rows + row)];
}

double number_of_labels(const Parameters& p);

/// Whether every row of some logits has a label, and labels are columns.
bool labels_fit(const Parameters& p, const Shape& logits);

}  // namespace attn::ops
