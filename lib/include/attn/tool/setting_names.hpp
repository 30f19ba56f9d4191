// The words for the settings of a problem, as problem files, options and traces write them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "attn/problem.hpp"

namespace attn {

// Value: MaskingMode, EmptyRow, Align, PositionKind or Dtype.

/// Throws Error (id "unknown-value") that lists the words and has `pointer` as its place.
template <class Value>
Value parse_word(std::string_view text, const std::string& pointer);

template <class Value>
const char* word_of(Value value);

/// Every word, the default first.
template <class Value>
std::vector<std::string> words_of();

/// "1/sqrt(d_k)", "none", or a number written out.
ScaleRule parse_scale(std::string_view text, const std::string& pointer = "/scale");

inline EmptyRow parse_empty_row(std::string_view text, const std::string& pointer = "/empty_row") {
  return parse_word<EmptyRow>(text, pointer);
}
inline Align parse_align(std::string_view text, const std::string& pointer = "/align") {
  return parse_word<Align>(text, pointer);
}
inline MaskingMode parse_masking(std::string_view text,
                                 const std::string& pointer = "/masking/mode") {
  return parse_word<MaskingMode>(text, pointer);
}
inline PositionKind parse_positions(std::string_view text,
                                    const std::string& pointer = "/positions") {
  return parse_word<PositionKind>(text, pointer);
}
inline Dtype parse_dtype(std::string_view text, const std::string& pointer = "/dtype") {
  return parse_word<Dtype>(text, pointer);
}
inline const char* positions_name(PositionKind kind) { return word_of(kind); }
inline const char* dtype_name(Dtype dtype) { return word_of(dtype); }
inline const char* masking_name(MaskingMode mode) { return word_of(mode); }
inline const char* empty_row_name(EmptyRow policy) { return word_of(policy); }
inline const char* align_name(Align align) { return word_of(align); }

}  // namespace attn
