#pragma once

#include <string>
#include <utility>
#include <vector>

#include "attn/trace.hpp"

namespace attn {

/// Applies operations and keeps every result as a step of the trace. Steps are named by their ids.
class Recorder {
 public:
  explicit Recorder(Trace& trace) : trace_(trace) {}

  /// A step or a given that nothing computes. Returns its id.
  std::string input(const std::string& id, const Tensor& value) {
    (is_step_id(id) ? trace_.steps : trace_.givens).push_back({id, Op::Given, {}, {}, value});
    return id;
  }

  /// Computes `op` of the named inputs and records the result as step `id`. Returns `id`.
  std::string operator()(const std::string& id, Op op, std::vector<std::string> inputs,
                         Parameters parameters = {}) {
    Step step{id, op, std::move(parameters), std::move(inputs), {}};
    step.value = operation(op).evaluate(trace_.inputs(step), step.parameters);
    trace_.steps.push_back(std::move(step));
    return id;
  }

 private:
  Trace& trace_;
};

}  // namespace attn
