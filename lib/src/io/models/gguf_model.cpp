// A GGUF file as a whole model of Hugging Face.
// Its metadata get the words of a config.json, its tensors the names and layouts used there.
#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>

#include "attn/hugging_face.hpp"
#include "attn/phrases.hpp"
#include "io/arrays/gguf.hpp"
#include "io/arrays/tensor_error.hpp"
#include "io/json/writer.hpp"
#include "io/tokenizer/byte_letters.hpp"

namespace attn {
namespace {

/// A family, and how llama.cpp changes its weights.
struct Architecture {
  std::string_view name;   ///< "general.architecture"
  const char* model_type;  ///< in a config.json
  const char* activation;
  bool turns_pairs = false;  ///< rows of q and k are reordered, so that RoPE turns neighbours
  double in_gains = 0.0;     ///< what is added to the gains of norms
};
constexpr Architecture kArchitectures[] = {
    {"llama", "llama", "silu", true},
    {"qwen2", "qwen2", "silu"},
    {"qwen3", "qwen3", "silu"},
    {"gemma", "gemma", "gelu_pytorch_tanh", false, 1.0},
};

struct KeyRow {
  const char* key;  ///< after "llama."
  const char* config;
};
constexpr KeyRow kKeys[] = {{"embedding_length", "hidden_size"},
                            {"block_count", "num_hidden_layers"},
                            {"attention.head_count", "num_attention_heads"},
                            {"attention.head_count_kv", "num_key_value_heads"},
                            {"attention.key_length", "head_dim"},
                            {"feed_forward_length", "intermediate_size"},
                            {"attention.layer_norm_rms_epsilon", "rms_norm_eps"},
                            {"rope.freq_base", "rope_theta"},
                            {"context_length", "max_position_embeddings"}};

struct NameRow {
  std::string_view gguf, ours;
};
constexpr NameRow kNames[] = {
    {"token_embd", "model.embed_tokens"}, {"output_norm", "model.norm"}, {"output", "lm_head"}};
constexpr NameRow kLayerNames[] = {
    {"attn_norm", "input_layernorm"},    {"attn_q", "self_attn.q_proj"},
    {"attn_k", "self_attn.k_proj"},      {"attn_v", "self_attn.v_proj"},
    {"attn_output", "self_attn.o_proj"}, {"attn_q_norm", "self_attn.q_norm"},
    {"attn_k_norm", "self_attn.k_norm"}, {"ffn_norm", "post_attention_layernorm"},
    {"ffn_gate", "mlp.gate_proj"},       {"ffn_up", "mlp.up_proj"},
    {"ffn_down", "mlp.down_proj"}};

constexpr std::string_view kFactors = "rope_freqs.weight";  // of Llama 3's frequencies

/// A GGUF file while it becomes a model.
struct Model {
  const GgufFile& file;
  const std::string& name;
  const Architecture* family = nullptr;

