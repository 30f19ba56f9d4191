// Computes gradients for lessons.
#include "teach/lessons/backwards.hpp"

#include <cmath>

#include "attn/gradient.hpp"
#include "attn/torch_random.hpp"

namespace attn {

SharedTrace there_and_back(const ProblemDraft& draft) {
  return std::make_shared<const Trace>(attend_and_back(make_problem(draft), {}, {}));
}

const Step& seen_by_softmax(const Trace& trace) {
  const Step* weights = trace.first_of(StepRole::Weights, trace.attention());
  return trace.input(*weights, 0);
}

const Tensor& gradient_of(const Trace& trace, const Step& step) {
  return trace.value(step.id + ".grad");
}

double mean_size(const Tensor& t) {
  double size = 0.0;
  for (const double x : t.data()) size += std::abs(x);
  return size / static_cast<double>(t.data().size());
}

ProblemDraft seeded_layer(ScaleRule::Kind scale) {
  ProblemDraft draft;
  draft.embeddings = randn({8, 32}, 42);
  draft.weights = {
      {"w_q", randn({32, 16}, 10)}, {"w_k", randn({32, 16}, 11)}, {"w_v", randn({32, 16}, 12)}};
  draft.scale.kind = scale;
  return draft;
}

}  // namespace attn
