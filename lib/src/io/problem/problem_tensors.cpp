// Problems in .npz and .safetensors files.
#include "attn/problem_tensors.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "attn/io/problem_file.hpp"
#include "attn/phrases.hpp"
#include "attn/suggest.hpp"
#include "core/problem/foreign_weights.hpp"
#include "core/problem/model_checks.hpp"
#include "core/text/complaints.hpp"
#include "io/arrays/tensor_error.hpp"
#include "io/json/read_object.hpp"
#include "io/problem/draft_values.hpp"
#include "io/problem/field_kinds.hpp"
#include "io/problem/problem_fields.hpp"

namespace attn {
namespace {

constexpr const char* kSettings = "attn.problem";
constexpr std::string_view kOwnWeights = "weights.";  // before w_q if attn wrote the file

/// "past.k" for past/k
std::string tensor_name(const ProblemKey& key) {
  std::string name(key.path);
  std::replace(name.begin(), name.end(), '/', '.');
  return name;
}

/// The key whose value an array is: past/k for "past.k"; nullptr if there is none.
const ProblemKey* key_of(std::string name) {
  std::replace(name.begin(), name.end(), '.', '/');
  const ProblemKey* key = find_key(name);
  return key && key->field.exchange ? key : nullptr;
}

/// The settings and the text of a problem, from the bytes in the array "attn.problem".
ProblemDraft settings_from(const Array& bytes, const std::string& file) {
  std::string text;
  for (const double byte : bytes.data) {
    const bool fits = byte >= 0 && byte <= 255 && byte == std::floor(byte);
    text += fits ? static_cast<char>(static_cast<unsigned char>(byte)) : '?';
  }
  return parse_problem(text, file + " (attn.problem)").draft;
}

/// Whether a problem has a part of that name; the weights of a model may have any name.
bool is_part(const std::string& name, bool of_model) {
  const bool weight = name.starts_with(kOwnWeights);
  return name == kSettings || key_of(name) != nullptr || (weight && of_model) ||
         is_weight_name(weight ? name.substr(kOwnWeights.size()) : name);
}

/// Whether a key is a setting that people may take for an array.
bool is_setting(const ProblemKey& key) {
  return !key.field.exchange && (key.option.name != nullptr || &key.kind == &kMasks);
}

/// What is wrong with a setting that is in a file as an array; `fix` is what to do if its name is
/// another library's, or empty.
Diagnostic setting_as_array(const std::string& name, const ProblemKey& key,
                            const std::string& fix) {
  Diagnostic wrong{.id = "unknown-tensor", .what = "\"" + name + "\" is a setting, not an array"};
  if (key.option.name == nullptr) {
    wrong.fix = fix.empty() ? kMatrixOfMask : fix;
  } else {
    wrong.fix = "Remove the array, and give the setting itself.";
    wrong.changes = {{std::string(key.name()), key.option.value}};
  }
  return wrong;
}

/// What a name without a meaning may stand for; nothing if it resembles no known name.
std::optional<Diagnostic> guessed(const std::string& name) {
  std::vector<std::string> known;
  for (const ProblemKey& key : problem_keys()) {
    if (key.field.exchange || is_setting(key)) known.push_back(tensor_name(key));
  }
  const json::KeyGuess key = json::guess_key(name, known);
  const ProblemKey* meant = key.names.empty() ? nullptr : find_key(key.names.front());
  if (meant && is_setting(*meant)) return setting_as_array(name, *meant, key.fix);
  const std::string weight = weight_guess(name);  // "wq" is more like w_q than like q
  const std::string near = weight.empty() ? did_you_mean(key.names) : weight;
  if (near.empty() && key.fix.empty()) return std::nullopt;
  return Diagnostic{.id = "unknown-tensor",
                    .what = "no part of a problem is called \"" + name + "\"" + near,
                    .fix = key.fix.empty() ? "Correct the name, or remove the array." : key.fix};
}

/// Complains about names without a meaning: one by one if they resemble known names, else together.
void complain_unknown(const std::vector<std::string>& names, const std::string& file) {
  Complaints wrong;
  std::vector<std::string> others;
  for (const std::string& name : names) {
    if (std::optional<Diagnostic> guess = guessed(name)) {
      guess->places = {{.file = file}};
      wrong.add(*std::move(guess));
    } else {
      others.push_back(name);
    }
  }
  if (!others.empty()) {
    wrong.add(tensor_error({file}, "unknown-tensor",
                           "no part of a problem is called " + listed(others),
                           "Remove these tensors, or choose one layer.", {{"prefix", ""}}));
  }
  wrong.throw_all();
}

/// Ends of names of a layer's tensors that do not change its output: BERT's norm comes after it.
constexpr std::string_view kAfterwards[] = {"output.LayerNorm.weight", "output.LayerNorm.bias"};

bool changes_nothing(const std::string& name) {
  if (is_buffer_name(name)) return true;
  return is_idle_weight(name) ||
         std::any_of(std::begin(kAfterwards), std::end(kAfterwards),
                     [&](std::string_view end) { return name.ends_with(end); });
}

/// Refuses tensors of a layer that attn does not compute with: the layer would be another one.
void refuse_uncomputed(const std::vector<std::string>& names, const std::string& prefix,
                       const std::string& file) {
  if (names.empty()) return;
  throw tensor_error(
      {file}, "not-supported",
      "the layer " + prefix + " computes with " + listed(names, 8) + ", which attn does not",
      "Give its queries, keys and values instead, as q, k and v, or another layer.");
}

/// Refuses a layer whose output projection is beside it, under the prefix without its last word.
void refuse_output_beside(const std::vector<std::string>& names, const std::string& prefix,
                          const std::string& file) {
  const std::size_t dot = prefix.size() < 2 ? prefix.npos : prefix.rfind('.', prefix.size() - 2);
  if (dot == prefix.npos) return;
  const std::string parent = prefix.substr(0, dot + 1);
  const auto at = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
    return name.starts_with(parent) && makes_output(name.substr(parent.size()));
  });
  if (at == names.end()) return;
  const std::vector<std::string> layers = layer_prefixes(names);
  const bool whole = std::find(layers.begin(), layers.end(), parent) != layers.end();
  throw tensor_error({file}, "not-supported",
                     "the layer " + prefix + " has no output projection, but beside it is " + *at,
                     whole ? "Choose the layer with both."
                           : "Give its queries, keys and values instead, as q, k and v.",
                     whole ? std::vector<Change>{{"prefix", parent}} : std::vector<Change>{});
}

}  // namespace

