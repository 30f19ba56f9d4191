// Answers from any file: text, arrays, a trace.
#include "attn/io/answers_file.hpp"

#include <algorithm>
#include <iterator>

#include "io/answers/answers_json.hpp"
#include "io/answers/answers_table.hpp"

namespace attn {
namespace {

/// The number types of dumps, the narrowest first.
struct FloatType {
  std::string_view name;  ///< NumPy's without its byte order, or that of safetensors
  Dtype dtype;
};
constexpr FloatType kFloatTypes[] = {{"BF16", Dtype::Bfloat16}, {"F16", Dtype::Float16},
                                     {"f2", Dtype::Float16},    {"F32", Dtype::Float32},
                                     {"f4", Dtype::Float32},    {"F64", Dtype::Float64},
                                     {"f8", Dtype::Float64}};

/// The row of an array's number type; past the end for whole numbers.
const FloatType* float_type(std::string_view name) {
  if (name.find_first_of("<>=|") == 0) name.remove_prefix(1);
  return std::find_if(std::begin(kFloatTypes), std::end(kFloatTypes),
                      [&](const FloatType& row) { return row.name == name; });
}

}  // namespace

Answers parse_answers(std::string_view bytes, const std::string& name, MemoryBudget budget,
                      DecimalMark mark) {
  const bool table =
      is_answers_table(bytes) || (name.ends_with(".csv") && !begins_like_json(bytes));
  return (table ? parse_answers_table : parse_answers_json)(bytes, name, budget, mark);
}

bool is_answer_name(const std::string& name) {
  if (find_step_info(name) != nullptr) return true;
  const std::vector<std::string> ids = step_ids();
  return std::any_of(ids.begin(), ids.end(),
                     [&](const std::string& id) { return name == find_step_info(id)->symbol; });
}

Answers answers_from_arrays(std::vector<NamedArray> arrays, const std::string& name) {
  Answers answers{.source = name, .by_program = true};
  const bool any_step = std::any_of(arrays.begin(), arrays.end(), [](const NamedArray& each) {
    return is_answer_name(each.name);
  });
  const FloatType* narrowest = std::end(kFloatTypes);
  for (NamedArray& each : arrays) {
    answers.matrices.push_back({.id = each.name,
                                .shape = std::move(each.array.shape),
                                .numbers = std::move(each.array.data)});
    if (!any_step || is_answer_name(each.name))
      narrowest = std::min(narrowest, float_type(each.dtype));
  }
  if (narrowest != std::end(kFloatTypes)) answers.dtype = narrowest->dtype;
  return answers;
}

Answers answers_from_trace(const Trace& trace, const std::string& name) {
  Answers answers{.source = name, .by_program = true, .dtype = trace.settings().dtype};
  for (const Step& step : trace.steps) {
    answers.matrices.push_back(
        {.id = step.id, .shape = step.value.shape().sizes(), .numbers = step.value.data().copy()});
  }
  return answers;
}

}  // namespace attn
