// The logit lens: what comes after the last layer, applied to what goes into each layer.
#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "attn/error.hpp"
#include "attn/inside.hpp"
#include "core/attention/layer_stack.hpp"
#include "core/trace/missing_step.hpp"

namespace attn {
namespace {

/// The steps of one lens, in a scope of its own with the facts of the model's predictions.
class Lens {
 public:
  Lens(Trace& trace, const KeepStep& keeps, const Scope& predictions, std::size_t number)
      : trace_(trace), keeps_(keeps) {
    Scope scope = predictions;
    scope.name = std::string(kLens) + "." + std::to_string(number);
    scope_ = std::make_shared<const Scope>(std::move(scope));
    trace_.scopes.push_back(scope_);
  }

  void record(const LayerStack& stack, const std::string& residual) {
    made_[stack.residuals.back()] = residual;
    const std::size_t first = trace_.steps.size();
    for (const std::string& id : stack.head) record_like(trace_.at(id));
    if (!keeps_) return;
    for (std::size_t i = first; i < trace_.steps.size(); ++i) {
      Step& step = trace_.steps[i];
      if (!keeps_(step.id)) step.value = Tensor::outline(step.value.shape());
    }
  }

 private:
  /// The same step, made from what this lens has made.
  void record_like(const Step& own) {
    if (own.operation->copies) {
      made_[own.id] = made_.at(own.inputs.front());
      return;
    }
    const std::string of = own.id;  // recording moves the steps
    Step step = own;
    step.id = scope_->name + "." + of;
    step.scope = scope_;
    step.not_finite = {};
    for (std::string& input : step.inputs) {
      const auto at = made_.find(input);
      if (at != made_.end()) input = at->second;
    }
    const Shape shape = step.value.shape();
    made_[of] = append_step(trace_, std::move(step), shape);
  }

  Trace& trace_;
  const KeepStep& keeps_;
  std::shared_ptr<const Scope> scope_;
  std::map<std::string, std::string> made_ = {};  ///< in place of the model's own
};

}  // namespace

void add_lens(Trace& trace, const KeepStep& keeps) {
  const bool known = std::any_of(trace.scopes.begin(), trace.scopes.end(), [](const auto& scope) {
    return scope->name == std::string(kLens) + ".0";
  });
  if (known) throw already_computed("a lens");
  const LayerStack stack = layer_stack(trace, "a lens");
  const std::shared_ptr<const Scope> predictions = trace.at(stack.head.back()).scope;
  for (std::size_t i = 0; i < stack.residuals.size(); ++i)
    Lens(trace, keeps, *predictions, i).record(stack, stack.residuals[i]);
}

void add_inside(Trace& trace, const InsideChoice& choice, const KeepStep& keeps) {
  if (choice.lens) add_lens(trace, keeps);
  if (choice.contributions) add_contributions(trace, *choice.contributions);
  if (choice.circuits) add_circuits(trace, choice.layer, keeps);
}

}  // namespace attn
