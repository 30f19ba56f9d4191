#include "io/trace/step_parameters.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>

#include "attn/tool/phrases.hpp"
#include "attn/tool/setting_names.hpp"
#include "core/operations/parameters.hpp"
#include "io/json/write_number.hpp"

namespace attn {
namespace {

using json::quoted;
using json::Value;

constexpr std::ptrdiff_t kSmallest = -(std::ptrdiff_t{1} << 31);

/// A word for each value of an enumeration, in its order.
template <std::size_t N>
std::size_t read_word(const Value& value, const std::array<const char*, N>& words) {
  const std::string& text = json::read_text(value);
  const auto at = std::find(words.begin(), words.end(), text);
  if (at != words.end()) return static_cast<std::size_t>(at - words.begin());
  throw input_error({.id = "unknown-value",
                     .what = "there is no \"" + text + "\" here",
                     .places = {{.pointer = value.pointer}},
                     .fix = "Write one of " + listed({words.begin(), words.end()}) + "."});
}

constexpr std::array kCuts{"contiguous", "interleaved", "reshaped"};
constexpr std::array kOver{"rows", "columns", "matrix"};
constexpr std::array kModes{"replace", "add"};

std::string number(double x) {
  std::string text;
  append_json_number(text, x);
  return text;
}

template <typename T, typename Write>
std::string list(const std::vector<T>& items, Write write) {
  std::string text;
  for (const T& item : items) text += (text.empty() ? "[" : ", ") + write(item);
  return text + "]";
}

std::string write_offsets(const Parameters& p) {
  return list(p.offsets, [](Index n) { return std::to_string(n); });
}

void read_offsets(const Value& v, Parameters& p) { p.offsets = read_counts(v, kSmallest); }

void read_base(const Value& v, Parameters& p) {
  p.base = json::read_number(v);
  if (p.base > 0.0) return;
  throw json::wrong_type(v.file, v.pointer, "a number above 0", "Write a number such as 10000.");
}

/// One parameter in the words of a trace. `write` gives "" for one that does not apply.
struct Field {
  const char* name;
  std::string (*write)(const Parameters& p);
  void (*read)(const Value& value, Parameters& p);
  bool required = true;
};

constexpr Field kEmptyRow{
    "empty_row", [](const Parameters& p) { return quoted(empty_row_name(p.empty_row)); },
    [](const Value& v, Parameters& p) { p.empty_row = parse_empty_row(read_text(v), v.pointer); }};
constexpr Field kBase{"base", [](const Parameters& p) { return number(p.base); }, read_base};
constexpr Field kOffsets{"offsets", write_offsets, read_offsets};

constexpr std::array kSplit{
    Field{"heads", [](const Parameters& p) { return std::to_string(p.heads); },
          [](const Value& v, Parameters& p) { p.heads = read_count(v, 1); }},
    Field{
        "cut", [](const Parameters& p) { return quoted(kCuts[static_cast<std::size_t>(p.cut)]); },
        [](const Value& v, Parameters& p) { p.cut = static_cast<HeadCut>(read_word(v, kCuts)); }}};

constexpr std::array kScale{
    Field{"factor", [](const Parameters& p) { return number(p.number); },
          [](const Value& v, Parameters& p) { p.number = read_number(v); }},
    Field{"d_k",  // the factor is 1/√d_k
          [](const Parameters& p) {
            return p.divisor == 0.0 ? "" : std::to_string(std::lround(p.divisor * p.divisor));
          },
          [](const Value& v, Parameters& p) {
            p.divisor = std::sqrt(static_cast<double>(read_count(v, 1)));
          },
          false}};

constexpr std::array kSoftcap{
    Field{"cap", [](const Parameters& p) { return number(p.number); },
          [](const Value& v, Parameters& p) { p.number = read_number(v); }}};

constexpr std::array kHide{
    Field{"mode", [](const Parameters& p) { return quoted(kModes[p.add ? 1 : 0]); },
          [](const Value& v, Parameters& p) { p.add = read_word(v, kModes) == 1; }},
    Field{"fill", [](const Parameters& p) { return number(p.number); },
          [](const Value& v, Parameters& p) { p.number = read_real(v); }}};

constexpr std::array kSoftmax{
    Field{"over",
          [](const Parameters& p) { return quoted(kOver[static_cast<std::size_t>(p.over)]); },
          [](const Value& v, Parameters& p) {
            p.over = static_cast<SoftmaxOver>(read_word(v, kOver));
          }},
    kEmptyRow,
    Field{"dtype", [](const Parameters& p) { return quoted(dtype_name(p.dtype)); },
          [](const Value& v, Parameters& p) { p.dtype = parse_dtype(read_text(v), v.pointer); }}};

constexpr std::array kDivide{kEmptyRow};

constexpr std::array kSinusoid{kBase, kOffsets};

constexpr std::array kRotate{
    kBase,
    Field{"rotary_dim", [](const Parameters& p) { return std::to_string(p.rotary_dim); },
          [](const Value& v, Parameters& p) { p.rotary_dim = read_count(v, 2); }},
    Field{"interleaved",
          [](const Parameters& p) { return std::string(p.interleaved ? "true" : "false"); },
          [](const Value& v, Parameters& p) { p.interleaved = read_flag(v); }},
    kOffsets};

constexpr std::array kAlibi{
    Field{"slopes", [](const Parameters& p) { return list(p.slopes, number); },
          [](const Value& v, Parameters& p) {
            p.slopes = read_lists(v, {1, 1}).data;
          }},
    kOffsets,
    Field{"n_distances", [](const Parameters& p) { return std::to_string(p.n_distances); },
          [](const Value& v, Parameters& p) { p.n_distances = read_count(v, 0); }}};

/// The operations that have parameters.
struct Row {
  Op op;
  std::span<const Field> fields;
};
constexpr std::array kRows{
    Row{Op::SplitHeads, kSplit},   Row{Op::Sinusoid, kSinusoid}, Row{Op::Rotate, kRotate},
    Row{Op::AlibiBias, kAlibi},    Row{Op::Scale, kScale},       Row{Op::Softcap, kSoftcap},
    Row{Op::Hide, kHide},          Row{Op::Softmax, kSoftmax},   Row{Op::DivideRows, kDivide},
    Row{Op::Renormalize, kDivide},
};

std::span<const Field> fields_of(Op op) {
  for (const Row& row : kRows) {
    if (row.op == op) return row.fields;
  }
  return {};
}

Error missing(const std::string& key, const std::string& pointer) {
  return input_error({.id = "missing-key",
                      .what = "expected the key \"" + key + "\", found an object without it",
                      .places = {{.pointer = pointer}},
                      .fix = "Write the trace again with attn."});
}

}  // namespace

std::string parameters_json(Op op, const Parameters& parameters) {
  std::string text;
  for (const Field& field : fields_of(op)) {
    const std::string value = field.write(parameters);
    if (!value.empty()) text += (text.empty() ? "{" : ", ") + quoted(field.name) + ": " + value;
  }
  return text.empty() ? text : text + "}";
}

Parameters read_parameters(const Value& step, Op op, const Shape& shape) {
  Parameters p;
  p.shape = shape;
  if (fields_of(op).empty()) return p;
  const json::Node* object = json::find(step.node, "parameters");
  if (object == nullptr) throw missing("parameters", step.pointer);
  const std::string pointer = json::child_pointer(step.pointer, "parameters");
  for (const Field& field : fields_of(op)) {
    if (const json::Node* node = json::find(*object, field.name)) {
      field.read({step.file, *node, json::child_pointer(pointer, field.name)}, p);
    } else if (field.required) {
      throw missing(field.name, pointer);
    }
  }
  return worded(op, std::move(p));
}

}  // namespace attn
