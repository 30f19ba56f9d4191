#include "io/trace_tensors.hpp"

#include <algorithm>

#include "attn/tensor_file.hpp"

namespace attn {
namespace {

std::vector<NamedArray> arrays_of(const Trace& trace, const std::vector<std::string>& steps) {
  std::vector<NamedArray> arrays;
  for (const Step& step : trace.steps) {
    if (!steps.empty() && std::find(steps.begin(), steps.end(), step.id) == steps.end()) continue;
    arrays.push_back({step.id, {step.value.shape().sizes(), step.value.data()}, ""});
  }
  return arrays;
}

}  // namespace

std::string trace_npz(const Trace& trace, const std::vector<std::string>& steps) {
  return write_npz(arrays_of(trace, steps));
}

std::string trace_safetensors(const Trace& trace, const std::vector<std::string>& steps) {
  return write_safetensors(arrays_of(trace, steps));
}

}  // namespace attn
