// Whether arrays have as many numbers as their shapes say.
#include <algorithm>
#include <optional>
#include <utility>

#include "attn/phrases.hpp"
#include "core/problem/build.hpp"

namespace attn {

void check_array(const Array& array, const std::string& pointer, Complaints& complaints) {
  double count = array.shape.empty() && array.data.empty() ? 0.0 : 1.0;  // no size overflows
  for (const Index size : array.shape) count *= static_cast<double>(size);
  const bool negative =
      std::any_of(array.shape.begin(), array.shape.end(), [](Index n) { return n < 0; });
  if (count == static_cast<double>(array.data.size()) && !negative) return;
  complaints.add_independent(
      {.id = "shape-mismatch",
       .what = filled("{} is {}, but it has {}", dotted(pointer), shape_text(array.shape),
                      counted(std::ssize(array.data), "number")),
       .places = {{.pointer = pointer}},
       .rule = "An array has as many numbers as the product of its sizes.",
       .fix = "Give all numbers, row by row, or other sizes."});
}

void check_arrays(const ProblemDraft& d, Complaints& complaints) {
  const auto check = [&](const char* pointer, const std::optional<Array>& array) {
    if (array) check_array(*array, pointer, complaints);
  };
  for (const auto& [pointer, array] : {std::pair{"/embeddings", &d.embeddings},
                                       {"/q", &d.q},
                                       {"/k", &d.k},
                                       {"/v", &d.v},
                                       {"/allowed", &d.allowed},
                                       {"/bias", &d.bias},
                                       {"/hidden", &d.hidden},
                                       {"/sinks", &d.sinks},
                                       {"/target", &d.target},
                                       {"/attention_weights", &d.attention_weights},
                                       {"/positions/table", &d.positions.table}})
    check(pointer, *array);
  for (const auto& [pointer, memory] :
       {std::pair{std::string("/memory"), &d.memory}, {"/source", &d.source}}) {
    if (!*memory) continue;
    check_array((*memory)->embeddings, pointer + "/embeddings", complaints);
    check((pointer + "/values").c_str(), (*memory)->values);
  }
  if (d.past) {
    check_array(d.past->k, "/past/k", complaints);
    check_array(d.past->v, "/past/v", complaints);
  }
  if (d.vocabulary) {
    check_array(d.vocabulary->w, "/vocabulary/w", complaints);
    check("/vocabulary/b", d.vocabulary->b);
  }
  if (d.dropout) check_array(d.dropout->keep, "/dropout/keep", complaints);
  for (const auto& [name, array] : d.weights) check_array(array, "/weights/" + name, complaints);
  complaints.throw_all();
}

}  // namespace attn
