// What matrix products share: sums in a fixed order, and groups of query heads.
#pragma once

#include "core/operations/shape_rules.hpp"
#include "core/tensor/eigen.hpp"

namespace attn::ops {

/// Whether the second factor is taken as it is or transposed.
enum class Second { Plain, Transposed };

/// How many keys A·B adds up at a time, whether others are left out or not: a multiple of what
/// Eigen's products take at a time on any machine.
inline constexpr Index kProductStep = 192;

/// Whether a product with sums of that many terms is so small that they are added one by one.
bool is_small(Index terms, const Shape& result);

/// Rows of A·B or A·Bᵀ, where A is the first input and B all of the second. Products with fewer
/// multiplications than a limit are summed term by term, in the order of the columns, as on paper:
/// Eigen's order of summation may depend on the place in memory if a product is small, but not if
/// it is large.
template <Second how>
void write_product(const RowsCall& call);

/// A·B, where a block of zeros in A costs nothing if it meets only finite numbers of B: what a
/// causal mask or a window hides.
void write_mixture(const RowsCall& call);

/// The numbers as Eigen sees them.
inline auto eigen_rows(const Rows<const double>& m) {
  return ConstMatrixView(m.begin, m.rows, m.cols);
}
inline auto eigen_rows(const Rows<double>& m) { return MatrixView(m.begin, m.rows, m.cols); }

/// For products: the first input is read row by row, the others whole.
inline std::size_t first_by_row(const Parameters&) { return 1; }

/// The products of numbers that add up to one cell of a matrix product.
template <Second how>
std::vector<Expression> product_terms(const Call& call, const Cell& cell);

/// A product whose second factor may have fewer heads, each serving a group of query heads.
MaybeShape grouped(const Shape& a, const Shape& b, Index rows, Index cols);

/// Whether the optional flag of that name is set.
bool is_set(const Parameters& p, std::string_view name);

/// Whether the weights are transposed: tied to the token table, or by mistake.
bool is_transposed(const Parameters& p);

/// The parameter that says how heads are grouped, if there is one.
Parameters groups_of(const Parameters& p);

inline constexpr ParameterField kTransposedField{
    .name = "transposed",
    .kind = ParameterField::Kind::Flag,
    .summary = "whether the weights are transposed: tied weights, or a mistake",
    .required = false};
inline constexpr ParameterField kTiledField{
    .name = "tiled",
    .kind = ParameterField::Kind::Flag,
    .summary = "whether key/value heads repeat as 0, 1, 0, 1 instead of 0, 0, 1, 1",
    .required = false};

inline constexpr const char* kProductRule = "In A·B, A must have as many columns as B has rows.";

}  // namespace attn::ops
