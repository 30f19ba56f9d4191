// Gradients as lessons read them, and the layer from torch.randn that two lessons use.
#pragma once

#include "teach/lessons/changes.hpp"

namespace attn {

/// The problem computed, then the gradients of its loss: the sum of all numbers of the output, or
/// what its labels say.
SharedTrace there_and_back(const ProblemDraft& draft);

/// What softmax sees.
const Step& seen_by_softmax(const Trace& trace);

const Tensor& gradient_of(const Trace& trace, const Step& step);

/// The mean of all |x|.
double mean_size(const Tensor& t);

/// X of 8 tokens × 32, projections of 32 × 16, all from torch.randn with well-known seeds.
ProblemDraft seeded_layer(ScaleRule::Kind scale);

}  // namespace attn
