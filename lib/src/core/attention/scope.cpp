// Copies the settings of a problem, and later takes scale, softcap and masking from the steps.
#include "core/attention/scope.hpp"

#include <algorithm>
#include <utility>

#include "core/operations/operations.hpp"
#include "core/trace/hidden_cells.hpp"

namespace attn {
namespace {

const Step* made_by(const Trace& trace, const Scope& scope, const Operation& operation) {
  return trace.steps.first_in(scope,
                              [&](const Step& step) { return step.operation == &operation; });
}

}  // namespace

Scope scope_of(const ProblemFacts& p) {
  Scope scope{"", p.query_tokens, p.key_tokens, {}, p.visibility};
  if (p.prediction) scope.vocabulary = p.prediction->words;
  scope.n_extra = p.n_extra;
  Settings& s = scope.settings;
  static_cast<AttentionSettings&>(s) = p;
  s.positions.table.reset();  // among the givens
  if (!acts_before_softmax(p.masking)) s.fill.reset();
  s.has_batch = p.batch.has_value();
  s.has_heads = p.heads.has_value();
  s.batch = p.batch.value_or(1);
  s.heads = p.heads.value_or(1);
  s.kv_heads = p.kv_heads;
  s.d_model = p.d_model;
  s.d_k = p.d_k;
  s.d_v = p.d_v;
  s.n_queries = p.n_queries;
  s.n_keys = p.n_keys;
  s.masks = p.mask_texts;
  return scope;
}

void settle(Scope& scope, const Trace& trace) {
  Settings& s = scope.settings;
  const Step* scale = made_by(trace, scope, ops::scale);
  s.scale = {ScaleRule::Kind::None, 1.0};
  if (scale != nullptr) s.scale = {ScaleRule::Kind::Number, scale->parameters.number("factor")};
  const Step* softcap = made_by(trace, scope, ops::softcap);
  s.softcap.reset();
  if (softcap != nullptr) s.softcap = softcap->parameters.number("cap");
  for (const auto& [operation, mode] :
       {std::pair{&ops::hide, MaskingMode::Replace}, {&ops::added_mask, MaskingMode::Add}}) {
    const Step* hides = made_by(trace, scope, *operation);
    if (hides == nullptr) continue;
    s.masking = mode;
    s.fill = hides->parameters.number("fill");
  }
  const bool masked = trace.first_of(StepRole::Mask, scope) != nullptr;
  if (masked && acting_mask(trace, scope) == nullptr) s.masks.clear();
}

}  // namespace attn
