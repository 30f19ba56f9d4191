// What the operations inside softmax share: rows without a visible key, and sums over a row.
#pragma once

#include <limits>

#include "core/operations/shape_rules.hpp"

namespace attn::ops {

/// The score of a hidden key.
inline constexpr double kHidden = -std::numeric_limits<double>::infinity();

inline constexpr const char* kEmptyRows[] = {"zero", "nan", "uniform", "error"};
inline constexpr ParameterField kEmptyRowField{
    .name = "empty_row",
    .kind = ParameterField::Kind::Word,
    .summary = "what becomes of a row without a visible key",
    .words = kEmptyRows};

/// The weights of a row of length `n` with nothing to attend to, by the parameter "empty_row".
double empty_value(const Parameters& p, Index n);

/// Whether that policy fills rows with something other than 0.
bool fills_rows(const Parameters& p);

/// A weight of a row with nothing to attend to as an expression, with its reason where it is not 0.
Expression empty_weight(const Parameters& p, Index n);

/// e^(x − largest), exactly 0 for a hidden score.
double shifted_exp(double x, double largest);

/// The largest of some numbers: NaN if one of them is NaN, −∞ if there are none.
double largest_of(std::span<const double> numbers);

/// The larger of the two; NaN if the first is NaN.
double with_sink(double largest, double sink);

inline constexpr const char* kSinkRule = "There is one sink, or one for each head.";
/// Whether `sink` has the shape of the sinks of `scores`.
bool is_sink(const Shape& sink, const Shape& scores);

/// Their sum: of few numbers in their order, of many in eight interleaved parts.
double sum_of(std::span<const double> numbers);

/// Numbers divided by their sum, or what the parameter "empty_row" wants where it is 0; `out` may
/// be `numbers`.
void divide(std::span<const double> numbers, double sum, const Parameters& p,
            std::span<double> out);

/// The cells of one row, as leaves of input 0.
std::vector<Expression> row_leaves(const Tensor& x, const Cell& cell);

}  // namespace attn::ops
