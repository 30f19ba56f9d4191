#include "attn/problem_file.hpp"

#include <limits>
#include <memory>
#include <utility>

#include "attn/tool/setting_names.hpp"
#include "io/json/json.hpp"
#include "io/json/read_object.hpp"
#include "io/json/value.hpp"

namespace attn {
namespace {

using json::ArrayForm;
using json::Key;
using json::Value;

constexpr ArrayForm kVector{1, 1};
constexpr ArrayForm kInput{2, 3};      // (batch ×) T × d_model
constexpr ArrayForm kWeight{1, 3};     // d, d_in × d_out, head × d_in × d_out
constexpr ArrayForm kProjected{2, 4};  // (batch × (head ×)) T × d
constexpr ArrayForm kScores{1, 4};     // whatever broadcasts to batch × head × T_q × T_k
constexpr ArrayForm kAllowed{1, 4, true};

void read_format(const Value& value) {
  const std::string& format = json::read_text(value);
  if (format == "attn.problem") return;
  const bool trace = format == "attn.trace";
  throw input_error({
      .id = "wrong-format",
      .what = "expected the format \"attn.problem\", found " +
              (trace ? "a trace, which is the result of a problem" : "\"" + format + "\""),
      .places = {{.pointer = value.pointer}},
      .fix = trace ? "Give the problem that the trace was computed from."
                   : "Give a problem file, or write \"format\": \"attn.problem\".",
  });
}

double read_fill(const Value& value) {
  const auto* text = std::get_if<std::string>(&value.node.value);
  if (text && (*text == "-Infinity" || *text == "-inf")) {
    return -std::numeric_limits<double>::infinity();
  }
  if (std::holds_alternative<double>(value.node.value)) return json::read_number(value);
  throw json::wrong_type(value.file, value.pointer, "a number or \"-Infinity\"",
                         "Write a number such as -1e9, or \"-Infinity\".");
}

ScaleRule read_scale(const Value& value) {
  if (const auto* number = std::get_if<double>(&value.node.value)) {
    return {ScaleRule::Kind::Number, *number};
  }
  const auto* text = std::get_if<std::string>(&value.node.value);
  const ScaleRule rule = text ? parse_scale(*text, value.pointer) : ScaleRule();
  if (text && rule.kind != ScaleRule::Kind::Number) return rule;
  throw json::wrong_type(value.file, value.pointer, "\"1/sqrt(d_k)\", \"none\" or a number",
                         "Write a number without quotation marks.");
}

/// Whether a list holds numbers or lists: what "allowed" takes.
bool is_matrix(const json::Node& list) {
  const auto* items = std::get_if<json::Items>(&list.value);
  return !items || !std::holds_alternative<std::string>(items->front().value);
}

std::vector<MaskSpec> read_masks(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value.node.value)) {
    return {parse_mask(*text, value.pointer)};
  }
  if (!json::is_list(value.node)) {
    throw json::wrong_type(value.file, value.pointer, "a mask or a list of masks",
                           "Write a mask such as \"causal\" or [\"causal\", \"padding\"].");
  }
  std::vector<MaskSpec> masks;
  if (json::item_count(value.node) == 0) return masks;
  if (is_matrix(value.node)) {
    throw json::wrong_type(value.file, value.pointer, "a mask or a list of masks",
                           "A matrix of 0 and 1 belongs under the key \"allowed\"; there, 1 means "
                           "\"may attend\".");
  }
  for (const std::string& text : json::read_texts(value)) {
    masks.push_back(parse_mask(text, json::child_pointer(value.pointer, masks.size())));
  }
  return masks;
}

using Table = decltype(ProblemDraft::embedding_table);

/// In an embedding table every key is a token, also one that begins with _ or $.
Table read_embedding_table(const Value& value) {
  const auto* members = std::get_if<json::Members>(&value.node.value);
  if (!members) {
    throw json::wrong_type(value.file, value.pointer, "an object with a vector for each token",
                           "Write {\"the\": [1, 0], \"cat\": [0, 1]}.");
  }
  Table table;
  for (const json::Member& member : *members) {
    const std::string pointer = json::child_pointer(value.pointer, member.key);
    table.emplace_back(member.key, read_array({value.file, member.value, pointer}, kVector).data);
  }
  return table;
}

