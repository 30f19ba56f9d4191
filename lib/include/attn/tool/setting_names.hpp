#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "attn/problem.hpp"

namespace attn {

/// The words for the settings of a problem, as problem files and options write them. Every parse_…
/// throws Error (id "unknown-value") that lists the words and has `pointer` as its place.

MaskingMode parse_masking(std::string_view text, const std::string& pointer = "/masking/mode");
EmptyRow parse_empty_row(std::string_view text, const std::string& pointer = "/empty_row");
Align parse_align(std::string_view text, const std::string& pointer = "/align");

/// "1/sqrt(d_k)", "none", or a number written out.
ScaleRule parse_scale(std::string_view text, const std::string& pointer = "/scale");

PositionKind parse_positions(std::string_view text, const std::string& pointer = "/positions");
Dtype parse_dtype(std::string_view text, const std::string& pointer = "/dtype");

const char* positions_name(PositionKind kind);
const char* dtype_name(Dtype dtype);
const char* masking_name(MaskingMode mode);
const char* empty_row_name(EmptyRow policy);
const char* align_name(Align align);

/// Every word of a setting, the default first.
std::vector<std::string> positions_names();
std::vector<std::string> dtype_names();
std::vector<std::string> masking_names();
std::vector<std::string> empty_row_names();
std::vector<std::string> align_names();
std::vector<std::string> scale_names();

}  // namespace attn
