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

Text json_of(bool value) { return value ? "true" : "false"; }
Text json_of(Index value) { return std::to_string(value); }
Text json_of(const std::string& value) { return json::quoted(value); }
Text json_of(double value) { return json::real_text(value); }
template <typename T>
Text json_of(const std::vector<T>& values) {
  return json::list_text(values, [](T value) { return json_of(value); });
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

Text bound(double least) { return std::isfinite(least) ? json::number_text(least) : ""; }

/// The rules of a whole number, of any number, and of a list.
Text whole(const ParameterField& field) {
  return json::members_text(
      {{"type", "\"integer\""},
       {"minimum", bound(field.least)},
       {"multipleOf", field.multiple_of > 1 ? std::to_string(field.multiple_of) : ""}});
}
constexpr const char* kAnyNumber = R"("$ref": "#/$defs/number")";
Text list_of(const Text& items) {
  return R"("type": "array", "minItems": 1, "items": {)" + items + "}";
}

/// How a parameter is read, and its rules in a schema.
struct KindRow {
  Parameters::Value (*read)(const Value& value, const ParameterField& field);
  Text (*rules)(const ParameterField& field);
};
using Field = ParameterField;

// In the order of ParameterField::Kind.
constexpr KindRow kKinds[] = {
    {[](const Value& v, const Field&) -> Parameters::Value { return json::read_flag(v); },
     [](const Field&) -> Text { return R"("type": "boolean")"; }},
    {[](const Value& v, const Field& f) -> Parameters::Value {
       return json::read_count(v, least_count(f));
     },
     whole},
    {[](const Value& v, const Field& f) -> Parameters::Value { return read_above(v, f.least); },
     [](const Field& f) {
       return json::members_text({{"type", "\"number\""}, {"exclusiveMinimum", bound(f.least)}});
     }},
    {[](const Value& v, const Field&) -> Parameters::Value { return json::read_real(v); },
     [](const Field&) -> Text { return kAnyNumber; }},
    {[](const Value& v, const Field& f) -> Parameters::Value { return read_word(v, f); },
     [](const Field& f) { return "\"enum\": " + json::texts_text(words_of(f)); }},
    {[](const Value& v, const Field& f) -> Parameters::Value {
       return json::read_counts(v, least_count(f));
     },
     [](const Field& f) { return list_of(whole(f)); }},
    {[](const Value& v, const Field&) -> Parameters::Value {
       return json::read_lists(v, {1, 1}).data;
     },
     [](const Field&) { return list_of(kAnyNumber); }},
};

const KindRow& kind_of(const ParameterField& field) {
  return kKinds[static_cast<std::size_t>(field.kind)];
}

}  // namespace

bool needs_parameters(const Operation& operation) {
  return std::any_of(operation.fields.begin(), operation.fields.end(),
                     [](const ParameterField& field) { return field.required; });
}

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

std::string parameters_schema(const Operation& operation, std::size_t indent) {
  json::Fields properties;
  std::vector<std::string> required;
  for (const ParameterField& field : operation.fields) {
    properties.emplace_back(field.name, "{" + kind_of(field).rules(field) + ", \"description\": " +
                                            json::quoted(field.summary) + "}");
    if (field.required) required.emplace_back(field.name);
  }
  return json::object_lines({{"properties", json::object_lines(properties, indent + json::kStep)},
                             {"patternProperties", R"({"^[_$]": true})"},
                             {"additionalProperties", "false"},
                             {"required", json::texts_text(required)}},
                            indent);
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
