// The circuits of heads: W_QK = W_q·W_kᵀ, W_OV = W_v·W_o, and their singular values.
// Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits".
#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "attn/error.hpp"
#include "attn/inside.hpp"
#include "core/attention/layer_stack.hpp"
#include "core/operations/operations.hpp"
#include "core/trace/missing_step.hpp"

namespace attn {
namespace {

std::string joined_name(const std::string& scope, const std::string& name) {
  return scope.empty() ? name : scope + "." + name;
}

/// The circuits of one attention, in a scope of their own.
class Circuits {
 public:
  Circuits(Trace& trace, const KeepStep& keeps, std::shared_ptr<const Scope> own)
      : trace_(trace), keeps_(keeps), of_(own->name), scope_(std::move(own)) {
    if (of_.empty()) return;  // a single attention has one scope
    auto made = std::make_shared<Scope>(*scope_);
    made->name = joined_name("circuits", of_);
    made->visibility = nullptr;
    scope_ = std::move(made);
  }

  /// Whether there are weights for any.
  bool record() {
    const bool qk = compares() && record_pair("w_qk", "qk_values", {"w_q", "w_k"}, true);
    const bool ov = record_pair("w_ov", "ov_values", {"w_v", "w_o"}, false);
    if ((qk || ov) && !of_.empty()) trace_.scopes.push_back(scope_);
    return qk || ov;
  }

 private:
  /// Whether scores are dot products.
  bool compares() const {
    return std::any_of(trace_.steps.begin(), trace_.steps.end(), [&](const Step& step) {
      return step.operation == &ops::multiply_transposed && step.scope->name == of_;
    });
  }

  bool record_pair(const char* product, const char* values, std::array<const char*, 2> weights,
                   bool transposed) {
    std::vector<std::string> inputs;
    std::vector<Shape> shapes;
    for (const char* each : weights) {
      inputs.push_back(joined_name(of_, each));
      const Step* found = trace_.find(inputs.back());
      if (found == nullptr) return false;
      shapes.push_back(found->value.shape());
    }
    const Settings& settings = scope_->settings;
    Parameters parameters{{"heads", settings.heads}, {"kv_heads", settings.kv_heads}};
    if (transposed) parameters.set("transposed", true);
    if (!ops::head_product.shape_rule.result(shapes, parameters, {})) return false;
    const std::string id = joined_name(scope_->name, product);
    append_step(trace_, {id, &ops::head_product, parameters, inputs, scope_, nullptr, {}}, {},
                !keeps_ || keeps_(id));
    append_step(trace_, {joined_name(scope_->name, values),
                         &ops::singular_values,
                         parameters,
                         inputs,
                         scope_,
                         nullptr,
                         {}});
    return true;
  }

  Trace& trace_;
  const KeepStep& keeps_;
  std::string of_;
  std::shared_ptr<const Scope> scope_;
};

}  // namespace

void add_circuits(Trace& trace, std::optional<Index> layer, const KeepStep& keeps) {
  const auto scopes = trace.scopes;  // recording adds some
  const bool known = std::any_of(trace.steps.begin(), trace.steps.end(), [](const Step& step) {
    return step.info().role == StepRole::SingularValues;
  });
  if (known) throw already_computed("circuits");
  bool asked = false, found = false;
  for (const auto& scope : scopes) {
    if (trace.first_of(StepRole::Weights, *scope) == nullptr) continue;
    const std::optional<Index> own = place_of(*scope).layer;
    if (layer && own && *own != *layer) continue;
    asked = true;
    found = Circuits(trace, keeps, scope).record() || found;
  }
  if (found || !asked) return;
  throw Error(
      ErrorKind::Usage,
      {{.id = "needs-weights",
        .what = "circuits are products of weights, and no attention has w_q and w_k for dot "
                "products, or w_v and w_o",
        .fix = "Give a problem with these weights; 03-multi-head is one."}});
}

}  // namespace attn