  Error refused(const std::string& what) const {
    return tensor_error({name}, "not-supported", what,
                        "Take the model's .safetensors with its config.json.");
  }
  template <class T>
  const T* find(const std::string& key) const {
    const auto at = file.metadata.find(key);
    return at == file.metadata.end() ? nullptr : std::get_if<T>(&at->second);
  }
  std::string own(const char* key) const { return std::string(family->name) + "." + key; }
  const double* number(const char* key) const { return find<double>(own(key)); }
  bool has(std::string_view tensor) const {
    return std::any_of(file.tensors.begin(), file.tensors.end(),
                       [&](const GgufTensor& each) { return each.name == tensor; });
  }
};

const Architecture& architecture_of(const Model& model) {
  const auto* stated = model.find<std::string>("general.architecture");
  std::vector<std::string> known;
  for (const Architecture& each : kArchitectures) {
    if (stated && *stated == each.name) return each;
    known.emplace_back(each.name);
  }
  throw model.refused("attn reads GGUF files of the architectures " + listed(known) + ", not " +
                      (stated ? excerpt(*stated) : "of none"));
}

void refuse_others(const Model& model) {
  const double* experts = model.number("expert_count");
  if (experts && *experts > 0) throw model.refused("attn does not read experts from a GGUF file");
  const double* turned = model.number("rope.dimension_count");
  const double* width = model.number("attention.key_length");
  const double* wide = model.number("embedding_length");
  const double* heads = model.number("attention.head_count");
  const double head = width ? *width : wide && heads && *heads > 0 ? *wide / *heads : 0;
  if (turned && head > 0 && *turned != head)
    throw model.refused("attn does not read models from GGUF that rotate only a part of each head");
  const auto* scaling = model.find<std::string>(model.own("rope.scaling.type"));
  if (scaling && *scaling != "none" && *scaling != "linear")
    throw model.refused("attn does not read the scaling " + excerpt(*scaling) +
                        " of positions from GGUF");
}

/// Frequencies that are divided by these factors, one each, are a kind of "longrope".
void write_scaling(json::Writer& out, const Model& model, const std::vector<double>& factors) {
  const double* linear = model.number("rope.scaling.factor");
  const auto* kind = model.find<std::string>(model.own("rope.scaling.type"));
  if (!factors.empty()) {
    const double* positions = model.number("context_length");
    out.key("rope_scaling").object([&] {
      out.add("rope_type", "longrope").add("short_factor", factors).add("long_factor", factors);
      out.add("attention_factor", 1)
          .add("original_max_position_embeddings", positions ? *positions : 8192.0);
    });
  } else if (kind && *kind == "linear" && linear) {
    out.key("rope_scaling").object([&] { out.add("rope_type", "linear").add("factor", *linear); });
  }
}

std::string config_of(const Model& model, const std::vector<double>& factors) {
  return json::file_text(json::Layout::Lines, [&](json::Writer& out) {
    out.add("model_type", model.family->model_type).add("hidden_act", model.family->activation);
    for (const KeyRow& row : kKeys) {
      if (const double* number = model.number(row.key)) out.add(row.config, *number);
    }
    out.add("tie_word_embeddings", !model.has("output.weight"));
    if (const double* end = model.find<double>("tokenizer.ggml.eos_token_id"))
      out.add("eos_token_id", *end);
    write_scaling(out, model, factors);
  });
}

std::optional<std::string> renamed(std::string_view module, const NameRow* begin,
                                   const NameRow* end) {
  const auto* row =
      std::find_if(begin, end, [&](const NameRow& each) { return each.gguf == module; });
  return row == end ? std::nullopt : std::optional(std::string(row->ours));
}

/// "model.layers.0.self_attn.q_proj.weight" for "blk.0.attn_q.weight"; nothing for other names.
std::optional<std::string> name_of(std::string_view gguf) {
  constexpr std::string_view kBlock = "blk.";
  const std::size_t dot = gguf.rfind('.');
  if (dot == gguf.npos) return std::nullopt;
  const std::string ending(gguf.substr(dot));
  if (!gguf.starts_with(kBlock)) {
    const auto name = renamed(gguf.substr(0, dot), std::begin(kNames), std::end(kNames));
    return name ? std::optional(*name + ending) : std::nullopt;
  }
  const std::size_t layer = gguf.find('.', kBlock.size());
  if (layer >= dot) return std::nullopt;
  const auto name = renamed(gguf.substr(layer + 1, dot - layer - 1), std::begin(kLayerNames),
                            std::end(kLayerNames));
  if (!name) return std::nullopt;
  return "model.layers." + std::string(gguf.substr(kBlock.size(), layer - kBlock.size())) + "." +
         *name + ending;
}

/// llama.cpp's rows of a head are pairs, row by row: first and second halves are taken apart again.
void take_apart(Array& array, std::size_t heads) {
  const auto rows = static_cast<std::size_t>(array.shape.front());
  const std::size_t cols = rows == 0 ? 0 : array.data.size() / rows,
                    head = heads == 0 ? 0 : rows / heads;
  if (head < 2 || head % 2 != 0 || head * heads != rows) return;
  std::vector<double> made(array.data.size());
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t in_head = row % head, half = in_head / (head / 2),
                      pair = in_head % (head / 2);
    const std::size_t from = row - in_head + 2 * pair + half;
    std::copy_n(array.data.begin() + static_cast<std::ptrdiff_t>(from * cols), cols,
                made.begin() + static_cast<std::ptrdiff_t>(row * cols));
  }
  array.data = std::move(made);
}

/// How many heads the rows of a tensor are of, if they have to be taken apart; else 0.
std::size_t paired_heads(const Model& model, std::string_view name) {
  const bool q = name.find(".attn_q.") != name.npos, k = name.find(".attn_k.") != name.npos;
  if (!model.family->turns_pairs || !(q || k)) return 0;
  const double* heads = model.number("attention.head_count");
  const double* fewer = model.number("attention.head_count_kv");
  if (k && fewer) heads = fewer;
  return heads && *heads >= 1 && *heads < 1e6 ? static_cast<std::size_t>(*heads) : 0;
}

ModelTensors tensors_of(const Model& model, const std::shared_ptr<const TensorFile>& opened) {
  ModelTensors tensors;
  for (const GgufTensor& each : model.file.tensors) {
    if (each.name == kFactors) continue;
    const std::optional<std::string> name = name_of(each.name);
    if (!name)
      throw tensor_error({model.name, each.name}, "unknown-tensor",
                         "attn does not know this tensor of a GGUF file",
                         "Take the model's .safetensors with its config.json.");
    const bool gain = each.name.ends_with("norm.weight");
    const double less = gain ? model.family->in_gains : 0.0;
    const std::size_t heads = paired_heads(model, each.name);
    tensors[*name] = {each.shape, [opened, each, less, heads] {
                        Array array;
                        opened->read([&](std::string_view bytes) {
                          array = read_gguf_numbers(each, opened->name, bytes);
                        });
                        if (heads > 0) take_apart(array, heads);
                        for (double& number : array.data) number -= less;
                        return array;
                      }};
  }
  return tensors;
}

std::vector<std::string> token_texts(const Model& model) {
  const auto* tokens = model.find<std::vector<std::string>>("tokenizer.ggml.tokens");
  if (tokens == nullptr) return {};
  const auto* kind = model.find<std::string>("tokenizer.ggml.model");
  std::vector<std::string> texts;
  for (const std::string& each : *tokens)
    texts.push_back(shown_token(kind && *kind == "gpt2" ? bytes_of_letters(each) : each));
  return texts;
}

}  // namespace

ProblemFile read_gguf_model(TensorFile file) {
  const auto opened = std::make_shared<const TensorFile>(std::move(file));
  GgufFile header;
  std::vector<double> factors;
  opened->read([&](std::string_view bytes) {
    header = read_gguf_header(bytes, opened->name, opened->room);
    for (const GgufTensor& each : header.tensors) {
      if (each.name == kFactors) factors = read_gguf_numbers(each, opened->name, bytes).data;
    }
  });
  Model model{header, opened->name};
  model.family = &architecture_of(model);
  refuse_others(model);
  ProblemFile made =
      read_model_config(config_of(model, factors), opened->name, tensors_of(model, opened));
  std::vector<std::string> texts = token_texts(model);
  if (!texts.empty()) made.draft.vocabulary.emplace().tokens = std::move(texts);
  return made;
}

}  // namespace attn
