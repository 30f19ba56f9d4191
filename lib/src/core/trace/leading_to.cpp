// Walks the steps backwards, and collects the inputs of those that are needed.
#include "core/trace/leading_to.hpp"

namespace attn {

std::unordered_set<std::string> leading_to(const Trace& trace,
                                           const std::vector<std::string>& wanted,
                                           const std::set<std::string>& kept) {
  std::unordered_set<std::string> ids(wanted.begin(), wanted.end());
  for (auto step = trace.steps.rbegin(); step != trace.steps.rend(); ++step) {
    if (ids.contains(step->id) && !kept.contains(step->id))
      ids.insert(step->inputs.begin(), step->inputs.end());
  }
  return ids;
}

}  // namespace attn
