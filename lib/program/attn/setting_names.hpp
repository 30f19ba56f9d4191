// The words for the settings of a problem, as problem files, options and traces write them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "attn/settings.hpp"

namespace attn {

// Value: MaskingMode, EmptyRow, Align, PositionKind, RopeScalingKind, QkNormKind, QkNormAfter,
// GateOn or Dtype.

/// Throws Error (id "unknown-value"), which lists the words and has `pointer` as its place.
template <class Value>
Value parse_word(std::string_view text, const std::string& pointer);

template <class Value>
const char* word_of(Value value);

/// Every word, the default first.
template <class Value>
std::vector<std::string> words_of();

/// "1/sqrt(d_k)", "none", or a number written out.
ScaleRule parse_scale(std::string_view text, const std::string& pointer = "/scale");

}  // namespace attn
