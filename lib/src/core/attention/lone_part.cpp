// A norm or a feed-forward network alone: what a layer has beside attention.
// Ba et al. 2016; Zhang and Sennrich 2019; Vaswani et al. 2017, section 3.3; Shazeer 2020.
#include "core/attention/model_run.hpp"

namespace attn {

void run_part(ModelRun& run) {
  ModelPart part(run, "");
  const std::string x = part.input(*run.problem().x);
  const bool norm = *run.kind().only != '\0';
  part.copy("output", norm ? part.norm("norm", x) : part.feed_forward(x));
}

}  // namespace attn
