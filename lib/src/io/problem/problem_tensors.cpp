#include "attn/tool/problem_tensors.hpp"

#include <algorithm>
#include <string_view>

#include "attn/problem_file.hpp"
#include "attn/problem_json.hpp"
#include "attn/tool/phrases.hpp"
#include "core/problem/foreign_weights.hpp"
#include "io/arrays/tensor_error.hpp"

namespace attn {
namespace {

constexpr const char* kSettings = "attn.problem";
constexpr std::string_view kOwnWeights = "weights.";  // in front of w_q where attn wrote the file

/// The arrays of a draft that are not weights: name, and where it goes.
struct Row {
  const char* name;
  std::optional<Array> (*get)(const ProblemDraft& draft);
  void (*set)(ProblemDraft& draft, const Array& array);
};

ProblemDraft::Past& past_of(ProblemDraft& d) {
  if (!d.past) d.past.emplace();
  return *d.past;
}

ProblemDraft::Memory& memory_of(ProblemDraft& d) {
  if (!d.memory) d.memory.emplace();
  return *d.memory;
}

std::optional<Array> unless_empty(const Array& array) {
  return array.shape.empty() ? std::nullopt : std::optional(array);
}

std::optional<Array> lengths_of(const ProblemDraft& d) {
  if (d.key_lengths.empty()) return std::nullopt;
  Array array{{static_cast<std::ptrdiff_t>(d.key_lengths.size())}, {}};
  for (const Index length : d.key_lengths) array.data.push_back(static_cast<double>(length));
  return array;
}

void set_lengths(ProblemDraft& d, const Array& array) {
  d.key_lengths.clear();
  for (const double length : array.data) d.key_lengths.push_back(static_cast<Index>(length));
}

using Draft = ProblemDraft;
constexpr Row kRows[] = {
    {"embeddings", [](const Draft& d) { return d.embeddings; },
     [](Draft& d, const Array& a) { d.embeddings = a; }},
    {"memory.embeddings",
     [](const Draft& d) { return d.memory ? unless_empty(d.memory->embeddings) : std::nullopt; },
     [](Draft& d, const Array& a) { memory_of(d).embeddings = a; }},
    {"q", [](const Draft& d) { return d.q; }, [](Draft& d, const Array& a) { d.q = a; }},
    {"k", [](const Draft& d) { return d.k; }, [](Draft& d, const Array& a) { d.k = a; }},
    {"v", [](const Draft& d) { return d.v; }, [](Draft& d, const Array& a) { d.v = a; }},
    {"past.k", [](const Draft& d) { return d.past ? unless_empty(d.past->k) : std::nullopt; },
     [](Draft& d, const Array& a) { past_of(d).k = a; }},
    {"past.v", [](const Draft& d) { return d.past ? unless_empty(d.past->v) : std::nullopt; },
     [](Draft& d, const Array& a) { past_of(d).v = a; }},
    {"allowed", [](const Draft& d) { return d.allowed; },
     [](Draft& d, const Array& a) { d.allowed = a; }},
    {"bias", [](const Draft& d) { return d.bias; }, [](Draft& d, const Array& a) { d.bias = a; }},
    {"key_lengths", lengths_of, set_lengths},
};

const Row* find_row(const std::string& name) {
  const auto* at = std::find_if(std::begin(kRows), std::end(kRows),
                                [&](const Row& row) { return row.name == name; });
  return at == std::end(kRows) ? nullptr : at;
}

/// The settings and texts of a problem, from the bytes in the array "attn.problem".
ProblemDraft settings_from(const Array& bytes, const std::string& file) {
  std::string text;
  for (const double byte : bytes.data) {
    const bool fits = byte >= 0 && byte <= 255;
    text += fits ? static_cast<char>(static_cast<unsigned char>(byte)) : '?';
  }
  return parse_problem(text, file + " (attn.problem)").draft;
}

}  // namespace

bool is_problem_tensor(const std::string& name) {
  const std::string own = name.starts_with(kOwnWeights) ? name.substr(kOwnWeights.size()) : name;
  return name == kSettings || find_row(name) != nullptr || is_weight_name(own);
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
      draft.notes.push_back("not used: " + each.name + ", GPT-2's causal mask (--mask causal)");
    } else if (!is_problem_tensor(own)) {
      unknown.push_back(each.name);
    } else if (const Row* row = find_row(own)) {
      row->set(draft, each.array);
    } else if (own != kSettings) {
      draft.weights[weight ? own.substr(kOwnWeights.size()) : own] = each.array;
    }
  }
  if (draft.weights.empty() && !draft.q && !draft.embeddings) {
    throw checkpoint_error(
        "unknown-tensor", file_name,
        "no tensor of this file is part of attention: it holds " + listed(names),
        "Name tensors as the keys of a problem file (embeddings, w_q, …) or as PyTorch does.");
  }
  if (!unknown.empty() && prefix.empty()) {
    throw checkpoint_error("unknown-tensor", file_name,
                           "no part of a problem is called " + listed(unknown),
                           "Remove it, or choose one layer with --prefix.");
  }
  if (!unknown.empty()) draft.notes.push_back("not used: " + listed(unknown));
  return draft;
}

std::vector<NamedArray> tensors_of(const ProblemDraft& draft) {
  std::vector<NamedArray> arrays;
  ProblemDraft rest = draft;
  for (const Row& row : kRows) {
    if (const auto array = row.get(draft)) arrays.push_back({row.name, *array, ""});
  }
  for (const auto& [name, array] : draft.weights) arrays.push_back({"weights." + name, array, ""});
  rest.embeddings = rest.q = rest.k = rest.v = rest.allowed = rest.bias = std::nullopt;
  rest.key_lengths.clear();
  rest.weights.clear();
  if (rest.memory && rest.memory->tokens.empty()) rest.memory.reset();
  if (rest.past && rest.past->tokens.empty()) rest.past.reset();
  Array bytes;
  for (const char c : problem_json(rest)) bytes.data.push_back(static_cast<unsigned char>(c));
  bytes.shape = {static_cast<std::ptrdiff_t>(bytes.data.size())};
  arrays.push_back({kSettings, bytes, ""});
  return arrays;
}

}  // namespace attn
