// Finds the layers of a whole model in its trace, by the scopes of their steps.
#include "core/attention/layer_stack.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/attention/recorder.hpp"

namespace attn {
namespace {

/// The last step of each layer of the stack that ends last, lenses left out, and the first
/// residual.
struct Layers {
  std::string stack;
  std::vector<const Step*> last;
  const Step* first_residual = nullptr;
};

Layers last_stack(const Trace& trace) {
  std::map<std::string, Layers> stacks;
  std::string latest;
  for (const Step& step : trace.steps) {
    const ModelPlace place = place_of(*step.scope);
    if (!place.layer || !place.module.empty() || step.is_no_step()) continue;
    if (place.stack == kLens) continue;
    latest = place.stack;
    Layers& own = stacks[latest];
    const auto at = static_cast<std::size_t>(*place.layer);
    if (at == own.last.size()) own.last.push_back(nullptr);
    if (at + 1 != own.last.size()) continue;
    own.last.back() = &step;
    if (own.first_residual == nullptr && step.info().role == StepRole::Residual)
      own.first_residual = &step;
  }
  return latest.empty() ? Layers() : stacks[latest];
}

}  // namespace

Error needs_model(const std::string& what, const char* lacks) {
  return {ErrorKind::Usage,
          {{.id = "needs-model",
            .what = what + " needs a whole model that predicts words, and this " + lacks,
            .fix = "Give a model with a language head, or one with a \"vocabulary\"; "
                   "15-induction is one."}}};
}

LayerStack layer_stack(const Trace& trace, const std::string& what) {
  if (!trace.is_model()) throw needs_model(what, "is no whole model");
  const Layers layers = last_stack(trace);
  LayerStack made;
  if (layers.first_residual != nullptr) {
    made.residuals.push_back(layers.first_residual->inputs.front());
    for (const Step* step : layers.last) made.residuals.push_back(step->id);
  }
  bool predicts = false;
  std::set<std::string> from;
  if (!made.residuals.empty()) from.insert(made.residuals.back());
  for (const Step& step : trace.steps) {
    const bool made_from =
        std::any_of(step.inputs.begin(), step.inputs.end(),
                    [&](const std::string& each) { return from.contains(each); });
    if (!made_from || predicts) continue;
    from.insert(step.id);
    made.head.push_back(step.id);
    predicts = step.info().role == StepRole::Probabilities;
  }
  if (!predicts) throw needs_model(what, "one has no logits");
  return made;
}

std::string append_step(Trace& trace, Step step, const Shape& own, bool numbers) {
  step.meaning = find_step_info(step.id);
  for (const std::string& input : step.inputs) {
    if (trace.find(input) != nullptr) continue;
    throw Error(ErrorKind::Usage,
                {{.id = "needs-model",
                  .what = "this trace lacks " + input + ", which " + step.id + " is made from",
                  .fix = "Give the model, or a trace with all steps."}});
  }
  const std::vector<const Tensor*> inputs = trace.inputs(step);
  const auto lacks_numbers = [](const Tensor* input) {
    return input->stored().empty() && input->shape().count() > 0;
  };
  set_shape(trace, step, own);
  if (numbers && std::none_of(inputs.begin(), inputs.end(), lacks_numbers))
    set_numbers(trace, step);
  std::string id = step.id;
  trace.steps.push_back(std::move(step));
  return id;
}

}  // namespace attn
