// What the configurations of T5, BART and Whisper say.
#include <algorithm>
#include <cmath>
#include <string>

#include "attn/phrases.hpp"
#include "core/problem/model_checks.hpp"
#include "io/models/model_types.hpp"

namespace attn {

/// Buckets of distances, and "gated-gelu", whose gelu is that with tanh.
void read_t5(Config& config, ProblemDraft& draft) {
  draft.positions.kind = PositionKind::T5;
  draft.positions.num_buckets = config.count("relative_attention_num_buckets");
  draft.positions.max_distance = config.count("relative_attention_max_distance");
  config.with("feed_forward_proj", [&](const json::Value& value) {
    const std::string& name = json::read_text(value);
    if (name == "relu") return;
    if (name == "gated-gelu") {
      draft.model->activation = "gelu_tanh";
    } else if (name == "gated-silu") {
      draft.model->activation = "silu";
    } else {
      config.refuse("feed_forward_proj",
                    filled("attn has no T5 whose feed-forward part is {}", name));
    }
  });
}

/// There is a gate if and only if the feed-forward part is said to have one.
void check_t5_gates(Config& config, const ModelTensors& weights) {
  std::string name = "relu";
  config.with("feed_forward_proj",
              [&](const json::Value& value) { name = json::read_text(value); });
  const bool gated = name.starts_with("gated-");
  const auto wrong = std::find_if(weights.begin(), weights.end(), [&](const auto& each) {
    return each.first.ends_with(gated ? ".wi.weight" : ".wi_1.weight");
  });
  if (wrong == weights.end()) return;
  config.complaints.add("shape-mismatch", config.pointer_to("feed_forward_proj"),
                        filled("the feed-forward part is {}, {} a gate, but there is {}", name,
                               gated ? "with" : "without", wrong->first),
                        kSavedTogether);
}

/// Both stacks have as many heads; embeddings may be scaled by √d_model.
void read_bart(Config& config, ProblemDraft& draft) {
  const auto heads = config.count("decoder_attention_heads");
  if (heads && draft.heads && *heads != *draft.heads)
    config.refuse("decoder_attention_heads",
                  "attn does not compute models whose stacks have different numbers of heads");
  const auto width = config.count("d_model");
  if (width && config.flag("scale_embedding") == true)
    draft.model->embedding_multiplier = std::sqrt(static_cast<double>(*width));
}

}  // namespace attn
