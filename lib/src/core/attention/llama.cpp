// Llama: Touvron et al. 2023, as Hugging Face saves it. RMS norms, gated feed-forward networks,
// rotary positions, grouped heads.
#include "core/attention/model_run.hpp"

namespace attn {
namespace {

std::string gated_feed_forward(ModelPart& layer, const std::string& x) {
  const std::string open = layer.activation(layer.linear("linear1", x));
  const std::string gated = layer.gate(open, layer.linear("linear3", x, layer.width(open)));
  return layer.linear("linear2", gated, layer.width(x));
}

std::string llama_block(ModelPart& layer, std::string x) {
  x = layer.residual(x, layer.attention("self_attn", layer.norm("norm1", x)));
  return layer.residual(x, gated_feed_forward(layer, layer.norm("norm2", x)));
}

}  // namespace

void run_llama(ModelRun& run) {
  ModelPart model(run, "");
  const std::string x = model.look_up("x", "token_table", model.ids());
  const std::string y = model.norm("norm", run.stack("layers", Side::Target, x, llama_block));
  model.predict(model.logits(model.copy("output", y)));
}

}  // namespace attn
