// The positions of rows, for the operations that use them.
#pragma once

#include "core/operations/shape_rules.hpp"

namespace attn::ops {

inline constexpr ParameterField kBaseField{.name = "base",
                                           .kind = ParameterField::Kind::Number,
                                           .summary = "wavelengths grow to 2π·base",
                                           .least = 0.0};
inline constexpr ParameterField kRotaryDimField{.name = "rotary_dim",
                                                .kind = ParameterField::Kind::Count,
                                                .summary = "how many columns are rotated",
                                                .least = 2,
                                                .multiple_of = 2};
inline constexpr ParameterField kInterleavedField{
    .name = "interleaved",
    .kind = ParameterField::Kind::Flag,
    .summary = "whether pairs are neighbouring columns, not one from each half"};
inline constexpr ParameterField kOffsetsField{
    .name = "offsets",
    .kind = ParameterField::Kind::Counts,
    .summary = "the position of row 0: one, or one per batch entry",
    .least = -2147483648.0};

inline constexpr ParameterField kPositionsField{
    .name = "row_positions",
    .kind = ParameterField::Kind::Counts,
    .summary = "the position of each row where they do not count up, a list for each offset",
    .least = 0,
    .required = false};

/// Whether every row has a position: one offset, or list of positions, for all batch entries, or
/// one for each.
bool has_offsets(const Parameters& p, const Shape& own);

/// The position of a row: its index, or what is listed for it, plus the offset of its batch entry.
Index position(const Parameters& p, Index batch, Index row);

/// The divisor of pair `i` of `d` columns: base^(2i/d).
double wavelength(double base, Index i, Index d);

inline constexpr ParameterField kFrequenciesField{
    .name = "frequencies",
    .kind = ParameterField::Kind::Numbers,
    .summary = "what the position is multiplied by in each pair, in place of 1 / base^(2i/d)",
    .required = false};
inline constexpr ParameterField kAttentionFactorField{.name = "attention_factor",
                                                      .kind = ParameterField::Kind::Number,
                                                      .summary = "what multiplies cosine and sine",
                                                      .least = 0.0,
                                                      .required = false};

inline constexpr ParameterField kFirstColumnField{.name = "first_column",
                                                  .kind = ParameterField::Kind::Count,
                                                  .summary = "the first column that is rotated",
                                                  .least = 0,
                                                  .required = false};

/// The first column that is rotated: 0 unless it is given.
Index first_column(const Parameters& p);

/// Whether there are no frequencies, or one for each of `pairs`.
bool has_frequencies(const Parameters& p, Index pairs);

/// What multiplies cosines and sines: 1 unless positions are scaled.
double attention_factor(const Parameters& p);

/// The angle of pair `i` of `d` columns.
double angle_at(const Parameters& p, Index batch, Index row, Index i, Index d);

/// position / base^(2i/d), or position · frequency, as arithmetic writes it.
Expression angle(const Parameters& p, Index batch, Index row, Index i, Index d);

}  // namespace attn::ops
