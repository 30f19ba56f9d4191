// Keys of a problem file for what attention is computed from: tokens, embeddings, weights, Q, K, V.
#include <algorithm>
#include <set>
#include <utility>

#include "attn/checkpoint.hpp"
#include "attn/error.hpp"
#include "attn/phrases.hpp"
#include "core/problem/embedding_table.hpp"
#include "core/text/complaints.hpp"
#include "io/json/expectation.hpp"
#include "io/json/read_object.hpp"
#include "io/problem/array_source.hpp"
#include "io/problem/field_kinds.hpp"
#include "io/problem/field_row.hpp"

namespace attn {
namespace {

using json::Value;
using json::Writer;
using Draft = ProblemDraft;
using Memory = ProblemDraft::Memory;
using Past = ProblemDraft::Past;

constexpr char kMemory[] = "memory/";
constexpr char kPast[] = "past/";
constexpr json::ArrayForm kWeight{1, 3};  // d, d_in × d_out, head × d_in × d_out

void write_tokens(Writer& out, std::string_view key, const Draft& draft) {
  write_member(out, key, draft.text ? TokenLists{text_words(draft)} : draft.tokens);
}

constexpr json::Key<std::string> kWeightsFile[] = {
    {"file", [](const Value& v, std::string& path) { path = json::read_text(v); }, true}};

/// {"file": "model.safetensors"}: all its tensors, under their own names.
void read_weights_file(const Value& value, Draft& draft) {
  std::string path;
  json::read_object(value, kWeightsFile, path);
  const std::vector<std::string> endings = checkpoint_endings();
  const bool known = std::any_of(endings.begin(), endings.end(),
                                 [&](const std::string& ending) { return path.ends_with(ending); });
  if (!known) throw json::wrong_ending(value, either(endings), path);
  json::check_path(value, path, value.file.list_tensors != nullptr);
  draft.model_weights = value.file.list_tensors(path, value.pointer);
}

/// Any names; make_problem distinguishes attn's own from those of other libraries.
void read_weights(const Value& value, const ProblemKey&, Draft& draft) {
  if (json::find(value.node, "file") != nullptr) return read_weights_file(value, draft);
  Complaints wrong;
  for (const json::Member& member :
       members_of(value, "an object such as {\"w_q\": ...}", json::kInBraces)) {
    if (member.key.starts_with('_') || member.key.starts_with('$')) continue;
    const bool wrong_for_sure = !json::is_list(member.value) &&
                                !std::holds_alternative<json::Members>(member.value.value) &&
                                member.key != "add_zero_attn";
    if (wrong.is_full() && wrong_for_sure) {  // finding the place of each error is slow
      wrong.omit();
      continue;
    }
    try {
      if (member.key == "add_zero_attn") {
        draft.add_zero_attn = json::read_flag(child(value, member));
      } else {
        draft.weights[member.key] = read_array(child(value, member), kWeight);
      }
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Input) throw;
      wrong.add(error);
    }
  }
  wrong.throw_all();
}

/// Our own names in their usual order, then all others; those of a file as well, so that the
/// written problem needs no other file.
void write_weights(Writer& out, std::string_view key, const Draft& draft) {
  std::set<std::string> names;
  for (const auto& [name, array] : draft.weights) names.insert(name);
  for (const auto& [name, tensor] : draft.model_weights) names.insert(name);
  const auto write = [&](const std::string& name) {
    const auto own = draft.weights.find(name);
    out.key(name).array(own == draft.weights.end() ? draft.model_weights.at(name).read()
                                                   : own->second);
  };
  out.some_object(key, json::Layout::Lines, [&] {
    for (const std::string& name : own_weights()) {
      if (names.erase(name) > 0) write(name);
    }
    for (const std::string& name : names) write(name);
    out.some("add_zero_attn", draft.add_zero_attn);
  });
}

/// A key that always has the same text: the format and its version, read before anything else.
template <const char* text>
constexpr KeyField constant() {
  return {[](const Value&, const ProblemKey&, Draft&) {},
          [](Writer& out, std::string_view key, const Draft&) { out.add(key, text); }};
}

constexpr char kFormat[] = "attn.problem", kFormatVersion[] = "1.0";
constexpr KeyKind kFormatName{kText, kText, R"("const": "attn.problem")"};
constexpr KeyKind kVersion{kText, kText, R"("type": "string", "pattern": "^1(\\..*)?$")"};
constexpr KeyKind kWeights{
    .whole = kObject, .item = kCell, .schema = R"("type": "object")", .by_name = true};

constexpr ProblemKey kAboutKeys[] = {
    {.path = "format",
     .kind = kFormatName,
     .field = constant<kFormat>(),
     .says = "What kind of file this is. Optional.",
     .example = {R"("format": "attn.problem", "format_version": "1.0")", "optional"}},
    {.path = "format_version",
     .kind = kVersion,
     .field = constant<kFormatVersion>(),
     .says = "Version of the format, \"1.0\". Other major versions are refused."},
};

constexpr KeyKind kAttentionWeights{kMatrix, kCell, R"("$ref": "#/$defs/projected")", {2, 4}};

constexpr ProblemKey kInputKeys[] = {
    {.path = "title",
     .kind = kTextKind,
     .field = field<&Draft::title>(),
     .says = "One line, shown above everything.",
     .example = {R"("title": "two tokens", "description": "…")", "shown at the top"}},
    {.path = "description",
     .kind = kTextKind,
     .field = field<&Draft::description>(),
     .says = "A few sentences, shown below the title."},
    {.path = "tokens",
     .kind = kTokenLists,
     .field = {field<&Draft::tokens>().read, write_tokens},
     .says = "Labels of the rows of X: one list, or one per batch entry. Default: t0, t1, …",
     .example = {R"("tokens": ["the", "cat"])", "row labels; default: t0, t1 …"}},
    {.path = "embeddings",
     .kind = kInput,
     .field = field<&Draft::embeddings>(),
     .says = "X, T × d_model; N × T × d_model for a batch.",
     .example = {R"("embeddings": [[1, 0], [0, 1]])", "X, one row of numbers per token"}},
    {.path = "embedding_table",
     .kind = kTable,
     .field = field<&Draft::embedding_table>(),
     .says = "Token → vector. With tokens (or text) it supplies the embeddings. Here every key "
             "is a token.",
     .example = {R"("embedding_table": {"the": [1, 0]})", "one row per token, to look up"}},
    {.path = "memory",
     .kind = kObjectKind,
     .field = object_field<&Draft::memory, kMemory>(),
     .says = "Cross attention: keys and values are made from this, queries from the embeddings.",
     .example = {R"("memory": {"embeddings": [[1, 1]]})", "K and V are made from it"}},
    {.path = "memory/tokens",
     .kind = kTokenLists,
     .field = field<&Draft::memory, &Memory::tokens>(),
     .says = "Labels of the rows of the memory. Default: m0, m1, …"},
    {.path = "memory/embeddings",
     .kind = kInput,
     .field = field<&Draft::memory, &Memory::embeddings>(),
     .says = "T_k × d_model, or N × T_k × d_model."},
    {.path = "memory/embedding_table",
     .kind = kTable,
     .field = field<&Draft::memory, &Memory::embedding_table>(),
     .says = "Token → vector. With the tokens of the memory, it supplies its embeddings."},
    {.path = "memory/values",
     .kind = kInput,
     .field = field<&Draft::memory, &Memory::values>(),
     .says = "What the values are made from, if not the embeddings: as many rows, of any width. "
             "Default: the embeddings."},
    {.path = "weights",
     .kind = kWeights,
     .field = {read_weights, write_weights},
     .says = "The projections. Tokens are rows, so w_q is d_in × d_out; other libraries' names "
             "imply their own layout.",
     .example = {R"("weights": {"w_q": [[1], [0]]})", "w_q w_k w_v w_o, b_q b_k b_v b_o"}},
    {.path = "fused",
     .kind = kWordKind,
     .field = field<&Draft::fused>(),
     .says =
         "How q, k and v are laid out in one tensor, if not as its name says: all of q, then k, "
         "then v; or the q, k and v of each head; or, for each key head, its queries, its key "
         "and its value.",
     .example = {R"("fused": "parts", "layout": "columns")", "W_q W_k W_v in one; X in columns"}},
    {.path = "q",
     .kind = kProjected,
     .field = field<&Draft::q>(),
     .says = "The queries themselves, instead of embeddings and weights.",
     .example = {R"("q": [[1, 0]], "k": [[1, 0]], "v": [[2]])",
                 "instead of embeddings and weights"}},
    {.path = "k",
     .kind = kProjected,
     .field = field<&Draft::k>(),
     .says = "The keys, with the rank of q."},
    {.path = "v",
     .kind = kProjected,
     .field = field<&Draft::v>(),
     .says = "The values, with the rank of q."},
    {.path = "attention_weights",
     .kind = kAttentionWeights,
     .field = field<&Draft::attention_weights>(),
     .says =
         "A itself, with v: T_q × T_k, or one for each head or batch entry. There are no scores.",
     .example = {R"("attention_weights": [[1]], "v": [[2]])", "A itself, without scores"}},
    {.path = "layout",
     .kind = kWordKind,
     .field = field<&Draft::layout>(),
     .says = "columns: every matrix of the file has tokens in columns, and weights are out × in "
             "(K = W_k·X). Steps have tokens in rows all the same."},
    {.path = "past",
     .kind = kObjectKind,
     .field = object_field<&Draft::past, kPast>(),
     .says = "Cached keys and values that come before the new ones, shaped as after the head "
             "split.",
     .example = {R"("past": {"k": [[1, 0]], "v": [[2]]})", "cached rows, before k and v"}},
    {.path = "past/k",
     .kind = kProjected,
     .field = field<&Draft::past, &Past::k>(),
     .says = "P × d_k for each key/value head.",
     .required = true},
    {.path = "past/v",
     .kind = kProjected,
     .field = field<&Draft::past, &Past::v>(),
     .says = "P × d_v for each key/value head.",
     .required = true},
    {.path = "past/tokens",
     .kind = kTokens,
     .field = field<&Draft::past, &Past::tokens>(),
     .says = "Labels of the cached rows. Default: p0, p1, …"},
    {.path = "key_tokens",
     .kind = kTokenLists,
     .field = field<&Draft::key_tokens>(),
     .says = "Labels of the keys if Q, K and V are given. Default: tokens if the sizes agree, else "
             "k0, k1, …",
     .example = {R"("key_tokens": ["the"])", "names of the rows of k"}},
};

}  // namespace

const std::vector<std::string>& own_weights() {
  static const std::vector<std::string> names{
      "w_q",    "w_k",    "w_v",         "w_o",         "b_q",    "b_k",           "b_v",
      "b_o",    "w_dq",   "w_uq",        "w_qr",        "w_dkv",  "w_kr",          "w_uk",
      "w_uv",   "w_ukv",  "b_dq",        "b_dkv",       "b_kr",   "q_latent_norm", "kv_latent_norm",
      "q_norm", "k_norm", "q_norm_bias", "k_norm_bias", "w_gate", "b_gate",        "v_score"};
  return names;
}

std::span<const ProblemKey> about_keys() { return kAboutKeys; }
std::span<const ProblemKey> input_keys() { return kInputKeys; }

}  // namespace attn
