// The names of weights in attn, in libraries, and in courses, books and notebooks.
#include "core/problem/weight_rows.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace attn {
namespace {

/// The names of W_q, W_k, W_v and W_o; nullptr where it has none of its own.
struct FourNames {
  const char* library;  ///< or whose courses
  const char* names[4];
};

/// Matrices that are multiplied as they are, X·W: in × out, one head or all side by side.
constexpr FourNames kPlainNames[] = {
    {"courses", {"W_q", "W_k", "W_v", "W_o"}},
    {"courses", {"W_Q", "W_K", "W_V", "W_O"}},
    {"courses", {"WQ", "WK", "WV", "WO"}},
    {"courses", {"Wq", "Wk", "Wv", "Wo"}},
    {"courses", {"wq", "wk", "wv", "wo"}},
    {"courses", {"W_query", "W_key", "W_value", "W_out"}},
    {"courses", {"w_query", "w_key", "w_value", "w_out"}},
};

/// Before ".weight" and ".bias": linear layers, out × in.
constexpr FourNames kLayerNames[] = {
    {"linear layers", {"W_q", "W_k", "W_v", "W_o"}},
    {"linear layers", {"W_Q", "W_K", "W_V", "W_O"}},
    {"linear layers", {"WQ", "WK", "WV", "WO"}},
    {"linear layers", {"Wq", "Wk", "Wv", nullptr}},
    {"linear layers", {"W_query", "W_key", "W_value", "W_out"}},
    {"linear layers", {"w_q", "w_k", "w_v", "w_o"}},
    {"linear layers", {"w_query", "w_key", "w_value", "w_out"}},
    {"linear layers", {"queries", "keys", "values", "fc_out"}},
    {"The Annotated Transformer", {"linears.0", "linears.1", "linears.2", "linears.3"}},
    {"torchtune", {nullptr, nullptr, nullptr, "output_proj"}},
    {"linear layers", {nullptr, nullptr, nullptr, "linear_layer"}},
};

/// Before "/kernel" and "/bias": in × out, or in × heads × width.
constexpr FourNames kKernelNames[] = {
    {"Keras", {"query", "key", "value", "attention_output"}},
    {"Flax", {nullptr, nullptr, nullptr, "out"}},
};

/// Multi-head latent attention: our names are those of the paper (DeepSeek-V2, section 2.1).
struct LatentName {
  const char* own;
  const char* deepseek;   ///< as Hugging Face saves it; w_dkv, w_uq, w_ukv may hold two matrices
  WeightStorage storage;  ///< of theirs
};
constexpr LatentName kLatentNames[] = {
    {"w_dq", "q_a_proj.weight", WeightStorage::OutIn},
    {"b_dq", "q_a_proj.bias", WeightStorage::Vector},
    {"q_latent_norm", "q_a_layernorm.weight", WeightStorage::Vector},
    {"w_uq", "q_b_proj.weight", WeightStorage::OutIn},
    {"w_qr", nullptr, WeightStorage::Own},
    {"w_dkv", "kv_a_proj_with_mqa.weight", WeightStorage::OutIn},
    {"b_dkv", "kv_a_proj_with_mqa.bias", WeightStorage::Vector},
    {"w_kr", nullptr, WeightStorage::Own},
    {"b_kr", nullptr, WeightStorage::Own},
    {"kv_latent_norm", "kv_a_layernorm.weight", WeightStorage::Vector},
    {"w_uk", nullptr, WeightStorage::Own},
    {"w_uv", nullptr, WeightStorage::Own},
    {"w_ukv", "kv_b_proj.weight", WeightStorage::OutIn},
};
/// The names of norms of queries and keys, before ".weight" and ".bias".
struct Norms {
  const char* library;
  const char* q;
  const char* k;
};
constexpr Norms kNorms[] = {{"Qwen3", "q_norm", "k_norm"},
                            {"Persimmon", "q_layernorm", "k_layernorm"},
                            {"HunYuan", "query_layernorm", "key_layernorm"}};

constexpr const char* kTorch = "nn.MultiheadAttention";
/// Of libraries, before ".weight" and ".bias": out × in, each with or without bias.
constexpr FourNames kLinears[] = {
    {"Llama", {"q_proj", "k_proj", "v_proj", "o_proj"}},
    {"Meta's Llama", {"wq", "wk", "wv", "wo"}},
    {"BERT", {"query", "key", "value", "output.dense"}},
    {"BERT", {"self.query", "self.key", "self.value", "dense"}},
    {"BERT", {"attention.query", "attention.key", "attention.value", "output.dense"}},
    {"DistilBERT", {"q_lin", "k_lin", "v_lin", "out_lin"}},
    {"T5", {"q", "k", "v", "o"}},
};

void add_rows_of_four(std::vector<WeightRow>& rows) {
  constexpr const char* kLetters[] = {"q", "k", "v", "o"};
  const auto add = [&](const auto& table, const char* end, const char* kind,
                       WeightStorage storage) {
    for (const FourNames& each : table) {
      for (std::size_t i = 0; i < std::size(kLetters); ++i) {
        if (each.names[i] == nullptr) continue;
        rows.push_back({each.library, std::string(each.names[i]) + end,
                        std::string(kind) + kLetters[i], storage});
      }
    }
  };
  add(kPlainNames, "", "w_", WeightStorage::Plain);
  add(kLayerNames, ".weight", "w_", WeightStorage::OutIn);
  add(kLayerNames, ".bias", "b_", WeightStorage::Vector);
  add(kKernelNames, "/kernel", "w_", WeightStorage::Kernel);
  add(kKernelNames, "/bias", "b_", WeightStorage::Vector);
  add(kLinears, ".weight", "w_", WeightStorage::OutIn);
  add(kLinears, ".bias", "b_", WeightStorage::Vector);
}

std::vector<WeightRow> all_rows() {
  std::vector<WeightRow> rows;
  rows.reserve(192);
  const std::string letters[] = {"q", "k", "v", "o"};
  for (const char* kind : {"w_", "b_"}) {
    for (const auto& letter : letters) {
      rows.push_back({"attn", kind + letter, kind + letter, WeightStorage::Own});
    }
  }
  for (const char* name : {"w_gate", "b_gate", "q_norm", "k_norm", "q_norm_bias", "k_norm_bias"})
    rows.push_back({"attn", name, name, WeightStorage::Own});
  for (const Norms& each : kNorms) {
    for (const auto& [theirs, ours] : {std::pair{each.q, "q_norm"}, {each.k, "k_norm"}}) {
      const std::string name = theirs, own = ours;
      rows.push_back({each.library, name + ".weight", own, WeightStorage::AsItIs});
      rows.push_back({each.library, name + ".bias", own + "_bias", WeightStorage::AsItIs});
    }
  }
  rows.push_back({"attn", "v_score", "v_score", WeightStorage::Own});
  add_rows_of_four(rows);
  for (const LatentName& each : kLatentNames) {
    rows.push_back({"attn", each.own, each.own, WeightStorage::Own});
    if (each.deepseek) rows.push_back({"DeepSeek", each.deepseek, each.own, each.storage});
  }
  const WeightRow others[] = {
      {kTorch, "in_proj_weight", "w", WeightStorage::PackedRows},
      {kTorch, "in_proj_bias", "b", WeightStorage::PackedVector},
      {kTorch, "q_proj_weight", "w_q", WeightStorage::OutIn},
      {kTorch, "k_proj_weight", "w_k", WeightStorage::OutIn},
      {kTorch, "v_proj_weight", "w_v", WeightStorage::OutIn},
      {kTorch, "out_proj.weight", "w_o", WeightStorage::OutIn},
      {kTorch, "out_proj.bias", "b_o", WeightStorage::Vector},
      {kTorch, "bias_k", "bias_k", WeightStorage::Vector},
      {kTorch, "bias_v", "bias_v", WeightStorage::Vector},
      {"GPT-2", "c_attn.weight", "w", WeightStorage::Packed},
      {"GPT-2", "c_attn.bias", "b", WeightStorage::PackedVector},
      {"GPT-2", "c_proj.weight", "w_o", WeightStorage::Conv1D},
      {"GPT-2", "c_proj.bias", "b_o", WeightStorage::Vector},
      {"GPT-NeoX", "query_key_value.weight", "w", WeightStorage::Groups},
      {"GPT-NeoX", "query_key_value.bias", "b", WeightStorage::Groups},
      {"Phi-3", "qkv_proj.weight", "w", WeightStorage::Blocks},
      {"Phi-3", "qkv_proj.bias", "b", WeightStorage::Blocks},
      {"linear layers", "qkv_layer.weight", "w", WeightStorage::Fused},
      {"linear layers", "qkv_layer.bias", "b", WeightStorage::Fused},
      {"ModernBERT", "Wqkv.weight", "w", WeightStorage::Blocks},
      {"ModernBERT", "Wqkv.bias", "b", WeightStorage::Blocks},
      {"ModernBERT", "Wo.weight", "w_o", WeightStorage::OutIn},
      {"ModernBERT", "Wo.bias", "b_o", WeightStorage::Vector},
      {"ViT", "qkv.weight", "w", WeightStorage::PackedRows},
      {"ViT", "qkv.bias", "b", WeightStorage::PackedVector},
      {"ViT", "proj.weight", "w_o", WeightStorage::OutIn},
      {"ViT", "proj.bias", "b_o", WeightStorage::Vector},
      {"gpt-oss", "sinks", "sinks", WeightStorage::AsItIs},
  };
  rows.insert(rows.end(), std::begin(others), std::end(others));
  return rows;
}

}  // namespace

const std::vector<WeightRow>& weight_rows() {
  static const std::vector<WeightRow> all = all_rows();
  return all;
}

const WeightRow* find_weight_row(const std::string& name) {
  const auto at = std::find_if(weight_rows().begin(), weight_rows().end(),
                               [&](const WeightRow& row) { return row.name == name; });
  return at == weight_rows().end() ? nullptr : &*at;
}

bool is_latent_weight(const std::string& own) {
  return std::any_of(std::begin(kLatentNames), std::end(kLatentNames),
                     [&](const LatentName& each) { return each.own == own; });
}

}  // namespace attn
