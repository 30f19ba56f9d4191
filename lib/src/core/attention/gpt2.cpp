// GPT-2: Radford et al. 2019, as Hugging Face saves it.
#include "core/attention/model_run.hpp"

namespace attn {
namespace {

std::string gpt2_block(ModelPart& layer, std::string x) {
  x = layer.residual(x, layer.attention("attn", layer.norm("norm1", x)));
  return layer.residual(x, layer.feed_forward(layer.norm("norm2", x)));
}

}  // namespace

void run_gpt2(ModelRun& run) {
  ModelPart model(run, "");
  std::string x =
      model.add("x", {model.look_up("token_embeddings", "token_table", model.ids()),
                      model.look_up("position_embeddings", "position_table", model.positions())});
  x = model.norm("norm", run.stack("h", Side::Target, x, gpt2_block));
  model.predict(model.logits(model.copy("output", x)));
}

}  // namespace attn
