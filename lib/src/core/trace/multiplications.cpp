// Adds up, for each product, its cells times the columns of its first factor.
#include "core/trace/multiplications.hpp"

namespace attn {

double multiplications(const Trace& trace, std::string_view first_factor) {
  double count = 0.0;
  for (const Step& step : trace.steps) {
    if (step.operation->sizes_meet == SizesMeet::No) continue;
    if (!first_factor.empty() && step.inputs.front() != first_factor) continue;
    const double terms = static_cast<double>(trace.input(step, 0).value.cols());
    count += terms * static_cast<double>(step.value.shape().count());
  }
  return count;
}

}  // namespace attn
