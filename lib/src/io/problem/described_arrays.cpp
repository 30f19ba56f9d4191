// Counts the arrays that a problem describes, such as {"zeros": [2, 3]}, before one is made.
#include <string>
#include <string_view>

#include "attn/core/memory_budget.hpp"
#include "io/json/json.hpp"
#include "io/problem/array_source.hpp"
#include "io/problem/problem_fields.hpp"

namespace attn {
namespace {

struct DescribedArrays {
  double largest = 0.0, others = 0.0;  // bytes
  std::string pointer;                 // of the largest

  void add(const json::Node& node, const std::string& at) {
    const json::Described array = json::described_by(node);
    if (array.bytes < largest) {
      others += array.bytes;
      return;
    }
    others += largest;
    largest = array.bytes;
    pointer = json::child_pointer(at, std::string_view(array.key));
  }

  /// What the keys of the object at `parent` describe: "" or, for example, "past/".
  void add_keys(const json::Node& object, std::string_view parent) {
    for (const ProblemKey& key : problem_keys()) {
      const json::Node* node = key.parent() == parent ? json::find(object, key.name()) : nullptr;
      if (node == nullptr) continue;
      const auto* members = std::get_if<json::Members>(&node->value);
      if (!key.kind.by_name) {
        add(*node, key.pointer());
        add_keys(*node, std::string(key.path) + "/");
      } else if (members != nullptr) {
        for (const json::Member& each : *members)
          add(each.value, json::child_pointer(key.pointer(), each.key));
      }
    }
  }
};

}  // namespace

void check_described(const json::Node& problem, const MemoryBudget& budget) {
  DescribedArrays arrays;
  arrays.add_keys(problem, "");
  constexpr double kCopies = 2.0;  // the draft's and the problem's
  MemoryBudget{budget.limit, budget.used + kCopies * arrays.others}.take_bytes(
      kCopies * arrays.largest, arrays.pointer);
}

}  // namespace attn