/// Any names: attn's own and those of other libraries are told apart where the problem is made.
void read_weights(const Value& value, ProblemDraft& draft) {
  const auto* members = std::get_if<json::Members>(&value.node.value);
  if (!members) {
    throw json::wrong_type(value.file, value.pointer, "an object such as {\"w_q\": ...}",
                           "Write the keys and their values in braces.");
  }
  std::vector<Diagnostic> wrong;
  for (const json::Member& member : *members) {
    if (member.key.starts_with('_') || member.key.starts_with('$')) continue;
    const Value inner{value.file, member.value, json::child_pointer(value.pointer, member.key)};
    try {
      if (member.key == "add_zero_attn") {
        draft.add_zero_attn = json::read_flag(inner);
      } else {
        draft.weights[member.key] = read_array(inner, kWeight);
      }
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Input) throw;
      wrong.insert(wrong.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  }
  if (!wrong.empty()) throw Error(ErrorKind::Input, std::move(wrong));
}

using Memory = ProblemDraft::Memory;
constexpr Key<Memory> kMemoryKeys[] = {
    {"tokens", [](const Value& v, Memory& m) { m.tokens = read_token_lists(v); }},
    {"embeddings", [](const Value& v, Memory& m) { m.embeddings = read_array(v, kInput); }, true},
};

using Past = ProblemDraft::Past;
constexpr Key<Past> kPastKeys[] = {
    {"tokens", [](const Value& v, Past& p) { p.tokens = read_texts(v); }},
    {"k", [](const Value& v, Past& p) { p.k = read_array(v, kProjected); }, true},
    {"v", [](const Value& v, Past& p) { p.v = read_array(v, kProjected); }, true},
};

using Draft = ProblemDraft;
constexpr Key<Draft> kMaskingKeys[] = {
    {"mode", [](const Value& v, Draft& d) { d.masking = parse_masking(read_text(v), v.pointer); }},
    {"fill", [](const Value& v, Draft& d) { d.fill = read_fill(v); }},
};

void read_masking(const Value& value, Draft& draft) {
  if (std::holds_alternative<std::string>(value.node.value)) {
    throw json::wrong_type(value.file, value.pointer, "an object such as {\"mode\": \"add\"}",
                           "Write the mode in braces, as {\"mode\": \"add\"}.");
  }
  read_object(value, kMaskingKeys, draft);
}

constexpr Key<Positions> kPositionKeys[] = {
    {"kind",
     [](const Value& v, Positions& p) { p.kind = parse_positions(read_text(v), v.pointer); }, true},
    {"base", [](const Value& v, Positions& p) { p.base = read_number(v); }},
    {"rotary_dim", [](const Value& v, Positions& p) { p.rotary_dim = read_count(v, 1); }},
    {"offset", [](const Value& v, Positions& p) { p.offset = read_count(v, 0); }},
    {"slopes", [](const Value& v, Positions& p) { p.slopes = read_array(v, kVector).data; }},
};

/// The kind alone as a string, or an object with its parameters.
void read_positions(const Value& value, Draft& draft) {
  if (std::holds_alternative<std::string>(value.node.value)) {
    draft.positions.kind = parse_positions(read_text(value), value.pointer);
  } else {
    read_object(value, kPositionKeys, draft.positions);
  }
}

constexpr Key<Draft> kProblemKeys[] = {
    {"format", [](const Value&, Draft&) {}},          // both are read before
    {"format_version", [](const Value&, Draft&) {}},  // anything else
    {"title", [](const Value& v, Draft& d) { d.title = read_text(v); }},
    {"description", [](const Value& v, Draft& d) { d.description = read_text(v); }},
    {"tokens", [](const Value& v, Draft& d) { d.tokens = read_token_lists(v); }},
    {"embeddings", [](const Value& v, Draft& d) { d.embeddings = read_array(v, kInput); }},
    {"embedding_table",
     [](const Value& v, Draft& d) { d.embedding_table = read_embedding_table(v); }},
    {"memory", [](const Value& v, Draft& d) { read_object(v, kMemoryKeys, d.memory.emplace()); }},
    {"weights", read_weights},
    {"q", [](const Value& v, Draft& d) { d.q = read_array(v, kProjected); }},
    {"k", [](const Value& v, Draft& d) { d.k = read_array(v, kProjected); }},
    {"v", [](const Value& v, Draft& d) { d.v = read_array(v, kProjected); }},
    {"past", [](const Value& v, Draft& d) { read_object(v, kPastKeys, d.past.emplace()); }},
    {"key_tokens", [](const Value& v, Draft& d) { d.key_tokens = read_token_lists(v); }},
    {"heads", [](const Value& v, Draft& d) { d.heads = read_count(v, 1); }},
    {"kv_heads", [](const Value& v, Draft& d) { d.kv_heads = read_count(v, 1); }},
    {"mask", [](const Value& v, Draft& d) { d.masks = read_masks(v); }},
    {"allowed", [](const Value& v, Draft& d) { d.allowed = read_array(v, kAllowed); }},
    {"bias", [](const Value& v, Draft& d) { d.bias = read_array(v, kScores); }},
    {"key_lengths", [](const Value& v, Draft& d) { d.key_lengths = read_counts(v, 0); }},
    {"align", [](const Value& v, Draft& d) { d.align = parse_align(read_text(v), v.pointer); }},
    {"masking", read_masking},
    {"empty_row",
     [](const Value& v, Draft& d) { d.empty_row = parse_empty_row(read_text(v), v.pointer); }},
    {"scale", [](const Value& v, Draft& d) { d.scale = read_scale(v); }},
    {"softcap", [](const Value& v, Draft& d) { d.softcap = read_number(v); }},
    {"positions", read_positions},
    {"dtype", [](const Value& v, Draft& d) { d.dtype = parse_dtype(read_text(v), v.pointer); }},
};

ProblemDraft read_problem(const json::Document& file) {
  if (const json::Node* format = json::find(file.root, "format")) {
    read_format({file, *format, "/format"});
  }
  if (const json::Node* version = json::find(file.root, "format_version")) {
    json::read_version({file, *version, "/format_version"});
  }
  json::Homes homes;
  for (const char* name : {"w_q", "w_k", "w_v", "w_o", "b_q", "b_k", "b_v", "b_o"}) {
    homes[name] = "weights";
  }
  for (const Key<Draft>& key : kMaskingKeys) homes[key.name] = "masking";
  ProblemDraft draft;
  read_object({file, file.root, ""}, kProblemKeys, draft, homes);
  return draft;
}

}  // namespace

ProblemFile parse_problem(std::string_view text, const std::string& name,
                          const ReadFile& read_file) {
  const auto document = std::make_shared<json::Document>(json::parse(text, name));
  document->read_file = read_file;
  const SourceMap places(document);
  try {
    return {read_problem(*document), places};
  } catch (const Error& error) {
    throw places.locate(error);
  }
}

}  // namespace attn
