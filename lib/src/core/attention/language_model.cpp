// Models that continue text, as Hugging Face saves them: GPT-2, Llama and those that followed.
// Radford et al. 2019, Touvron et al. 2023. What differs is in their rows of model_kinds.cpp.
#include "core/attention/blocks.hpp"

namespace attn {

void run_language_model(ModelRun& run) {
  ModelPart model(run, "");
  std::string x = model.embeddings();
  x = run.stack(run.kind().stack, Side::Target, x, block_of(run.form()));
  model.predict(model.logits(model.copy("output", model.norm("norm", x))));
}

}  // namespace attn
