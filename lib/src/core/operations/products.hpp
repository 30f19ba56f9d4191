// What the three matrix products share: sums in a fixed order, and groups of query heads.
#pragma once

#include "core/operations/shape_rules.hpp"

namespace attn::ops {

/// Whether the second factor is taken as it is or transposed.
enum class Second { Plain, Transposed };

/// A·B or A·Bᵀ for every batch entry and head; B may have fewer heads, each serving a group. The
/// optional parameters below are known mistakes.
/// Products with fewer multiplications than a limit are summed term by term, in the order of the
/// columns, as on paper: Eigen's small products may sum in another order from one place in memory
/// to the next; its large ones do not.
template <Second how>
Tensor product_with(const Call& call);

/// The products that add up to one of its cells.
template <Second how>
std::vector<Expression> product_terms(const Call& call, const Cell& cell);

/// A product whose second factor may have fewer heads, each serving a group of query heads.
MaybeShape grouped(const Shape& a, const Shape& b, Index rows, Index cols);

/// Whether the optional flag of that name is set.
bool is_set(const Parameters& p, std::string_view name);

/// The parameter that says how heads are grouped, if there is one.
Parameters groups_of(const Parameters& p);

inline constexpr ParameterField kTransposedField{
    .name = "transposed",
    .kind = ParameterField::Kind::Flag,
    .summary = "whether the weights are transposed by mistake",
    .required = false};
inline constexpr ParameterField kTiledField{
    .name = "tiled",
    .kind = ParameterField::Kind::Flag,
    .summary = "whether key/value heads repeat as 0, 1, 0, 1 instead of 0, 0, 1, 1",
    .required = false};

inline constexpr const char* kProductRule = "In A·B, A must have as many columns as B has rows.";

}  // namespace attn::ops
