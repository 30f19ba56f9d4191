// Reads a trace back from its JSON.
#include <algorithm>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>

#include "attn/io/problem_file.hpp"
#include "attn/io/trace_file.hpp"
#include "attn/phrases.hpp"
#include "core/trace/other_settings.hpp"
#include "core/trace/step_check.hpp"
#include "io/json/expectation.hpp"
#include "io/json/json.hpp"
#include "io/json/read_object.hpp"
#include "io/trace/read_step.hpp"
#include "io/trace/trace_lines.hpp"

namespace attn {
namespace {

using json::Key;
using json::Value;

constexpr Key<Scope> kTokenKeys[] = {
    {"query", [](const Value& v, Scope& s) { s.query_tokens = read_token_lists(v); }, true},
    {"key", [](const Value& v, Scope& s) { s.key_tokens = read_token_lists(v); }, true},
    {"vocabulary", [](const Value& v, Scope& s) { s.vocabulary = read_texts(v); }},
};

constexpr Key<Settings> kSettingKeys[] = {
    {"heads", [](const Value& v, Settings& s) { s.heads = read_count(v, 1); }, true},
    {"kv_heads", [](const Value& v, Settings& s) { s.kv_heads = read_count(v, 1); }, true},
    {"batch",
     [](const Value& v, Settings& s) {
       s.batch = read_count(v, 1);
       s.has_batch = true;
     }},
    {"d_model", [](const Value& v, Settings& s) { s.d_model = read_count(v, 1); }},
    {"d_k", [](const Value& v, Settings& s) { s.d_k = read_count(v, 1); }},
    {"d_v", [](const Value& v, Settings& s) { s.d_v = read_count(v, 1); }},
    {"n_queries", [](const Value& v, Settings& s) { s.n_queries = read_count(v, 1); }, true},
    {"n_keys", [](const Value& v, Settings& s) { s.n_keys = read_count(v, 1); }, true},
    {"mask", [](const Value& v, Settings& s) { s.masks = read_texts_or_none(v); }, true},
    {"scale",
     [](const Value& v, Settings& s) {
       s.scale = {ScaleRule::Kind::Number, read_real(v)};
     },
     true},
};

/// The value of a key of an object; nothing if it has none, or null.
std::optional<Value> member(const Value& object, const char* key) {
  const json::Node* node = json::find(object.node, key);
  if (node == nullptr || std::holds_alternative<std::nullptr_t>(node->value)) return std::nullopt;
  return Value{object.file, *node, json::child_pointer(object.pointer, key)};
}

/// Settings of a scope that are not among `own` are those of the whole model.
void read_settings(const std::optional<Value>& own, const Value& shared, Settings& settings) {
  const auto read = [&](const char* name) -> std::optional<Value> {
    const bool named = own && json::find(own->node, name) != nullptr;
    return member(named ? *own : shared, name);
  };
  for (const Key<Settings>& key : kSettingKeys) {
    if (const auto value = read(key.name)) key.read(*value, settings);
  }
  for (const OtherSetting& row : other_settings()) {
    const auto value = read(row.key);
    if (!value) continue;
    row.set(settings,
            row.is_number ? SettingValue(json::read_real(*value))
                          : SettingValue(json::read_text(*value)),
            value->pointer);
  }
}

struct Head {
  Trace& trace;
  Scope& scope;
  std::vector<std::string> order;
};

constexpr Key<Head> kHeadKeys[] = {
    {"format", [](const Value&, Head&) {}},          // both are read before
    {"format_version", [](const Value&, Head&) {}},  // anything else
    {"title", [](const Value& v, Head& h) { h.trace.title = read_text(v); }},
    {"description", [](const Value& v, Head& h) { h.trace.description = read_text(v); }},
    {"tokens",
     [](const Value& v, Head& h) { read_object(v, kTokenKeys, h.scope, json::Unknown::Ignored); },
     true},
    {"settings",
     [](const Value& v, Head& h) {
       read_object(v, kSettingKeys, h.scope.settings, json::Unknown::Ignored);
       read_settings({}, v, h.scope.settings);
     },
     true},
    {"notes", [](const Value& v, Head& h) { h.trace.notes = read_texts_or_none(v); }},
    {"order", [](const Value& v, Head& h) { h.order = read_texts_or_none(v); }, true},
};

void check_format(const Value& root) {
  const json::Node* format = json::find(root.node, "format");
  const auto* text = format ? std::get_if<std::string>(&format->value) : nullptr;
  if (text == nullptr || *text != "attn.trace") {
    throw input_error(
        {.id = "wrong-format",
         .what = "expected a trace, found something without \"format\": \"attn.trace\"",
         .places = {{.pointer = format ? "/format" : ""}},
         .fix = "Give a trace that attn wrote."});
  }
  if (const json::Node* version = json::find(root.node, "format_version")) {
    json::read_version({root.file, *version, "/format_version"});
  }
}

/// One list for each batch entry, one token for each row; `at` is where the scope is in the file.
void check_tokens(const TokenLists& lists, const Settings& s, Index rows, const std::string& side,
                  const std::string& at) {
  const std::string pointer = at + "/tokens/" + side, settings = at + "/settings/";
  if (static_cast<Index>(lists.size()) != s.batch) {
    throw input_error({.id = "token-count",
                       .what = there_are(std::ssize(lists), "list") + " of tokens, but " +
                               counted(s.batch, "batch entry"),
                       .places = {{.pointer = pointer}, {.pointer = settings + "batch"}},
                       .fix = "Give one list of tokens for each batch entry."});
  }
  for (std::size_t b = 0; b < lists.size(); ++b) {
    if (std::ssize(lists[b]) == rows) continue;
    const std::string setting = side == "query" ? "n_queries" : "n_keys";
    throw input_error(
        {.id = "token-count",
         .what = there_are(std::ssize(lists[b]), "token") + ", but " + setting + " is " +
                 std::to_string(rows),
         .places = {{.pointer = s.has_batch ? json::child_pointer(pointer, b) : pointer},
                    {.pointer = settings + setting}},
         .fix = "Give one token for each " + side + "."});
  }
}

/// Throws if the parts of a scope contradict each other; `at` is where it is in the file.
void check_scope(const Scope& scope, const std::string& at) {
  const Settings& s = scope.settings;
  if (s.heads % s.kv_heads != 0) {
    throw input_error({.id = "head-count",
                       .what = "heads is " + std::to_string(s.heads) + " and kv_heads is " +
                               std::to_string(s.kv_heads) + ": " + std::to_string(s.heads) +
                               " is not a multiple of " + std::to_string(s.kv_heads),
                       .places = {{.pointer = at + "/settings/kv_heads"}},
                       .fix = kRewrite});
  }
  check_tokens(scope.query_tokens, s, s.n_queries, "query", at);
  check_tokens(scope.key_tokens, s, s.n_keys, "key", at);
}

/// A scope of a whole model: what it does not say is as in the model.
Scope read_scope(const Value& value, const Value& root, const Scope& model) {
  Scope scope;
  scope.query_tokens = model.query_tokens;
  scope.key_tokens = model.key_tokens;
  if (const auto tokens = member(value, "tokens")) {
    for (const Key<Scope>& key : kTokenKeys) {
      if (const auto own = member(*tokens, key.name)) key.read(*own, scope);
    }
  }
  read_settings(member(value, "settings"), *member(root, "settings"), scope.settings);
  check_scope(scope, value.pointer);
  return scope;
}

void read_scopes(const Value& root, TraceInProgress& reading) {
  const auto scopes = member(root, "scopes");
  const auto* members = scopes ? std::get_if<json::Members>(&scopes->node.value) : nullptr;
  if (scopes && members == nullptr) {
    throw json::wrong_type(root.file, scopes->pointer, "an object with the scopes of a model",
                           kRewrite);
  }
  if (members == nullptr) return;
  for (const json::Member& each : *members) {
    const Value value{root.file, each.value, json::child_pointer(scopes->pointer, each.key)};
    const auto scope = std::make_shared<Scope>(read_scope(value, root, *reading.scopes.front()));
    scope->name = each.key;
    const bool predicts = scope->name.starts_with("lens.");
    if (predicts) scope->vocabulary = reading.scopes.front()->vocabulary;
    reading.add(scope);
  }
}

/// Reads title, tokens, settings and notes, and checks that they fit together. Returns the ids of
/// the steps, in order.
std::vector<std::string> read_trace_head(const Value& root, TraceInProgress& reading) {
  check_format(root);
  Scope& scope = *reading.scopes.front();
  Head head{reading.trace, scope, {}};
  read_object(root, kHeadKeys, head, json::Unknown::Ignored);
  check_scope(scope, "");
  read_scopes(root, reading);
  return std::move(head.order);
}

Value child(const Value& parent, const json::Node& node, const std::string& key) {
  return {parent.file, node, json::child_pointer(parent.pointer, key)};
}

Error missing_step(const std::string& id, const std::string& pointer, const std::string& where) {
  return input_error({.id = "missing-step",
                      .what = "\"order\" names the step \"" + id + "\", but " + where,
                      .places = {{.pointer = pointer}},
                      .fix = kRewrite});
}

/// The members of "givens" that attn knows.
void read_givens(const Value& root, TraceInProgress& reading) {
  const json::Node* givens = json::find(root.node, "givens");
  const auto* members = givens ? std::get_if<json::Members>(&givens->value) : nullptr;
  if (givens != nullptr && members == nullptr) {
    throw json::wrong_type(root.file, "/givens", "an object with a matrix for each name",
                           json::kInBraces);
  }
  if (members == nullptr) return;
  const Value object = child(root, *givens, "givens");
  for (const json::Member& member : *members) {
    const bool known = find_step_info(member.key) != nullptr && !is_step_id(member.key);
    if (known) read_given(child(object, member.value, member.key), member.key, reading);
  }
}

Trace read_all(const Value& root) {
  TraceInProgress reading;
  const std::vector<std::string> order = read_trace_head(root, reading);
  read_givens(root, reading);
  const json::Node* steps = json::find(root.node, "steps");
  if (steps == nullptr && !order.empty())
    throw missing_step(order[0], "", "there are no \"steps\"");
  std::unordered_map<std::string_view, const json::Node*> all;
  if (const auto* members = steps ? std::get_if<json::Members>(&steps->value) : nullptr) {
    for (const json::Member& member : *members) all.emplace(member.key, &member.value);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto step = all.find(order[i]);
    if (step == all.end())
      throw missing_step(order[i], json::child_pointer("/order", i), "\"steps\" does not have it");
    read_step(child(child(root, *steps, "steps"), *step->second, order[i]), order[i], reading);
  }
  const StepList& made = reading.trace.steps;
  const bool heads = std::any_of(made.begin(), made.end(),
                                 [](const Step& step) { return step.value.shape().heads; });
  for (const auto& scope : reading.scopes) {
    scope->settings.has_heads = scope->settings.heads > 1 || heads;
    reading.trace.scopes.push_back(scope);
  }
  return std::move(reading.trace);
}

}  // namespace

Trace parse_trace(const SharedBytes& bytes, const std::string& name, MemoryBudget* budget) {
  const auto file = std::make_shared<const json::Document>(
      json::parse(joined_lines(bytes), name, budget, json::OddWords::Real));
  try {
    return read_all({*file, file->root, ""});
  } catch (const Error& error) {
    throw SourceMap(file).locate(error);
  }
}

}  // namespace attn
