// ViT (Dosovitskiy et al. 2021) from its embeddings: patches, with positions and the class token.
#include "core/attention/blocks.hpp"

namespace attn {

void run_vit(ModelRun& run) {
  ModelPart model(run, "");
  std::string x = model.input(*run.problem().x);
  x = run.stack(run.kind().stack, Side::Target, x, block_of(run.kind().form));
  x = model.copy("output", model.norm("norm", x));
  model.predict(model.logits_of_vocabulary(x));
}

}  // namespace attn
