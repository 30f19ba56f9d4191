// A trace as NumPy and safetensors files.
#include "attn/io/trace_file.hpp"

#include "attn/error.hpp"
#include "attn/io/tensor_file.hpp"
#include "attn/phrases.hpp"

namespace attn {
namespace {

/// All numbers: as they are in memory, or matrix by matrix where some share theirs.
std::vector<std::span<const double>> parts_of(const Tensor& tensor) {
  if (std::ssize(tensor.stored()) == tensor.shape().count()) return {tensor.stored()};
  std::vector<std::span<const double>> parts;
  for (Index b = 0; b < tensor.batch(); ++b) {
    for (Index h = 0; h < tensor.heads(); ++h) parts.push_back(tensor.matrix(b, h));
  }
  return parts;
}

std::vector<ArrayView> arrays_of(const Trace& trace, const TraceChoice& choice) {
  std::vector<ArrayView> arrays;
  for (const Step* step : chosen_steps(trace, choice.steps))
    arrays.push_back({step->id, step->value.shape().sizes(), parts_of(step->value)});
  return arrays;
}

}  // namespace

void each_npz_piece(const Trace& trace, const TraceChoice& choice, const Sink& sink) {
  each_npz_piece(arrays_of(trace, choice), sink);
}

void each_safetensors_piece(const Trace& trace, const TraceChoice& choice, const Sink& sink) {
  each_safetensors_piece(arrays_of(trace, choice), sink);
}

void each_npy_piece(const Trace& trace, const TraceChoice& choice, const Sink& sink) {
  const std::vector<ArrayView> arrays = arrays_of(trace, choice);
  if (arrays.size() == 1) return each_npy_piece(arrays[0], sink);
  throw Error(ErrorKind::Usage, {{.id = "one-step",
                                  .what = "an .npy file holds one step, but " +
                                          counted(std::ssize(arrays), "step") + " would go into it",
                                  .fix = "Write an .npz file, or choose one step.",
                                  .changes = {{"steps", "weights"}}}});
}

}  // namespace attn
