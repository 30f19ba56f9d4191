// Parameters of operations as JSON, by the fields that each operation names.
#include "io/trace/step_parameters.hpp"

#include <algorithm>
#include <cmath>

#include "attn/tool/phrases.hpp"
#include "io/json/read_object.hpp"
#include "io/json/writer.hpp"

namespace attn {
namespace {

using json::Text;
using json::Value;
using Kind = ParameterField::Kind;

Text json_of(bool value) { return value ? "true" : "false"; }
Text json_of(Index value) { return std::to_string(value); }
Text json_of(const std::string& value) { return json::quoted(value); }
Text json_of(double value) { return json::real_text(value); }
template <typename T>
Text json_of(const std::vector<T>& values) {
  return json::list_text(values, [](T value) { return json_of(value); });
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

}  // namespace

std::string parameters_json(const Operation& operation, const Parameters& parameters) {
  json::Fields fields;
  for (const ParameterField& field : operation.fields) {
    const Parameters::Value* value = parameters.find(field.name);
    if (value == nullptr) continue;
    fields.emplace_back(field.name,
                        std::visit([](const auto& each) { return json_of(each); }, *value));
  }
  return fields.empty() ? "" : json::object_text(fields);
}

Parameters read_parameters(const Value& step, const Operation& operation) {
  Parameters p;
  if (operation.fields.empty()) return p;
  std::vector<json::KeyName> keys;
  for (const ParameterField& field : operation.fields) keys.push_back({field.name, field.required});
  const auto read_fields = [&](std::size_t, const Value& object) {
    const auto read = [&](std::size_t i, const Value& value) {
      p.set(keys[i].name, read_value(value, operation.fields[i]));
    };
    read_members(object, keys, {}, read, json::Unknown::Ignored);
  };
  read_members(step, {{"parameters", true}}, {}, read_fields, json::Unknown::Ignored);
  return p;
}

}  // namespace attn
