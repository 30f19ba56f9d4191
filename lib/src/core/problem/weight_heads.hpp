// Weights of single heads, each in a module of its own: their names, and how they are joined.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/problem/foreign_weights.hpp"
#include "core/problem/weight_rows.hpp"

namespace attn {

/// "heads.0.key.weight": one of many modules, each with the projections of one head.
struct HeadName {
  Index head = 0;
  std::string rest;  ///< "key.weight"
};
std::optional<HeadName> head_name(std::string_view name);

/// The row of the part of a head, if it is a projection to q, k or v; else nullptr.
const WeightRow* head_row(const std::string& rest);

/// Puts the matrices of single heads side by side: returns what is left, with one array for each
/// part under the name that it has within a head. Complains where a head is missing.
WeightArrays with_heads_joined(const WeightArrays& given, Complaints& complaints);

}  // namespace attn
