// BERT (Devlin et al. 2019) and its relatives, as Hugging Face saves them.
#include "core/attention/blocks.hpp"

namespace attn {
namespace {

/// Whether the weights predict words. Models that classify have a last layer of another name.
bool has_head(ModelRun& run) {
  const ModelKind& kind = run.kind();
  const std::string dense = kind.module("predictions.linear") + ".weight";
  return run.has(kind.module("predictions.bias")) ||
         (run.has(dense) && !run.has_some("classifier."));
}

}  // namespace

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
  if (!has_head(run)) return model.predict("");
  ModelPart head(run, "predictions");
  model.predict(
      model.logits(head.norm("norm", head.activation(head.linear("linear", x), "activation",
                                                     run.kind().head_activation))));
}

}  // namespace attn
