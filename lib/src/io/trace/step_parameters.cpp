// Parameters of operations as JSON, by the fields that each operation names.
#include "io/trace/step_parameters.hpp"

#include <algorithm>
#include <cmath>

#include "attn/phrases.hpp"
#include "io/json/read_object.hpp"

namespace attn {
namespace {

using json::Layout;
using json::Value;
using json::Writer;

/// As a trace writes a parameter.
template <class T>
const T& written(const T& value) {
  return value;
}
json::Real written(double value) { return {value}; }
std::vector<json::Real> written(const std::vector<double>& values) {
  std::vector<json::Real> reals;
  for (const double value : values) reals.push_back({value});
  return reals;
}

std::vector<std::string> words_of(const ParameterField& field) {
  return {field.words.begin(), field.words.end()};
}

std::string read_word(const Value& value, const ParameterField& field) {
  const std::string& text = json::read_text(value);
  const std::vector<std::string> words = words_of(field);
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

Index least_count(const ParameterField& field) { return static_cast<Index>(field.least); }

void write_bound(Writer& out, const char* key, double least) {
  if (std::isfinite(least)) out.add(key, least);
}

/// The rules of a whole number, of any number, and of a list.
void write_whole(Writer& out, const ParameterField& field) {
  write_bound(out.add("type", "integer"), "minimum", field.least);
  if (field.multiple_of > 1) out.add("multipleOf", field.multiple_of);
}
void write_any_number(Writer& out, const ParameterField&) { out.add("$ref", "#/$defs/number"); }
using WriteRules = void (*)(Writer& out, const ParameterField& field);
void write_list(Writer& out, const ParameterField& field, WriteRules write_item) {
  out.add("type", "array").add("minItems", 1);
  out.key("items").object([&] { write_item(out, field); });
}

/// How a parameter is read, and its rules in a schema.
struct KindRow {
  Parameters::Value (*read)(const Value& value, const ParameterField& field);
  WriteRules write_rules;
};
using Field = ParameterField;

// In the order of ParameterField::Kind.
constexpr KindRow kKinds[] = {
    {[](const Value& v, const Field&) -> Parameters::Value { return json::read_flag(v); },
     [](Writer& out, const Field&) { out.add("type", "boolean"); }},
    {[](const Value& v, const Field& f) -> Parameters::Value {
       return json::read_count(v, least_count(f));
     },
     write_whole},
    {[](const Value& v, const Field& f) -> Parameters::Value { return read_above(v, f.least); },
     [](Writer& out, const Field& f) {
       write_bound(out.add("type", "number"), "exclusiveMinimum", f.least);
     }},
    {[](const Value& v, const Field&) -> Parameters::Value { return json::read_real(v); },
     write_any_number},
    {[](const Value& v, const Field& f) -> Parameters::Value { return read_word(v, f); },
     [](Writer& out, const Field& f) { out.add("enum", words_of(f)); }},
    {[](const Value& v, const Field& f) -> Parameters::Value {
       return json::read_counts(v, least_count(f));
     },
     [](Writer& out, const Field& f) { write_list(out, f, write_whole); }},
    {[](const Value& v, const Field&) -> Parameters::Value {
       return json::read_lists(v, {1, 1}).data;
     },
     [](Writer& out, const Field& f) { write_list(out, f, write_any_number); }},
};

const KindRow& kind_of(const ParameterField& field) {
  return kKinds[static_cast<std::size_t>(field.kind)];
}

}  // namespace

bool needs_parameters(const Operation& operation) {
  return std::any_of(operation.fields.begin(), operation.fields.end(),
                     [](const ParameterField& field) { return field.required; });
}

void write_parameters(Writer& out, const Operation& operation, const Parameters& parameters) {
  out.some_object("parameters", Layout::Row, [&] {
    for (const ParameterField& field : operation.fields) {
      const Parameters::Value* value = parameters.find(field.name);
      if (value == nullptr) continue;
      std::visit([&](const auto& each) { out.add(field.name, written(each)); }, *value);
    }
  });
}

void write_parameter_rules(Writer& out, const Operation& operation) {
  std::vector<std::string> required;
  const auto write_properties = [&] {
    for (const ParameterField& field : operation.fields) {
      out.key(field.name).object([&] {
        kind_of(field).write_rules(out, field);
        out.add("description", field.summary);
      });
      if (field.required) required.emplace_back(field.name);
    }
  };
  out.key("parameters").object(Layout::Lines, [&] {
    out.key("properties").object(Layout::Lines, write_properties);
    out.key("patternProperties").object([&] { out.add("^[_$]", true); });
    out.add("additionalProperties", false).add("required", required);
  });
}

Parameters read_parameters(const Value& step, const Operation& operation) {
  Parameters p;
  if (operation.fields.empty()) return p;
  std::vector<json::KeyName> keys;
  for (const ParameterField& field : operation.fields) keys.push_back({field.name, field.required});
  const auto read_fields = [&](std::size_t, const Value& object) {
    const auto read = [&](std::size_t i, const Value& value) {
      p.set(keys[i].name, kind_of(operation.fields[i]).read(value, operation.fields[i]));
    };
    read_members(object, keys, {}, read, json::Unknown::Ignored);
  };
  read_members(step, {{"parameters", needs_parameters(operation)}}, {}, read_fields,
               json::Unknown::Ignored);
  return p;
}

}  // namespace attn
