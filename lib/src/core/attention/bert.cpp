// BERT: Devlin et al. 2019, as Hugging Face saves it.
#include "core/attention/model_run.hpp"

namespace attn {
namespace {

std::string block(ModelPart& layer, std::string x) {
  x = layer.norm("norm1", layer.residual(x, layer.attention("attention", x)));
  return layer.norm("norm2", layer.residual(x, layer.feed_forward(x)));
}

}  // namespace

void run_bert(ModelRun& run) {
  ModelPart model(run, "");
  const std::vector<Index> first_sentence(model.ids().size(), 0);
  std::string x = model.add(
      "embedding_sum", {model.look_up("token_embeddings", "token_table", model.ids()),
                        model.look_up("position_embeddings", "position_table", model.positions()),
                        model.look_up("token_type_embeddings", "type_table", first_sentence)});
  x = run.stack("encoder.layer", Side::Target, model.norm("x", x), block);
  x = model.copy("output", x);
  if (!run.has("cls.predictions.bias")) return model.predict("");
  ModelPart head(run, "predictions");
  model.predict(model.logits(head.norm("norm", head.activation(head.linear("linear", x)))));
}

}  // namespace attn
