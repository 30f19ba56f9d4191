// Sets one key of a problem from text: --set KEY=VALUE.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "attn/phrases.hpp"
#include "attn/problem_options.hpp"
#include "attn/suggest.hpp"
#include "io/json/json.hpp"
#include "io/problem/problem_fields.hpp"

namespace attn {
namespace {

constexpr std::string_view kWeightsKey = "weights/";

/// "masking/before_scale" for "masking.before-scale"; a name of a weight keeps its dots.
std::string path_of(const std::string& key) {
  std::string path = key;
  const bool weight = path.starts_with("weights.");
  if (weight) return "weights/" + path.substr(kWeightsKey.size());
  std::replace(path.begin(), path.end(), '.', '/');
  std::replace(path.begin(), path.end(), '-', '_');
  return path;
}

/// The value as JSON: what is none is text.
std::string as_json(const std::string& value) {
  try {
    json::parse(value, "");
    return value;
  } catch (const Error&) {
    return json::Writer().value(value).text();
  }
}

Error unknown_key(const KeyValue& setting) {
  const std::string& key = setting.key;
  std::vector<std::string> known;
  for (const ProblemKey& each : problem_keys()) {
    std::string name(each.path);
    std::replace(name.begin(), name.end(), '/', '.');
    known.push_back(name);
  }
  const std::vector<std::string> near = suggestions(key, known);
  return input_error({.id = "unknown-key",
                      .what = "a problem has no key \"" + key + "\"" + did_you_mean(key, known),
                      .fix = near.empty() ? "Use a key of the problem file, such as softcap."
                                          : filled("Write {}={}.", near.front(), setting.value)});
}

}  // namespace

bool is_problem_key(const std::string& key) {
  const std::string path = path_of(key);
  return path.starts_with(kWeightsKey) || find_key(path) != nullptr;
}

std::string pointer_of_key(const std::string& key) { return "/" + path_of(key); }

void set_key(const KeyValue& setting, ProblemDraft& draft) {
  std::string path = path_of(setting.key);
  std::string text = as_json(setting.value);
  if (path.starts_with(kWeightsKey)) {
    text = "{" + json::Writer().value(path.substr(kWeightsKey.size())).text() + ": " + text + "}";
    path = "weights";
  }
  const ProblemKey* key = find_key(path);
  if (key == nullptr) throw unknown_key(setting);
  if (path == "layout")
    throw input_error({.id = "option-value",
                       .what = "layout says how a file is written, and this one has been read",
                       .fix = "Write \"layout\": \"columns\" into the file."});
  const auto file = std::make_shared<const json::Document>(json::parse(text, ""));
  if (key->field.make_owner != nullptr) {
    key->field.make_owner(draft);
  } else if (!key->parent().empty() && !key->may_stand_alone()) {
    const std::string whole(key->parent().substr(0, key->parent().size() - 1));
    throw input_error({.id = "option-value",
                       .what = setting.key + " cannot be set by itself",
                       .fix = "Set " + whole + " as a whole: " + whole + "={...}."});
  }
  try {
    key->field.read({*file, file->root, ""}, *key, draft);
  } catch (const Error& error) {  // places in the value are nowhere in the file
    std::vector<Diagnostic> all = error.diagnostics();
    for (Diagnostic& each : all) each.places = {{.pointer = key->pointer()}};
    throw Error(error.kind(), std::move(all));
  }
}

}  // namespace attn
