// Keys of a config.json that say whether layers have biases, or norms of queries and keys.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "attn/phrases.hpp"
#include "core/problem/model_checks.hpp"
#include "io/models/model_types.hpp"

namespace attn {
namespace {

/// A key that says whether some modules have a tensor more.
struct MoreKey {
  const char* key;
  const char* what;          ///< has it
  std::string_view modules;  ///< the ends of their names
  const char* more = ".bias";
  const char* things = "biases";
  const char* of = "";  ///< the type of model where no key means false
};

constexpr MoreKey kMoreKeys[] = {
    {"attention_bias", "attention",
     ".q_proj .k_proj .v_proj .o_proj .qkv_proj .query_key_value .attention.dense .Wqkv .attn.Wo "
     ".q_a_proj .kv_a_proj_with_mqa"},
    {"qkv_bias", "attention", ".q_proj .k_proj .v_proj .query .key .value"},
    {"mlp_bias", "the feed-forward part",
     ".gate_proj .up_proj .down_proj .fc1 .fc2 .mlp.Wi .mlp.Wo"},
    {"bias", "a layer", ".query_key_value .dense .dense_h_to_4h .dense_4h_to_h"},
    {"enable_bias", "a layer", ".q_proj .k_proj .v_proj .out_proj .fc1 .fc2"},
    {"norm_bias", "a norm", ".attn_norm .mlp_norm .final_norm .embeddings.norm head.norm"},
    {"classifier_bias", "the head", "head.dense"},
    {"qk_layernorm", "attention", ".q_proj", "/q_layernorm.weight", "norms of queries", "phi"},
    {"qk_layernorm", "attention", ".q_proj", "/q_layernorm.bias", "norms of queries", "phi"},
    {"qk_layernorm", "attention", ".k_proj", "/k_layernorm.weight", "norms of keys", "phi"},
    {"qk_layernorm", "attention", ".k_proj", "/k_layernorm.bias", "norms of keys", "phi"},
};

/// "x.q_proj" of "x.q_proj.weight", if it is one of the modules.
std::optional<std::string> module_of(const std::string& tensor, std::string_view modules) {
  constexpr std::string_view kEnd = ".weight";
  if (!tensor.ends_with(kEnd)) return std::nullopt;
  const std::string module = tensor.substr(0, tensor.size() - kEnd.size());
  while (!modules.empty()) {
    const std::size_t space = std::min(modules.find(' '), modules.size());
    if (module.ends_with(modules.substr(0, space))) return module;
    modules.remove_prefix(std::min(space + 1, modules.size()));
  }
  return std::nullopt;
}

/// The name of the tensor more: "x.q_proj.bias", or after a slash beside it, "x.q_layernorm.bias".
std::string more_of(const std::string& module, std::string_view more) {
  if (more.front() != '/') return module + std::string(more);
  return module.substr(0, module.rfind('.') + 1) + std::string(more.substr(1));
}

/// Complains about a tensor that is there, or is not, against what the key says.
void check_key(Config& config, const MoreKey& row, bool stated, const ModelType& type,
               const ModelTensors& weights) {
  const bool latent = std::string_view(type.kind).starts_with("deepseek");
  std::string some, lacking;
  for (const auto& [name, tensor] : weights) {
    const auto module = module_of(name, row.modules);
    if (!module || (latent && module->ends_with(".q_proj"))) continue;
    const std::string more = more_of(*module, row.more);
    (weights.contains(more) ? some : lacking) = more;
  }
  if (stated ? lacking.empty() : some.empty()) return;
  const char* fix = kSavedTogether;
  const std::string says = filled("the configuration says that {} has {}{}, but ", row.what,
                                  stated ? "" : "no ", row.things);
  config.complaints.add("shape-mismatch", config.pointer_to(row.key),
                        says + (stated ? "there is no " + lacking : "there is " + some), fix);
}

}  // namespace

void check_more_tensors(Config& config, const ModelType& type, const ModelTensors& weights,
                        ModelDraft& model) {
  for (const MoreKey& row : kMoreKeys) {
    std::optional<bool> stated = config.flag(row.key);
    if (!stated && type.name == std::string_view(row.of)) stated = false;
    if (stated) check_key(config, row, *stated, type, weights);
  }
  const auto denied = [&](const char* key) { return config.flag(key) == false; };
  model.linear_biases = !denied("enable_bias") && !denied("decoder_bias");
  model.attention_biases =
      !denied("enable_bias") && !denied("attention_bias") && !denied("qkv_bias");
}

}  // namespace attn
