#include "attn/tool/setting_names.hpp"

#include <cmath>
#include <locale>
#include <optional>
#include <sstream>
#include <utility>

#include "attn/error.hpp"
#include "attn/tool/suggest.hpp"

namespace attn {
namespace {

template <class Value>
struct Word {
  const char* name;
  Value value;
};

constexpr Word<MaskingMode> kMaskings[] = {
    {"replace", MaskingMode::Replace},
    {"add", MaskingMode::Add},
    {"multiply", MaskingMode::Multiply},
    {"renormalize", MaskingMode::Renormalize},
};

constexpr Word<EmptyRow> kEmptyRows[] = {
    {"zero", EmptyRow::Zero},
    {"nan", EmptyRow::Nan},
    {"uniform", EmptyRow::Uniform},
    {"error", EmptyRow::Error},
};

constexpr Word<Align> kAligns[] = {
    {"start", Align::Start},
    {"end", Align::End},
    {"key-lengths", Align::KeyLengths},
};

constexpr Word<ScaleRule::Kind> kScales[] = {
    {"1/sqrt(d_k)", ScaleRule::Kind::InverseSqrtDk},
    {"none", ScaleRule::Kind::None},
};

constexpr Word<PositionKind> kPositions[] = {
    {"none", PositionKind::None},   {"sinusoidal", PositionKind::Sinusoidal},
    {"rope", PositionKind::Rope},   {"rope-interleaved", PositionKind::RopeInterleaved},
    {"alibi", PositionKind::Alibi},
};

constexpr Word<Dtype> kDtypes[] = {
    {"float64", Dtype::Float64},
    {"float32", Dtype::Float32},
    {"bfloat16", Dtype::Bfloat16},
    {"float16", Dtype::Float16},
};

template <class Value, std::size_t N>
std::vector<std::string> names(const Word<Value> (&words)[N]) {
  std::vector<std::string> list;
  for (const Word<Value>& word : words) list.push_back(word.name);
  return list;
}

template <class Value, std::size_t N>
const char* name_of(const Word<Value> (&words)[N], Value value) {
  for (const Word<Value>& word : words) {
    if (word.value == value) return word.name;
  }
  return "";
}

template <class Value, std::size_t N>
std::optional<Value> value_of(const Word<Value> (&words)[N], std::string_view text) {
  for (const Word<Value>& word : words) {
    if (word.name == text) return word.value;
  }
  return std::nullopt;
}

/// `known` in quotation marks, and `other` as one more thing that is allowed.
Error unknown_value(std::string_view text, const std::string& pointer,
                    const std::vector<std::string>& known, const std::string& other = "") {
  std::string list;
  for (std::size_t i = 0; i < known.size(); ++i) {
    const bool last = i + 1 == known.size() && other.empty();
    list += (i == 0 ? "\"" : last ? " or \"" : ", \"") + known[i] + "\"";
  }
  if (!other.empty()) list += " or " + other;
  return input_error({.id = "unknown-value",
                      .what = "expected " + list + ", found \"" + std::string(text) + "\"" +
                              did_you_mean(text, known),
                      .places = {{.pointer = pointer}},
                      .fix = "Write " + list + "."});
}

template <class Value, std::size_t N>
Value parse(const Word<Value> (&words)[N], std::string_view text, const std::string& pointer) {
  if (const std::optional<Value> value = value_of(words, text)) return *value;
  throw unknown_value(text, pointer, names(words));
}

/// The number that the whole text is, in the C locale whatever the program's locale.
std::optional<double> number_of(std::string_view text) {
  std::istringstream stream{std::string(text)};
  stream.imbue(std::locale::classic());
  double number = 0.0;
  stream >> std::noskipws >> number;
  const bool whole = !stream.fail() && stream.peek() == std::istringstream::traits_type::eof();
  return whole && std::isfinite(number) ? std::optional<double>(number) : std::nullopt;
}

}  // namespace

MaskingMode parse_masking(std::string_view text, const std::string& pointer) {
  return parse(kMaskings, text, pointer);
}

EmptyRow parse_empty_row(std::string_view text, const std::string& pointer) {
  return parse(kEmptyRows, text, pointer);
}

Align parse_align(std::string_view text, const std::string& pointer) {
  return parse(kAligns, text, pointer);
}

ScaleRule parse_scale(std::string_view text, const std::string& pointer) {
  if (const auto kind = value_of(kScales, text)) return {*kind, 1.0};
  if (const auto number = number_of(text)) return {ScaleRule::Kind::Number, *number};
  const std::size_t slash = text.find('/');
  const auto over = number_of(text.substr(0, slash));
  const auto under = slash == text.npos ? std::nullopt : number_of(text.substr(slash + 1));
  Diagnostic wrong = unknown_value(text, pointer, scale_names(), "a number").diagnostics().front();
  if (over && under && *under != 0.0) {
    std::ostringstream number;
    number.imbue(std::locale::classic());
    number << *over / *under;
    wrong.fix = "Write the number: " + number.str() + ".";
  }
  throw input_error(std::move(wrong));
}

PositionKind parse_positions(std::string_view text, const std::string& pointer) {
  return parse(kPositions, text, pointer);
}

Dtype parse_dtype(std::string_view text, const std::string& pointer) {
  return parse(kDtypes, text, pointer);
}

const char* positions_name(PositionKind kind) { return name_of(kPositions, kind); }
const char* dtype_name(Dtype dtype) { return name_of(kDtypes, dtype); }
const char* masking_name(MaskingMode mode) { return name_of(kMaskings, mode); }
const char* empty_row_name(EmptyRow policy) { return name_of(kEmptyRows, policy); }
const char* align_name(Align align) { return name_of(kAligns, align); }

std::vector<std::string> positions_names() { return names(kPositions); }
std::vector<std::string> dtype_names() { return names(kDtypes); }
std::vector<std::string> masking_names() { return names(kMaskings); }
std::vector<std::string> empty_row_names() { return names(kEmptyRows); }
std::vector<std::string> align_names() { return names(kAligns); }
std::vector<std::string> scale_names() { return names(kScales); }

}  // namespace attn
