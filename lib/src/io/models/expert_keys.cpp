// What configurations say about experts: how many a token chooses, from which, and how they count.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "core/problem/model_checks.hpp"
#include "io/models/model_types.hpp"

namespace attn {
namespace {

/// The text of a key must be `right`, if the key is there.
void demand_text(Config& config, const char* key, const std::string& right) {
  config.with(key, [&](const json::Value& value) {
    const std::string& found = json::read_text(value);
    if (found != right)
      config.refuse(
          key, filled("attn computes this type of model only with {} \"{}\", not with \"{}\"", key,
                      right, found));
  });
}

LatentDraft read_latent(Config& config) {
  LatentDraft latent;
  latent.nope_dim = config.count("qk_nope_head_dim");
  latent.rope_dim = config.count("qk_rope_head_dim");
  latent.v_dim = config.count("v_head_dim");
  latent.rope_interleave = config.flag("rope_interleave").value_or(true);
  return latent;
}

}  // namespace

void read_experts(Config& config, ProblemDraft& draft) {
  ExpertsDraft& experts = draft.model->experts;
  experts.per_token = config.count("num_experts_per_tok");
}

void read_qwen_experts(Config& config, ProblemDraft& draft) {
  read_experts(config, draft);
  ExpertsDraft& experts = draft.model->experts;
  experts.renormalize = config.flag("norm_topk_prob");
  experts.groups = config.count("n_group");
  experts.kept_groups = config.count("topk_group");
  experts.factor = config.number("routed_scaling_factor");
  const json::Node* shared = json::find(*config.root, "n_shared_experts");
  const auto count = config.count("n_shared_experts", 0);
  experts.shared = shared == nullptr || count.value_or(0) > 0;
  const auto units = config.count("moe_intermediate_size");
  if (count.value_or(0) > 0 && units)
    draft.model->sizes.push_back(
        {"shared expert size", *count * *units, config.pointer_to("n_shared_experts")});
}

void read_gpt_oss(Config& config, ProblemDraft& draft) {
  read_experts(config, draft);
  for (const auto& [key, usual] : {std::pair{"swiglu_limit", 7.0}, {"swiglu_alpha", 1.702}}) {
    if (config.number(key).value_or(usual) != usual)
      config.refuse(key, filled("attn computes gpt-oss only with {} {}", key, format_exact(usual)));
  }
  if (config.find("rope_scaling") || config.find("rope_parameters")) return;
  RopeScaling& scaling = draft.positions.scaling.emplace();
  scaling.kind = RopeScalingKind::Yarn;
  scaling.factor = 32.0;
  scaling.truncate = false;
  scaling.original_max_position_embeddings = 4096;
}

void read_deepseek_v2(Config& config, ProblemDraft& draft) {
  read_qwen_experts(config, draft);
  draft.latent = read_latent(config);
  demand_text(config, "scoring_func", "softmax");
  if (config.flag("norm_topk_prob") == true)
    config.refuse("norm_topk_prob",
                  "attn does not divide the weights of DeepSeek-V2's experts by "
                  "their sum, as transformers does not");
  std::string method = "greedy";
  config.with("topk_method", [&](const json::Value& value) { method = json::read_text(value); });
  if (method == "greedy")
    draft.model->experts.groups = draft.model->experts.kept_groups = std::nullopt;
  else
    demand_text(config, "topk_method", "group_limited_greedy");
}

void read_deepseek_v3(Config& config, ProblemDraft& draft) {
  read_qwen_experts(config, draft);
  draft.latent = read_latent(config);
  demand_text(config, "scoring_func", "sigmoid");
  demand_text(config, "topk_method", "noaux_tc");
  ExpertsDraft& experts = draft.model->experts;
  experts.groups = experts.groups.value_or(8);
  experts.kept_groups = experts.kept_groups.value_or(4);
  experts.factor = experts.factor.value_or(2.5);
}

namespace {

/// `of(layer)`: whether it has experts, by the keys of the configuration.
template <typename F>
void check_expert_layers(Config& config, const ModelTensors& weights, const char* key, F of) {
  const Index layers = config.count("num_hidden_layers").value_or(0);
  for (Index i = 0; i < layers; ++i) {
    const std::string mlp = filled("model.layers.{}.mlp.", i);
    const auto at = weights.lower_bound(mlp);
    if (at == weights.end() || !at->first.starts_with(mlp)) continue;
    const bool found = weights.contains(mlp + "gate.weight");
    if (found == of(i)) continue;
    return config.complaints.add(
        "shape-mismatch", config.pointer_to(key),
        filled("by {}, layer {} {}, but the weights have {}{}", key, i,
               found ? "has no experts" : "has experts", found ? "" : "no ", mlp + "gate.weight"),
        kSavedTogether);
  }
}

}  // namespace

void check_qwen_experts(Config& config, const ModelTensors& weights) {
  const Index step = config.count("decoder_sparse_step").value_or(1);
  std::vector<Index> plain;
  config.with("mlp_only_layers", [&](const json::Value& value) {
    const auto* none = std::get_if<json::Numbers>(&value.node.value);
    if (none == nullptr || !none->empty()) plain = json::read_counts(value, 0);
  });
  const char* key = config.find("mlp_only_layers") ? "mlp_only_layers" : "decoder_sparse_step";
  if (!config.find(key)) return;
  check_expert_layers(config, weights, key, [&](Index layer) {
    return (layer + 1) % step == 0 && std::find(plain.begin(), plain.end(), layer) == plain.end();
  });
}

void check_deepseek_experts(Config& config, const ModelTensors& weights) {
  const auto first = config.count("first_k_dense_replace", 0);
  const Index step = config.count("moe_layer_freq").value_or(1);
  if (!first) return;
  check_expert_layers(config, weights, "first_k_dense_replace",
                      [&](Index layer) { return layer >= *first && layer % step == 0; });
}

}  // namespace attn
