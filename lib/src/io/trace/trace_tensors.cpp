// A trace as NumPy and safetensors files.
#include "io/trace/trace_tensors.hpp"

#include "attn/error.hpp"
#include "attn/tensor_file.hpp"
#include "attn/tool/phrases.hpp"

namespace attn {
namespace {

std::vector<NamedArray> arrays_of(const Trace& trace, const std::vector<std::string>& steps) {
  std::vector<NamedArray> arrays;
  for (const Step* step : chosen_steps(trace, steps)) {
    arrays.push_back({step->id, {step->value.shape().sizes(), step->value.data().copy()}, ""});
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

std::string trace_npy(const Trace& trace, const std::vector<std::string>& steps) {
  const std::vector<NamedArray> arrays = arrays_of(trace, steps);
  if (arrays.size() == 1) return write_npy(arrays[0].array);
  throw Error(ErrorKind::Usage, {{.id = "one-step",
                                  .what = "an .npy file holds one step, but " +
                                          counted(std::ssize(arrays), "step") + " would go into it",
                                  .fix = "Choose one, or write an .npz file.",
                                  .changes = {{"steps", "weights"}}}});
}

}  // namespace attn
