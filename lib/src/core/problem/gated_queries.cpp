// Queries and a gate in one matrix, head by head [q | gate], as Qwen3-Next keeps them in q_proj.
#include <utility>

#include "attn/phrases.hpp"
#include "core/problem/build.hpp"

namespace attn {
namespace {

/// The columns of every other group of `width`, from the first or from the second group on.
Array every_other(const Array& packed, Index width, Index first) {
  const Index cols = packed.shape.back(), rows = std::ssize(packed.data) / cols;
  Array part{packed.shape, {}};
  part.shape.back() = cols / 2;
  for (Index r = 0; r < rows; ++r) {
    for (Index c = first * width; c < cols; c += 2 * width) {
      const auto begin = packed.data.begin() + r * cols + c;
      part.data.insert(part.data.end(), begin, begin + width);
    }
  }
  return part;
}

}  // namespace

void split_gated_queries(Build& build) {
  const ProblemDraft& draft = build.draft;
  auto& arrays = build.weights.arrays;
  const bool from_library = !build.weights.library.empty() && draft.heads;
  if (!from_library || arrays.contains("w_gate")) return;
  const Array *q = weight(build, "w_q"), *k = weight(build, "w_k"), *o = weight(build, "w_o");
  const Index heads = *draft.heads, kv_heads = draft.kv_heads.value_or(heads);
  if (q == nullptr || k == nullptr || o == nullptr || q->rank() != 2 || k->rank() != 2 ||
      o->rank() != 2 || k->shape[1] % kv_heads != 0)
    return;
  const Index d_k = k->shape[1] / kv_heads;
  if (q->shape[1] != 2 * heads * d_k || o->shape[0] != heads * d_k) return;
  for (const auto& [name, gate] : {std::pair{"w_q", "w_gate"}, {"b_q", "b_gate"}}) {
    const auto at = arrays.find(name);
    if (at == arrays.end()) continue;
    const Array packed = std::move(at->second);
    at->second = every_other(packed, d_k, 0);
    arrays[gate] = every_other(packed, d_k, 1);
    build.weights.pointers[gate] = weight_pointer(build, name);
  }
  build.has_gated_queries = true;
  build.weights.notes.push_back(filled(
      "{} has twice as many rows as there are queries: each head's queries, then its gate, as "
      "in Qwen3-Next; attn cuts it",
      weight_pointer(build, "w_q").substr(9)));
}

}  // namespace attn
