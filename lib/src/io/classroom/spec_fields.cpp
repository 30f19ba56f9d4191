// The table of keys of an exercise.
#include "io/classroom/spec_fields.hpp"

#include <algorithm>
#include <charconv>

#include "attn/mask.hpp"
#include "attn/mistakes.hpp"
#include "attn/sheet_file.hpp"
#include "attn/tool/phrases.hpp"
#include "attn/tool/suggest.hpp"
#include "attn/trace.hpp"
#include "io/json/read_object.hpp"

namespace attn {
namespace {

using json::Value;

Error unknown_word(const std::string& pointer, const char* kind, const std::string& word,
                   const std::vector<std::string>& known, std::string fix) {
  return input_error(
      {.id = "exercise-spec",
       .what = std::string("there is no ") + kind + " \"" + word + "\"" + did_you_mean(word, known),
       .places = {{.pointer = pointer}},
       .fix = std::move(fix)});
}

/// The name becomes a part of the names of files and of a page.
std::string read_name(const Value& value) {
  const std::string& name = json::read_text(value);
  const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '_';
  });
  if (plain) return name;
  throw input_error({.id = "exercise-spec",
                     .what = "the name \"" + name + "\" may have letters, digits, - and _ only",
                     .places = {{.pointer = value.pointer}},
                     .fix = "Write a name such as \"attention-1\"."});
}

std::vector<std::string> read_masks(const Value& value) {
  const bool one = std::holds_alternative<std::string>(value.node.value);
  const std::vector<std::string> masks =
      one ? std::vector{json::read_text(value)} : json::read_texts_or_none(value);
  for (std::size_t i = 0; i < masks.size(); ++i)
    parse_mask(masks[i], one ? value.pointer : json::child_pointer(value.pointer, i));
  return masks;
}

BlankRule read_blanks(const Value& value) {
  try {
    return parse_blank_rule(json::read_text(value));
  } catch (const Error& error) {
    Diagnostic wrong = error.diagnostics().front();
    if (wrong.places.empty()) wrong.places.push_back({.pointer = value.pointer});
    throw input_error(std::move(wrong));
  }
}

std::vector<AskedStep> read_steps(const Value& value) {
  const auto* members = std::get_if<json::Members>(&value.node.value);
  if (members == nullptr || members->empty()) {
    throw json::wrong_type(value.file, value.pointer, "an object such as {\"scores\": 5}",
                           "Name the steps to ask for, and the points of each.");
  }
  std::vector<AskedStep> steps;
  for (const json::Member& member : *members) {
    if (member.key.starts_with('_') || member.key.starts_with('$')) continue;
    const Value points{value.file, member.value, json::child_pointer(value.pointer, member.key)};
    if (find_step_info(member.key) == nullptr) {
      throw unknown_word(points.pointer, "step", member.key, step_ids(),
                         "Name a step such as scores, weights or output.");
    }
    steps.push_back({member.key, json::read_number(points)});
    if (steps.back().points > 0.0) continue;
    throw json::wrong_type(points.file, points.pointer, "points, a number above 0",
                           "Leave out steps that are not asked for.");
  }
  return steps;
}

std::vector<std::string> read_codes(const Value& value) {
  std::vector<std::string> codes = json::read_texts_or_none(value), known;
  for (const Mistake& mistake : mistakes()) known.emplace_back(mistake.code);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (find_mistake(codes[i]) != nullptr) continue;
    throw unknown_word(json::child_pointer(value.pointer, i), "mistake", codes[i], known,
                       "Write a code such as \"scale.missing\".");
  }
  return codes;
}

double read_distance(const Value& value) {
  const double number = json::read_number(value);
  if (number > 0.0) return number;
  throw json::wrong_type(value.file, value.pointer, "a number above 0",
                         "Write a number such as 0.01.");
}

int read_decimals(const Value& value) {
  constexpr Index kMost = 12;
  const Index decimals = json::read_count(value, 0);
  if (decimals <= kMost) return static_cast<int>(decimals);
  throw json::wrong_type(value.file, value.pointer, "a whole number from 0 to 12",
                         "Write a number such as 3.");
}

using Spec = ExerciseSpec;

constexpr json::Key<Spec> kKeys[] = {
    {"format", [](const Value&, Spec&) {}},
    {"format_version", [](const Value& v, Spec&) { json::read_version(v); }},
    {"name", [](const Value& v, Spec& s) { s.name = read_name(v); }},
    {"preset", [](const Value& v, Spec& s) { s.preset = json::read_text(v); }},
    {"tokens", [](const Value& v, Spec& s) { s.tokens = json::read_count(v, 1); }},
    {"d_model", [](const Value& v, Spec& s) { s.d_model = json::read_count(v, 1); }},
    {"d_k", [](const Value& v, Spec& s) { s.d_k = json::read_count(v, 1); }},
    {"heads", [](const Value& v, Spec& s) { s.heads = json::read_count(v, 1); }},
    {"memory_tokens", [](const Value& v, Spec& s) { s.memory_tokens = json::read_count(v, 1); }},
    {"mask", [](const Value& v, Spec& s) { s.masks = read_masks(v); }},
    {"decimals", [](const Value& v, Spec& s) { s.decimals = read_decimals(v); }},
    {"accept_within", [](const Value& v, Spec& s) { s.accept_within = read_distance(v); }},
    {"blanks", [](const Value& v, Spec& s) { s.blanks = read_blanks(v); }},
    {"steps", [](const Value& v, Spec& s) { s.steps = read_steps(v); }},
    {"mistakes", [](const Value& v, Spec& s) { s.mistakes = read_codes(v); }},
    {"find_the_bug", [](const Value& v, Spec& s) { s.find_the_bug = json::read_flag(v); }},
    {"force", [](const Value& v, Spec& s) { s.force = json::read_flag(v); }},
};

}  // namespace

void read_spec(const json::Value& value, const char* root, ExerciseSpec& spec) {
  read_object(value, kKeys, spec, {}, json::Unknown::Refused, root);
}

json::Fields written_spec(const ExerciseSpec& spec, std::size_t indent) {
  const auto count = [](const std::optional<Index>& n) { return n ? std::to_string(*n) : ""; };
  json::Fields points;
  for (const AskedStep& step : spec.steps)
    points.emplace_back(step.id, json::number_text(step.points));
  return {{"name", json::quoted(spec.name)},
          {"preset", json::quoted(spec.preset)},
          {"tokens", std::to_string(spec.tokens)},
          {"d_model", std::to_string(spec.d_model)},
          {"d_k", std::to_string(spec.d_k)},
          {"heads", count(spec.heads)},
          {"memory_tokens", count(spec.memory_tokens)},
          {"mask", json::texts_text(spec.masks)},
          {"decimals", std::to_string(spec.decimals)},
          {"accept_within", spec.accept_within ? json::number_text(*spec.accept_within) : ""},
          {"blanks", json::quoted(blank_rule_text(spec.blanks))},
          {"steps", json::object_lines(points, indent)},
          {"mistakes", json::texts_text(spec.mistakes)},
          {"find_the_bug", spec.find_the_bug ? "true" : "false"},
          {"force", spec.force ? "true" : "false"}};
}

}  // namespace attn
