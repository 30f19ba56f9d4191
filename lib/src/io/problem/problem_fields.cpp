// What follows from the rows of all keys: reading, writing, expectations, options and examples.
#include "io/problem/problem_fields.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "attn/error.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "io/json/read_object.hpp"
#include "io/json/token.hpp"
#include "io/problem/field_kinds.hpp"
#include "io/problem/field_row.hpp"

namespace attn {
namespace {

using Keys = std::vector<ProblemKey>;

Keys joined(std::initializer_list<std::span<const ProblemKey>> tables) {
  Keys keys;
  for (const auto table : tables) {
    for (const ProblemKey& key : table) keys.push_back(key);
  }
  return keys;
}

/// The keys of the object at `parent`.
std::vector<const ProblemKey*> keys_below(std::string_view parent) {
  std::vector<const ProblemKey*> keys;
  for (const ProblemKey& key : problem_keys()) {
    if (key.parent() == parent) keys.push_back(&key);
  }
  return keys;
}

/// For keys that people may write in the problem itself: the object that each belongs in.
json::Homes homes_of_keys() {
  json::Homes homes;
  for (const std::string& name : own_weights()) homes[name] = "weights";
  for (const ProblemKey& key : problem_keys()) {
    const std::string_view parent = key.parent();
    const bool telling = key.name().size() > 1;  // "w" may mean anything
    if (!parent.empty() && telling) homes.emplace(key.name(), parent.substr(0, parent.size() - 1));
  }
  for (const ProblemKey* key : keys_below("")) homes.erase(std::string(key->name()));
  return homes;
}

}  // namespace

const Keys& problem_keys() {
  static const Keys keys = joined({about_keys(), input_keys(), model_keys(), head_keys(),
                                   mask_keys(), score_keys(), number_keys(), scaling_keys()});
  return keys;
}

const ProblemKey* find_key(std::string_view path) {
  for (const ProblemKey& key : problem_keys()) {
    if (key.path == path) return &key;
  }
  return nullptr;
}

void read_keys(const json::Value& object, std::string_view parent, ProblemDraft& draft) {
  const std::vector<const ProblemKey*> keys = keys_below(parent);
  std::vector<json::KeyName> names;
  for (const ProblemKey* key : keys) names.push_back({key->name(), key->required});
  const auto read = [&](std::size_t i, const json::Value& value) {
    keys[i]->field.read(value, *keys[i], draft);
  };
  read_members(object, names, parent.empty() ? homes_of_keys : nullptr, read);
}

void write_keys(json::Writer& out, std::string_view parent, const ProblemDraft& draft) {
  for (const ProblemKey* key : keys_below(parent)) key->field.write(out, key->name(), draft);
}

const json::Expectation* json::expectation_at(std::string_view pointer, bool in_list) {
  const ProblemKey* found = nullptr;
  for (const ProblemKey& key : problem_keys()) {
    const bool fits = (std::string(pointer) + "/").starts_with(key.pointer() + "/");
    if (fits && (!found || key.path.size() > found->path.size())) found = &key;
  }
  if (!found) return nullptr;
  if (in_list) return &found->kind.item;
  const bool inner = pointer.size() > found->pointer().size() && found->kind.by_name;
  return inner ? &kNumbers : &found->kind.whole;
}

namespace {

std::vector<ProblemOption> all_options() {
  std::vector<ProblemOption> options;
  for (const auto table : {model_keys(), head_keys(), score_keys(), mask_keys(), number_keys()}) {
    for (const ProblemKey& key : table) {
      if (key.option.name == nullptr) continue;
      options.push_back({key.option.name, key.option.value, key.option.help, key.pointer(),
                         key.field.words ? key.field.words() : std::vector<std::string>(),
                         [&key](const std::string& text, ProblemDraft& draft) {
                           key.field.apply(text, key, draft);
                         }});
    }
  }
  return options;
}

}  // namespace

const std::vector<ProblemOption>& problem_options() {
  static const std::vector<ProblemOption> options = all_options();
  return options;
}

std::vector<KeyGroup> key_examples() {
  const std::pair<const char*, Keys> groups[] = {
      {"What goes in", joined({input_keys()})},
      {"Heads, scores and numbers", joined({head_keys(), score_keys(), number_keys()})},
      {"Masks and dropout", joined({mask_keys()})},
      {"Whole models, words and losses", joined({model_keys()})},
      {"The file itself", joined({about_keys()})}};
  std::vector<KeyGroup> examples;
  for (const auto& [heading, keys] : groups) {
    examples.push_back({heading, {}});
    for (const ProblemKey& key : keys) {
      if (!key.example.json.empty()) examples.back().keys.push_back(key.example);
    }
  }
  return examples;
}

double number_in(const std::string& text, const ProblemKey& key, bool whole) {
  constexpr double kMost = 1e9;  // of a count
  const std::optional<double> read = parse_number(text);
  const double number = read.value_or(-std::numeric_limits<double>::infinity());
  const auto least = static_cast<double>(key.kind.least);
  const bool count = number == std::trunc(number) && number >= least && number <= kMost;
  if (number < std::numeric_limits<double>::infinity() && read && (!whole || count) &&
      (!key.kind.positive || number > 0))
    return number;
  const std::string expected = whole && number > kMost ? "whole number of at most 1000000000"
                               : whole
                                   ? "whole number of at least " + std::to_string(key.kind.least)
                               : key.kind.positive ? "number above 0"
                                                   : "number";
  const std::string point = json::with_point(text);
  const bool comma = !whole && point != text && json::is_number(point);
  const std::string good = comma                  ? point
                           : whole                ? std::to_string(key.kind.least)
                           : key.kind.positive    ? "30"
                           : key.name() == "fill" ? "-1e9"
                                                  : "0.5";
  const std::string option = key.option.name;
  throw input_error({.id = "option-value",
                     .what = option + " takes a " + expected + ", not \"" + text + "\"",
                     .fix = "Write " + good + ", for example.",
                     .changes = {{option, good}}});
}

std::optional<Array> exchanged(std::optional<Array>& member, std::optional<Array> array) {
  std::swap(member, array);
  return array;
}

std::optional<Array> exchanged(Array& member, std::optional<Array> array) {
  Array old = std::exchange(member, std::move(array).value_or(Array()));
  return old.shape.empty() ? std::nullopt : std::optional(std::move(old));
}

void check_counts(const Array& array, const ProblemKey& key) {
  const auto odd = std::find_if_not(array.data.begin(), array.data.end(), [](double number) {
    return number == std::floor(number) && number >= 0 &&
           number <= static_cast<double>(json::kLargestCount);
  });
  if (odd == array.data.end()) return;
  const auto index = static_cast<std::size_t>(odd - array.data.begin());
  throw input_error(
      {.id = "out-of-range",
       .what = filled("{} takes whole numbers from 0 to {}, but number {} is {}",
                      std::string(key.name()), json::kLargestCount, index, format_exact(*odd)),
       .places = {{.pointer = json::child_pointer(key.pointer(), index)}},
       .fix = "Save whole numbers in this range."});
}

std::optional<Array> exchanged(std::vector<Index>& member, std::optional<Array> array) {
  std::optional<Array> old;
  if (!member.empty()) {
    old = Array{{std::ssize(member)}, {member.begin(), member.end()}};
    member.clear();
  }
  if (!array) return old;
  for (const double number : array->data) member.push_back(static_cast<Index>(number));
  return old;
}

}  // namespace attn
