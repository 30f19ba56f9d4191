// Where gradients begin: what the loss is.
#include "core/attention/gradient_source.hpp"

#include <algorithm>

#include "attn/error.hpp"
#include "attn/tool/phrases.hpp"

namespace attn {
namespace {

Error unclear(std::string what, std::string fix, std::vector<Change> changes = {}) {
  return {ErrorKind::Usage,
          {{.id = "gradient-source",
            .what = std::move(what),
            .fix = std::move(fix),
            .changes = std::move(changes)}}};
}

bool has_logits(const Trace& trace) {
  return std::any_of(trace.steps.begin(), trace.steps.end(),
                     [](const Step& step) { return step.info().role == StepRole::Logits; });
}

GradientSource from_output(const Step& output, const GradientChoice& choice) {
  const std::optional<Array>& upstream = choice.upstream;
  const Shape& shape = output.value.shape();
  if (!upstream) {
    return {output.id, Tensor(shape, 1.0),
            "The loss L is the sum of all numbers of the output: its gradient is 1 everywhere."};
  }
  if (upstream->shape != shape.sizes()) {
    throw input_error({.id = "shape-mismatch",
                       .what = "the upstream gradient is " + shape_text(upstream->shape) +
                               ", but the output is " + shape_text(shape.sizes()),
                       .places = {{.file = choice.source}},
                       .rule = "A gradient has the shape of what it belongs to.",
                       .fix = "Give one number for each number of the output."});
  }
  return {output.id, Tensor(shape, upstream->data),
          "The loss L is not computed here: its gradient with respect to the output is given."};
}

}  // namespace

GradientSource gradient_source(const Trace& trace, const GradientChoice& choice) {
  const auto gradient = std::find_if(trace.steps.begin(), trace.steps.end(), [](const Step& step) {
    return step.info().role == StepRole::Gradient;
  });
  if (gradient != trace.steps.end()) {
    throw Error(ErrorKind::Usage, {{.id = "already-computed",
                                    .what = "the trace has gradients already: " + gradient->id,
                                    .fix = "Leave the option out, or give the problem."}});
  }
  if (const Step* loss = trace.find("mean_loss")) {
    if (choice.upstream) {
      throw unclear("this problem has labels, so the loss is mean_loss",
                    "Leave out the upstream gradient, or the labels.");
    }
    return {loss->id, Tensor(loss->value.shape(), 1.0),
            "The loss L is mean_loss, over the labelled rows."};
  }
  const bool vanishes = trace.is_model() || has_logits(trace);
  if (vanishes && !choice.upstream) {
    throw unclear(filled("a gradient needs a loss, and {} has one only with labels",
                         trace.is_model() ? "a whole model" : "a problem with a vocabulary"),
                  "Give the right words as labels, or the gradient of the step \"output\".",
                  {{"labels", "1,2,3"}, {"upstream", "gradient.npy"}});
  }
  const Step* output = trace.find("output");
  if (output == nullptr) {
    throw input_error({.id = "no-gradient",
                       .what = "the computation breaks off before its output, so there is no loss",
                       .fix = "Take the gradient of attention without that mistake."});
  }
  return from_output(*output, choice);
}

}  // namespace attn
