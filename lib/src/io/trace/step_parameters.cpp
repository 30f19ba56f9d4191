// Parameters of operations as JSON, by the fields that each operation names.
#include "io/trace/step_parameters.hpp"

#include <algorithm>
#include <cmath>

#include "attn/tool/phrases.hpp"
#include "io/json/write_number.hpp"

namespace attn {
namespace {

using json::quoted;
using json::Value;
using Kind = ParameterField::Kind;

std::string json_of(bool value) { return value ? "true" : "false"; }
std::string json_of(Index value) { return std::to_string(value); }
std::string json_of(const std::string& value) { return quoted(value); }
std::string json_of(double value) {
  std::string text;
  append_json_number(text, value);
  return text;
}
template <typename T>
std::string json_of(const std::vector<T>& values) {
  std::string text;
  for (const T& value : values) text += (text.empty() ? "[" : ", ") + json_of(value);
  return text + "]";
}

std::string read_word(const Value& value, const ParameterField& field) {
  const std::string& text = json::read_text(value);
  const std::vector<std::string> words(field.words.begin(), field.words.end());
  if (std::find(words.begin(), words.end(), text) != words.end()) return text;
  throw input_error({.id = "unknown-value",
                     .what = "there is no \"" + text + "\" here",
                     .places = {{.pointer = value.pointer}},
                     .fix = "Write one of " + listed(words) + "."});
}

double read_above(const Value& value, double least) {
  const double number = json::read_number(value);
  if (number > least) return number;
  throw json::wrong_type(value.file, value.pointer,
                         "a number above " + std::to_string(std::lround(least)),
                         "Write a number such as 10000.");
}

Parameters::Value read_value(const Value& value, const ParameterField& field) {
  const auto least = [&] { return static_cast<Index>(field.least); };
  switch (field.kind) {
    case Kind::Flag:
      return json::read_flag(value);
    case Kind::Count:
      return json::read_count(value, least());
    case Kind::Number:
      return read_above(value, field.least);
    case Kind::Real:
      return json::read_real(value);
    case Kind::Word:
      return read_word(value, field);
    case Kind::Counts:
      return json::read_counts(value, least());
    case Kind::Numbers:
      break;
  }
  return json::read_lists(value, {1, 1}).data;
}

Error missing(const std::string& key, const std::string& pointer) {
  return input_error({.id = "missing-key",
                      .what = "expected the key \"" + key + "\", found an object without it",
                      .places = {{.pointer = pointer}},
                      .fix = "Write the trace again with attn."});
}

}  // namespace

std::string parameters_json(const Operation& operation, const Parameters& parameters) {
  std::string text;
  for (const ParameterField& field : operation.fields) {
    const Parameters::Value* value = parameters.find(field.name);
    if (value == nullptr) continue;
    text += (text.empty() ? "{" : ", ") + quoted(field.name) + ": " +
            std::visit([](const auto& each) { return json_of(each); }, *value);
  }
  return text.empty() ? text : text + "}";
}

Parameters read_parameters(const Value& step, const Operation& operation) {
  Parameters p;
  if (operation.fields.empty()) return p;
  const json::Node* object = json::find(step.node, "parameters");
  if (object == nullptr) throw missing("parameters", step.pointer);
  const std::string pointer = json::child_pointer(step.pointer, "parameters");
  for (const ParameterField& field : operation.fields) {
    if (const json::Node* node = json::find(*object, field.name)) {
      p.set(field.name,
            read_value({step.file, *node, json::child_pointer(pointer, field.name)}, field));
    } else if (field.required) {
      throw missing(field.name, pointer);
    }
  }
  return p;
}

}  // namespace attn
