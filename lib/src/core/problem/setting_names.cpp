// The words of settings, each table once.
#include "attn/setting_names.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "attn/arithmetic.hpp"
#include "attn/error.hpp"
#include "attn/phrases.hpp"
#include "attn/suggest.hpp"
#include "core/tensor/dtype.hpp"

namespace attn {
namespace {

// The words of each enumeration, in its order.
constexpr auto words(MaskingMode) {
  return std::array{"replace", "add", "multiply", "renormalize"};
}
constexpr auto words(EmptyRow) { return std::array{"zero", "nan", "uniform", "error"}; }
constexpr auto words(Align) { return std::array{"start", "end", "key-lengths"}; }
constexpr auto words(ScaleRule::Kind) { return std::array{"1/sqrt(d_k)", "none"}; }
constexpr auto words(PositionKind) {
  return std::array{"none",          "sinusoidal", "rope",    "rope-interleaved",
                    "alibi",         "t5",         "learned", "sinusoidal-halves",
                    "sinusoidal-t2t"};
}
constexpr auto words(ScoreKind) { return std::array{"dot", "additive", "distance"}; }
constexpr auto words(NormalizeKind) { return std::array{"softmax", "sum", "sigmoid"}; }
constexpr auto words(RopeScalingKind) {
  return std::array{"default", "linear", "dynamic", "yarn", "llama3", "longrope"};
}
constexpr auto words(QkNormKind) { return std::array{"none", "rms", "layer", "l2"}; }
constexpr auto words(FusedKind) { return std::array{"by-name", "parts", "per-head", "per-group"}; }
constexpr auto words(MatrixLayout) { return std::array{"rows", "columns"}; }
constexpr auto words(QkNormAfter) { return std::array{"projection", "rope"}; }
constexpr auto words(GateOn) { return std::array{"context", "concat", "output"}; }
constexpr auto words(Dtype) { return std::to_array(kDtypeNames); }

template <class Value>
std::optional<Value> find_word(std::string_view text) {
  constexpr std::array kWords = words(Value{});
  const auto at = std::find(kWords.begin(), kWords.end(), text);
  if (at == kWords.end()) return std::nullopt;
  return static_cast<Value>(at - kWords.begin());
}

/// Where one of `known`, or `other`, is expected.
Error unknown_value(std::string_view text, const std::string& pointer,
                    const std::vector<std::string>& known, const std::string& other = "") {
  std::vector<std::string> all = quoted(known);
  const std::string name(text.substr(text.rfind('.') + 1));  // of "torch.float32"
  const bool meant = std::find(known.begin(), known.end(), name) != known.end();
  if (!other.empty()) all.push_back(other);
  return input_error(
      {.id = "unknown-value",
       .what = (pointer.empty() ? "the value" : pointer.substr(pointer.rfind('/') + 1)) +
               " cannot be \"" + std::string(text) + "\"" +
               did_you_mean(name, meant ? std::vector{name} : known),
       .places = {{.pointer = pointer}},
       .fix = "Write " + either(all) + "."});
}

}  // namespace

template <class Value>
std::vector<std::string> words_of() {
  constexpr std::array kWords = words(Value{});
  return {kWords.begin(), kWords.end()};
}

template <class Value>
Value parse_word(std::string_view text, const std::string& pointer) {
  if (const std::optional<Value> value = find_word<Value>(text)) return *value;
  throw unknown_value(text, pointer, words_of<Value>());
}

template <class Value>
const char* word_of(Value value) {
  return words(value)[static_cast<std::size_t>(value)];
}

#define INSTANTIATE(Value)                                                \
  template std::vector<std::string> words_of<Value>();                    \
  template Value parse_word<Value>(std::string_view, const std::string&); \
  template const char* word_of<Value>(Value)
INSTANTIATE(MaskingMode);
INSTANTIATE(EmptyRow);
INSTANTIATE(Align);
INSTANTIATE(PositionKind);
INSTANTIATE(ScoreKind);
INSTANTIATE(FusedKind);
INSTANTIATE(MatrixLayout);
INSTANTIATE(NormalizeKind);
INSTANTIATE(RopeScalingKind);
INSTANTIATE(QkNormKind);
INSTANTIATE(QkNormAfter);
INSTANTIATE(GateOn);
INSTANTIATE(Dtype);
#undef INSTANTIATE

ScaleRule parse_scale(std::string_view text, const std::string& pointer) {
  if (const auto kind = find_word<ScaleRule::Kind>(text)) return {*kind, 1.0};
  const std::optional<double> number = arithmetic(text);
  if (number && std::isfinite(*number)) return {ScaleRule::Kind::Number, *number};
  throw unknown_value(text, pointer, words_of<ScaleRule::Kind>(), "a number");
}

}  // namespace attn
