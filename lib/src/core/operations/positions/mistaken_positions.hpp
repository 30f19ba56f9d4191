// Angles as people get them wrong, for rotary positions and for sines and cosines.
#pragma once

#include "core/operations/shape_rules.hpp"

namespace attn::ops {

inline constexpr ParameterField kExponentFactorField{.name = "exponent_factor",
                                                     .kind = ParameterField::Kind::Number,
                                                     .summary = "what multiplies the exponent",
                                                     .required = false};
inline constexpr ParameterField kExponentShiftField{
    .name = "exponent_shift",
    .kind = ParameterField::Kind::Number,
    .summary = "what is added to 2i in the exponent, before it is multiplied",
    .required = false};
inline constexpr const char* kPlaces[] = {"row", "first", "head"};
inline constexpr ParameterField kPlaceField{
    .name = "place",
    .kind = ParameterField::Kind::Word,
    .summary = "what is counted: rows; nothing, so that all rows are where row 0 is; or heads",
    .words = kPlaces,
    .required = false};

/// An optional parameter of a mistaken operation, or what is right.
double number_or(const Parameters& p, std::string_view name, double right);
bool flag_or(const Parameters& p, std::string_view name, bool right);
Index count_or(const Parameters& p, std::string_view name, Index right);

/// The position of a row by `place`.
Index mistaken_position(const Parameters& p, const Cell& cell);

}  // namespace attn::ops
