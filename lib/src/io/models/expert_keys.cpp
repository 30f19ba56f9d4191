// What configurations say about experts: how many a token chooses, from which, and how they count.
#include <string>
#include <utility>

#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "io/models/model_types.hpp"

namespace attn {
namespace {

/// The text of a key must be `right`, if the key is there.
void demand_text(Config& config, const char* key, const std::string& right) {
  config.with(key, [&](const json::Value& value) {
    const std::string& found = json::read_text(value);
    if (found != right)
      config.refuse(key,
                    filled("attn computes such models with {} alone, not with {}", right, found));
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
  experts.renormalize = config.flag("norm_topk_prob");
  experts.groups = config.count("n_group");
  experts.kept_groups = config.count("topk_group");
  experts.factor = config.number("routed_scaling_factor");
}

void read_gpt_oss(Config& config, ProblemDraft& draft) {
  read_experts(config, draft);
  for (const auto& [key, usual] : {std::pair{"swiglu_limit", 7.0}, {"swiglu_alpha", 1.702}}) {
    if (config.number(key).value_or(usual) != usual)
      config.refuse(key, filled("attn computes such models with {} alone", format_exact(usual)));
  }
  if (config.find("rope_scaling") || config.find("rope_parameters")) return;
  RopeScaling& scaling = draft.positions.scaling.emplace();
  scaling.kind = RopeScalingKind::Yarn;
  scaling.factor = 32.0;
  scaling.truncate = false;
  scaling.original_max_position_embeddings = 4096;
}

void read_deepseek_v2(Config& config, ProblemDraft& draft) {
  read_experts(config, draft);
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
  read_experts(config, draft);
  draft.latent = read_latent(config);
  demand_text(config, "scoring_func", "sigmoid");
  demand_text(config, "topk_method", "noaux_tc");
  ExpertsDraft& experts = draft.model->experts;
  experts.groups = experts.groups.value_or(8);
  experts.kept_groups = experts.kept_groups.value_or(4);
  experts.factor = experts.factor.value_or(2.5);
}

}  // namespace attn
