#pragma once

#include <string>
#include <utility>
#include <vector>

#include "attn/trace.hpp"
#include "core/tensor/dtype.hpp"

namespace attn {

/// Applies operations and keeps every result, rounded to the number type, as a step of the trace.
/// Steps are named by their ids.
class Recorder {
 public:
  Recorder(Trace& trace, Dtype dtype) : trace_(trace), dtype_(dtype) {}

  /// A step or a given that nothing computes. Returns its id.
  std::string input(const std::string& id, const Tensor& value) {
    (is_step_id(id) ? trace_.steps : trace_.givens)
        .push_back({id, Op::Given, {}, {}, rounded(value, dtype_)});
    return id;
  }

  /// Computes `op` of the named inputs and records the result as step `id`. Returns `id`.
  std::string operator()(const std::string& id, Op op, std::vector<std::string> inputs,
                         Parameters parameters = {}) {
    Step step{id, op, std::move(parameters), std::move(inputs), {}};
    step.value = rounded(operation(op).evaluate(trace_.inputs(step), step.parameters), dtype_);
    trace_.steps.push_back(std::move(step));
    return id;
  }

 private:
  Trace& trace_;
  Dtype dtype_;
};

}  // namespace attn
