// BERT (Devlin et al. 2019) and its relatives, as Hugging Face saves them.
#include "core/attention/blocks.hpp"

namespace attn {

void run_bert(ModelRun& run) {
  ModelPart model(run, "");
  std::vector<std::string> terms{model.look_up("token_embeddings", "token_table", model.ids())};
  if (run.kind().has("position_table"))
    terms.push_back(model.look_up("position_embeddings", "position_table", model.positions()));
  if (run.kind().has("type_table")) {
    const std::vector<Index> first_sentence(model.ids().size(), 0);
    terms.push_back(model.look_up("token_type_embeddings", "type_table", first_sentence));
  }
  std::string x = terms.size() == 1 ? terms[0] : model.add("embedding_sum", terms);
  x = run.stack(run.kind().stack, Side::Target, model.norm("x", x), block_of(run.kind().form));
  if (run.kind().has("norm")) x = model.norm("norm", x);
  x = model.copy("output", x);
  if (!run.has(run.kind().module("predictions.bias"))) return model.predict("");
  ModelPart head(run, "predictions");
  model.predict(model.logits(head.norm("norm", head.activation(head.linear("linear", x)))));
}

}  // namespace attn