bool is_problem_tensor(const std::string& name) { return is_part(name, true); }

bool is_problem_file(const std::vector<std::string>& tensor_names) {
  return std::find(tensor_names.begin(), tensor_names.end(), kSettings) != tensor_names.end();
}

ProblemDraft draft_from_tensors(const std::vector<NamedArray>& arrays, const std::string& prefix,
                                const std::string& file_name) {
  ProblemDraft draft;
  std::vector<std::string> names, unknown;
  bool gpt2 = false;  // which keeps its causal mask in the tensor "bias"
  for (const NamedArray& each : arrays) {
    names.push_back(each.name);
    if (each.name == prefix + kSettings) draft = settings_from(each.array, file_name);
    gpt2 |= each.name == prefix + "c_attn.weight";
  }
  for (const NamedArray& each : arrays) {
    if (!each.name.starts_with(prefix)) continue;
    const std::string own = each.name.substr(prefix.size());
    const bool weight = own.starts_with(kOwnWeights);
    if (gpt2 && own == "bias") {
      draft.notes.push_back("not used: " + each.name +
                            ", GPT-2's causal mask; the mask \"causal\" does the same");
    } else if (!is_part(own, draft.model.has_value())) {
      unknown.push_back(each.name);
    } else if (const ProblemKey* key = key_of(own)) {
      key->field.exchange(draft, *key, each.array);
    } else if (own != kSettings) {
      draft.weights[weight ? own.substr(kOwnWeights.size()) : own] = each.array;
    }
  }
  const bool written_by_attn =
      std::find(names.begin(), names.end(), prefix + kSettings) != names.end();
  if (draft.weights.empty() && !draft.q && !draft.embeddings && !written_by_attn) {
    throw tensor_error(
        {file_name}, "unknown-tensor",
        names.empty()
            ? "this file has no tensors"
            : "no tensor in this file is part of attention; the file has " + listed(names),
        "Name tensors like the keys of a problem file (embeddings, w_q, …) or as PyTorch does.");
  }
  if (prefix.empty()) complain_unknown(unknown, file_name);
  const auto computed = std::partition(unknown.begin(), unknown.end(), changes_nothing);
  refuse_uncomputed({computed, unknown.end()}, prefix, file_name);
  if (std::none_of(draft.weights.begin(), draft.weights.end(),
                   [](const auto& weight) { return makes_output(weight.first); }))
    refuse_output_beside(names, prefix, file_name);
  if (!unknown.empty()) draft.notes.push_back("not used: " + listed(unknown));
  draft.cross_weights = prefix.ends_with("multihead_attn.");  // of nn.TransformerDecoderLayer
  return draft;
}

std::vector<NamedArray> tensors_of(const ProblemDraft& draft) {
  std::vector<NamedArray> arrays;
  ProblemDraft rest = draft;
  for (const ProblemKey& key : problem_keys()) {
    if (!key.field.exchange) continue;
    const std::optional<Array> array = key.field.exchange(rest, key, std::nullopt);
    if (!array) continue;
    if (key.required) key.field.exchange(rest, key, array);  // needed to read its object
    arrays.push_back({tensor_name(key), *array, ""});
  }
  for (const auto& [name, array] : draft.weights) arrays.push_back({"weights." + name, array, ""});
  for (const auto& [name, tensor] : draft.model_weights)
    arrays.push_back({"weights." + name, tensor.read(), ""});
  rest.weights.clear();
  rest.model_weights.clear();
  for (std::optional<MemoryDraft>* rows : {&rest.memory, &rest.source}) {
    const bool empty = *rows && (*rows)->tokens.empty() && (*rows)->embedding_table.empty();
    if (empty) rows->reset();
  }
  if (rest.past && rest.past->tokens.empty()) rest.past.reset();
  Array bytes;
  for (const char c : problem_json(rest)) bytes.data.push_back(static_cast<unsigned char>(c));
  bytes.shape = {static_cast<std::ptrdiff_t>(bytes.data.size())};
  arrays.push_back({kSettings, bytes, ""});
  return arrays;
}

}  // namespace attn
