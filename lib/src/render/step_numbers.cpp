#include "render/step_numbers.hpp"

#include <algorithm>

namespace attn {
namespace {

/// `names` with the numbers of steps ("7") replaced by their ids.
std::vector<std::string> ids_of(const std::vector<std::string>& names,
                                const std::vector<const Step*>& numbered) {
  std::vector<std::string> ids = names;
  for (std::string& id : ids) {
    const bool number =
        !id.empty() && id.size() < 4 && id.find_first_not_of("0123456789") == std::string::npos;
    const std::size_t n = number ? std::stoul(id) : 0;
    if (n >= 1 && n <= numbered.size()) id = numbered[n - 1]->id;
  }
  return ids;
}

}  // namespace

std::vector<const Step*> numbered_steps(const Trace& trace, const View& view) {
  std::vector<const Step*> all = chosen_steps(trace, {});
  const bool told_later = view.detail != Detail::Full && trace.find("masked_scores") != nullptr;
  if (told_later) std::erase_if(all, [](const Step* step) { return step->id == "mask"; });
  return all;
}

std::vector<const Step*> shown_steps(const Trace& trace, const View& view) {
  const std::vector<const Step*> all = numbered_steps(trace, view);
  return view.steps.empty() ? all : chosen_steps(trace, ids_of(view.steps, all));
}

}  // namespace attn
