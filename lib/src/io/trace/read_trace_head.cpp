// Reads everything of a trace except its steps and givens.
#include "io/trace/read_trace_head.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "attn/tool/phrases.hpp"
#include "core/trace/other_settings.hpp"
#include "io/json/read_object.hpp"

namespace attn {
namespace {

using json::Key;
using json::Value;

constexpr Key<Scope> kTokenKeys[] = {
    {"query", [](const Value& v, Scope& s) { s.query_tokens = read_token_lists(v); }, true},
    {"key", [](const Value& v, Scope& s) { s.key_tokens = read_token_lists(v); }, true},
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
    {"d_k", [](const Value& v, Settings& s) { s.d_k = read_count(v, 1); }, true},
    {"d_v", [](const Value& v, Settings& s) { s.d_v = read_count(v, 1); }, true},
    {"n_queries", [](const Value& v, Settings& s) { s.n_queries = read_count(v, 1); }, true},
    {"n_keys", [](const Value& v, Settings& s) { s.n_keys = read_count(v, 1); }, true},
    {"mask", [](const Value& v, Settings& s) { s.masks = read_texts_or_none(v); }, true},
    {"scale", [](const Value& v, Settings& s) { s.scale = read_real(v); }, true},
};

void read_settings(const Value& value, Settings& settings) {
  read_object(value, kSettingKeys, settings, {}, json::Unknown::Ignored);
  for (const OtherSetting& row : other_settings()) {
    const json::Node* node = json::find(value.node, row.key);
    if (node == nullptr) continue;
    const Value own{value.file, *node, json::child_pointer(value.pointer, row.key)};
    const SettingValue read =
        row.is_number ? SettingValue(json::read_real(own)) : SettingValue(json::read_text(own));
    row.set(settings, read, own.pointer);
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
     [](const Value& v, Head& h) {
       read_object(v, kTokenKeys, h.scope, {}, json::Unknown::Ignored);
     },
     true},
    {"settings", [](const Value& v, Head& h) { read_settings(v, h.scope.settings); }, true},
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
         .fix = "Give a trace as attn writes it."});
  }
  if (const json::Node* version = json::find(root.node, "format_version")) {
    json::read_version({root.file, *version, "/format_version"});
  }
}

/// One list for each batch entry, one token for each row.
void check_tokens(const TokenLists& lists, const Settings& s, Index rows, const std::string& side) {
  const std::string pointer = "/tokens/" + side;
  if (static_cast<Index>(lists.size()) != s.batch) {
    throw input_error({.id = "token-count",
                       .what = "there are " + counted(std::ssize(lists), "list") +
                               " of tokens, but " + counted(s.batch, "batch entry"),
                       .places = {{.pointer = pointer}, {.pointer = "/settings/batch"}},
                       .fix = "Give one list of tokens for each batch entry."});
  }
  for (std::size_t b = 0; b < lists.size(); ++b) {
    if (std::ssize(lists[b]) == rows) continue;
    const std::string setting = side == "query" ? "n_queries" : "n_keys";
    throw input_error(
        {.id = "token-count",
         .what = "there are " + counted(std::ssize(lists[b]), "token") + ", but " + setting +
                 " is " + std::to_string(rows),
         .places = {{.pointer = s.has_batch ? json::child_pointer(pointer, b) : pointer},
                    {.pointer = "/settings/" + setting}},
         .fix = "Give one token for each " + side + "."});
  }
}

}  // namespace

std::vector<std::string> read_trace_head(const Value& root, TraceInProgress& reading) {
  check_format(root);
  Head head{reading.trace, *reading.scope, {}};
  read_object(root, kHeadKeys, head, {}, json::Unknown::Ignored);
  const Settings& s = reading.scope->settings;
  if (s.heads % s.kv_heads != 0) {
    throw input_error({.id = "head-count",
                       .what = "heads is " + std::to_string(s.heads) + " and kv_heads is " +
                               std::to_string(s.kv_heads) + ": they do not divide",
                       .places = {{.pointer = "/settings/kv_heads"}},
                       .fix = "Write the trace again with attn."});
  }
  check_tokens(reading.scope->query_tokens, s, s.n_queries, "query");
  check_tokens(reading.scope->key_tokens, s, s.n_keys, "key");
  return std::move(head.order);
}

}  // namespace attn
