// The table of keys of an exercise.
#include "io/classroom/spec_fields.hpp"

#include <algorithm>

#include "attn/io/sheet_file.hpp"
#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "io/classroom/sheet_parts.hpp"
#include "io/json/read_object.hpp"

namespace attn {

std::optional<DecimalMark> decimal_mark_named(std::string_view word) {
  if (word == "comma" || word == ",") return DecimalMark::Comma;
  if (word == "point" || word == ".") return DecimalMark::Point;
  return std::nullopt;
}

DecimalMark read_decimal_mark(const json::Value& value) {
  if (const auto mark = decimal_mark_named(json::read_text(value))) return *mark;
  throw json::wrong_type(value.file, value.pointer, "comma or point",
                         "Write \"decimal_mark\": \"comma\" to print 0,5 in place of 0.5.");
}

namespace {

using json::Value;

/// One mask, or a list of them.
std::vector<std::string> read_masks(const Value& value) {
  const bool one = std::holds_alternative<std::string>(value.node.value);
  return one ? std::vector{json::read_text(value)} : json::read_texts_or_none(value);
}

BlankRule read_blanks(const Value& value) {
  try {
    return parse_blank_rule(json::read_text(value));
  } catch (const Error& error) {
    Diagnostic wrong = error.diagnostics().front();
    wrong.places = {{.pointer = value.pointer}};
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
    steps.push_back({member.key, json::read_number(points)});
  }
  return steps;
}

/// The code of a language; "" for English.
std::string read_language(const Value& value) {
  const std::string& code = json::read_text(value);
  const std::vector<std::string> codes = language_codes();
  if (std::find(codes.begin(), codes.end(), code) != codes.end()) return code == "en" ? "" : code;
  throw json::wrong_type(value.file, value.pointer, either(codes),
                         "It is the language of the sheets, and of what is said about them.");
}

/// How many tokens, or their names.
void read_tokens(const Value& value, ExerciseSpec& spec) {
  const bool named = std::holds_alternative<json::Items>(value.node.value);
  spec.words = named ? json::read_texts(value) : std::vector<std::string>();
  if (std::any_of(spec.words.begin(), spec.words.end(),
                  [](const std::string& word) { return trimmed(word).empty(); }))
    throw input_error({.id = "exercise-spec",
                       .what = "a token has an empty name",
                       .places = {{.pointer = value.pointer}},
                       .fix = "Write \"tokens\": [\"cat\", \"sat\"], for example."});
  spec.tokens = named ? std::ssize(spec.words) : json::read_count(value, 1);
}

std::string read_self_check(const Value& value) {
  const std::string& word = json::read_text(value);
  const std::vector<std::string> words{"off", "cells", "causes"};
  if (std::find(words.begin(), words.end(), word) != words.end()) return word;
  throw json::wrong_type(value.file, value.pointer, either(words),
                         "\"causes\" marks cells and asks about mistakes, \"cells\" only marks.");
}

using Spec = ExerciseSpec;

constexpr json::Key<Spec> kSpecKeys[] = {
    {"format", [](const Value&, Spec&) {}},
    {"format_version", [](const Value& v, Spec&) { json::read_version(v); }},
    {"name", [](const Value& v, Spec& s) { s.name = json::read_text(v); }},
    {"preset", [](const Value& v, Spec& s) { s.preset = json::read_text(v); }},
    {"title", [](const Value& v, Spec& s) { s.title = json::read_text(v); }},
    {"instructions", [](const Value& v, Spec& s) { s.instructions = json::read_text(v); }},
    {"self_check", [](const Value& v, Spec& s) { s.self_check = read_self_check(v); }},
    {"decimal_mark",
     [](const Value& v, Spec& s) { s.decimal_comma = read_decimal_mark(v) == DecimalMark::Comma; }},
    {"language", [](const Value& v, Spec& s) { s.language = read_language(v); }},
    {"mistake_texts", [](const Value& v, Spec& s) { s.mistake_texts = read_own_texts(v, true); }},
    {"problem", [](const Value& v, Spec& s) { s.problems = read_problems(v); }},
    {"tokens", read_tokens},
    {"d_model", [](const Value& v, Spec& s) { s.d_model = json::read_count(v, 1); }},
    {"d_k", [](const Value& v, Spec& s) { s.d_k = json::read_count(v, 1); }},
    {"heads", [](const Value& v, Spec& s) { s.heads = json::read_count(v, 1); }},
    {"memory_tokens", [](const Value& v, Spec& s) { s.memory_tokens = json::read_count(v, 1); }},
    {"qkv_given", [](const Value& v, Spec& s) { s.qkv_given = json::read_flag(v); }},
    {"mask", [](const Value& v, Spec& s) { s.masks = read_masks(v); }},
    {"decimals",
     [](const Value& v, Spec& s) { s.decimals = static_cast<int>(json::read_count(v, 0)); }},
    {"accept_within", [](const Value& v, Spec& s) { s.accept_within = json::read_number(v); }},
    {"blanks", [](const Value& v, Spec& s) { s.blanks = read_blanks(v); }},
    {"steps", [](const Value& v, Spec& s) { s.steps = read_steps(v); }},
    {"mistakes", [](const Value& v, Spec& s) { s.mistakes = json::read_texts_or_none(v); }},
    {"find_the_bug", [](const Value& v, Spec& s) { s.find_the_bug = json::read_flag(v); }},
    {"inverse", [](const Value& v, Spec& s) { s.inverse = json::read_flag(v); }},
    {"force", [](const Value& v, Spec& s) { s.force = json::read_flag(v); }},
};

/// What describes random problems.
constexpr const char* kDrawnKeys[] = {"tokens",        "d_model",   "d_k", "heads",
                                      "memory_tokens", "qkv_given", "mask"};

/// Throws Error for such a key beside a problem.
void refuse_drawn(const Value& spec) {
  if (json::find(spec.node, "problem") == nullptr) return;
  for (const char* key : kDrawnKeys) {
    if (json::find(spec.node, key) == nullptr) continue;
    throw input_error({.id = "exercise-spec",
                       .what = filled("\"{}\" is for random problems, and this exercise has a "
                                      "\"problem\" of its own",
                                      key),
                       .places = {{.pointer = json::child_pointer(spec.pointer, key)}},
                       .fix = filled("Leave out \"{}\", or \"problem\".", key)});
  }
}

/// Takes what finding the bug is worth out of the steps, which are printed: none has points. A file
/// from before that could be said has 1 for each.
void take_bug_points(const Value& spec_value, ExerciseSpec& spec) {
  const auto bug = std::find_if(spec.steps.begin(), spec.steps.end(),
                                [](const AskedStep& each) { return each.id == kBug; });
  const bool said = bug != spec.steps.end();
  if (said) {
    spec.bug_points = bug->points;
    spec.steps.erase(bug);
  }
  for (AskedStep& step : spec.steps) {
    if (step.points != 0.0 && (said || step.points != 1.0))
      throw input_error(
          {.id = "exercise-spec",
           .what =
               filled("{} has points, and on a find-the-bug sheet every step is printed", step.id),
           .places = {{.pointer = json::child_pointer(spec_value.pointer + "/steps", step.id)}},
           .fix = filled("Write 0, and what finding the mistake is worth as \"{}\".", kBug)});
    if (said) step.points = 1.0;
  }
}

}  // namespace

void read_spec(const json::Value& value, const char* root, ExerciseSpec& spec) {
  refuse_drawn(value);
  read_object(value, kSpecKeys, spec, json::Unknown::Refused, root);
  if (spec.find_the_bug) take_bug_points(value, spec);
}

void write_spec(json::Writer& out, const ExerciseSpec& spec) {
  const auto write_points = [&] {
    for (const AskedStep& step : spec.steps)
      out.add(step.id, spec.find_the_bug ? 0.0 : step.points);
    if (spec.find_the_bug) out.add(kBug, spec.bug_points);
  };
  const auto add_text = [&](const char* key, const std::string& text) {
    if (!text.empty()) out.add(key, text);
  };
  out.add("name", spec.name);
  add_text("preset", spec.preset);
  add_text("title", spec.title);
  add_text("instructions", spec.instructions);
  add_text("self_check", spec.self_check);
  add_text("decimal_mark", spec.decimal_comma ? "comma" : "");
  add_text("language", spec.language);
  write_own_texts(out, spec.mistake_texts);
  if (spec.problems.empty()) {
    if (spec.words.empty())
      out.add("tokens", spec.tokens);
    else
      out.add("tokens", spec.words);
    out.add("d_model", spec.d_model).add("d_k", spec.d_k);
    out.some("heads", spec.heads).some("memory_tokens", spec.memory_tokens);
    out.add("qkv_given", spec.qkv_given).add("mask", spec.masks);
  } else {
    write_problems(out, spec.problems);
  }
  out.add("decimals", spec.decimals);
  out.some("accept_within", spec.accept_within).add("blanks", blank_rule_text(spec.blanks));
  out.some_object("steps", json::Layout::Lines, write_points);
  out.add("mistakes", spec.mistakes).add("find_the_bug", spec.find_the_bug);
  if (spec.inverse) out.add("inverse", true);
  out.add("force", spec.force);
}

}  // namespace attn
