// Computes a step again only if wanted steps need it and its inputs or wiring changed.
#include "teach/check/evaluation.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "core/operations/row_links.hpp"
#include "core/tensor/dtype.hpp"
#include "core/tensor/slices.hpp"
#include "core/trace/leading_to.hpp"
#include "teach/mistakes/parts.hpp"

namespace attn {
namespace {

constexpr double kReading = 8.0;  // a number from memory takes as long as so many products

const Tensor* replacement(const Variation& change, const std::string& id) {
  for (const Rewiring& each : change.recipe) {
    if (each.value && rewired_id(each) == id) return &*each.value;
  }
  return nullptr;
}

void finish(Tensor& result, const std::string& id, const Variation& change) {
  for (const Afterwards& after : change.afterwards) {
    if (after.step != id) continue;
    for (double& x : result.edit()) x *= after.factor;
    if (!after.heads.empty()) result = with_heads(result, after.heads);
    if (std::ssize(after.columns) == result.cols()) {
      for_each_slice(result, [&](Index b, Index h) {
        for (Index r = 0; r < result.rows(); ++r) {
          const auto row = result.row(b, h, r);
          const std::vector<double> old(row.begin(), row.end());
          for (std::size_t c = 0; c < old.size(); ++c)
            row[c] = old[static_cast<std::size_t>(after.columns[c])];
        }
      });
    }
    if (!after.minus_row_max) continue;
    for_each_slice(result, [&](Index b, Index h) {
      for (Index r = 0; r < result.rows(); ++r) {
        const auto row = result.row(b, h, r);
        const double most = *std::max_element(row.begin(), row.end());
        for (double& x : row) x -= most;
      }
    });
  }
}

bool same_wiring(const Step& step, const Step* before, const Variation& change) {
  const bool touched = std::any_of(change.afterwards.begin(), change.afterwards.end(),
                                   [&](const Afterwards& after) { return after.step == step.id; });
  return before != nullptr && !touched && before->operation == step.operation &&
         before->parameters == step.parameters && before->inputs == step.inputs;
}

}  // namespace

bool sees_only_earlier(const Trace& truth) {
  if (!truth.is_model()) return false;
  for (const Step& step : truth.steps) {
    if (step.info().role != StepRole::Weights) continue;
    const Step* mask = truth.first_of(StepRole::Mask, *step.scope);
    if (mask == nullptr) return false;
    const Tensor& allowed = mask->value;
    for (Index b = 0; b < allowed.batch(); ++b) {
      for (Index h = 0; h < allowed.heads(); ++h) {
        for (Index r = 0; r < allowed.rows(); ++r) {
          const auto row = allowed.row(b, h, r).subspan(
              static_cast<std::size_t>(std::min(r + 1, allowed.cols())));
          if (std::any_of(row.begin(), row.end(), [](double x) { return x != 0.0; })) return false;
        }
      }
    }
  }
  return true;
}

Tensor with_heads(const Tensor& t, const std::vector<Index>& order) {
  Tensor y = t;
  for_each_slice(y, [&](Index b, Index h) {
    const auto from = t.matrix(b, order[static_cast<std::size_t>(h)]);
    std::copy(from.begin(), from.end(), y.matrix(b, h).begin());
  });
  return y;
}

Evaluation::Evaluation(const Trace& truth) {
  for (const auto* part : {&truth.givens, &truth.steps}) {
    for (const Step& step : *part) values_[step.id] = {&step.value, &step.value};
  }
}

Evaluation::Evaluation(const Trace& truth, const Evaluation& base, const Variation& change,
                       const std::vector<std::string>& wanted, const Visit& visit, FirstRows first,
                       const std::set<std::string>& kept)
    : first_(first) {
  const Trace made_now = change.plan ? Trace{} : replay(truth, change.recipe, Numbers::None);
  const Trace& plan = change.plan ? *change.plan : made_now;
  const auto needed = leading_to(plan, wanted, kept);
  std::unordered_set<std::string_view>
      dirty;  // what later steps use is not what they use in the base
  const auto settle = [&](const std::string& id, const Tensor* made, const Values* before) {
    const bool anew = before == nullptr || before->made != made;
    const Tensor* own = nullptr;
    const bool go_on = visit(id, *made, anew, own);
    values_[id] = {made, own == nullptr ? made : own};
    if (before == nullptr || before->used != values_[id].used) dirty.insert(id);
    return go_on;
  };
  for (const auto* part : {&plan.givens, &plan.steps}) {
    for (const Step& step : *part) {
      if (!needed.contains(step.id)) continue;
      const auto at = base.values_.find(step.id);
      const Values* before = at == base.values_.end() ? nullptr : &at->second;
      if (before != nullptr && kept.contains(step.id)) {
        values_[step.id] = *before;
        continue;
      }
      const bool clean = std::none_of(step.inputs.begin(), step.inputs.end(),
                                      [&](const std::string& id) { return dirty.contains(id); });
      const bool same = step.is_given() || same_wiring(step, truth.find(step.id), change);
      const Tensor* made = replacement(change, step.id);
      if (made == nullptr && clean && same && before != nullptr) made = before->made;
      if (made == nullptr && !step.is_given()) made = compute(plan, step, change);
      if (made != nullptr && !settle(step.id, made, before)) return;
    }
  }
}

const Tensor* Evaluation::used(const Step& step) {
  const auto at = values_.find(step.id);
  if (at == values_.end()) return nullptr;
  const Tensor& whole = *at->second.used;
  const auto most = [&](const char* axis) {
    const std::string_view name = axis;
    if (name == "query") return std::min(first_.queries, first_.keys);
    return name == "key" || name == "token" ? first_.keys : kAllRows;
  };
  Shape shape = whole.shape();
  shape.rows = std::min(shape.rows, most(step.info().row_axis));
  shape.cols = std::min(shape.cols, most(step.info().col_axis));
  if (shape == whole.shape()) return &whole;
  Tensor& part = store_.emplace_back(shape);
  for_each_slice(part, [&](Index b, Index h) {
    for (Index r = 0; r < shape.rows; ++r) {
      const auto to = part.row(b, h, r);
      std::copy_n(whole.row(b, h, r).begin(), to.size(), to.begin());
    }
  });
  return &part;
}

const Tensor* Evaluation::compute(const Trace& plan, const Step& step, const Variation& change) {
  std::vector<const Tensor*> inputs;
  std::vector<Shape> shapes;
  for (const std::string& id : step.inputs) {
    inputs.push_back(used(plan.at(id)));
    if (inputs.back() == nullptr) return nullptr;
    shapes.push_back(inputs.back()->shape());
  }
  const Operation& operation = *step.operation;
  const auto shape = operation.shape_rule.result(shapes, step.parameters, step.value.shape());
  if (!shape) return nullptr;
  const bool sums = operation.sizes_meet != SizesMeet::No;
  work_ += static_cast<double>(shape->count()) *
           static_cast<double>(sums ? inputs.front()->cols() : Index{1});
  if (sums) work_ += kReading * static_cast<double>(shapes.at(1).count());
  store_.push_back(evaluate(operation, {inputs, step.parameters, *shape}));
  finish(store_.back(), step.id, change);
  store_.back() = rounded(std::move(store_.back()), step.scope->settings.dtype);
  return &store_.back();
}

const Tensor* Evaluation::made(const std::string& id) const {
  const auto at = values_.find(id);
  return at == values_.end() ? nullptr : at->second.made;
}

}  // namespace attn
