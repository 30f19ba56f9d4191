// Broadcasts a bias or `allowed` to all scores.
#include <array>

#include "attn/core/memory_budget.hpp"
#include "attn/phrases.hpp"
#include "core/problem/build.hpp"
#include "core/tensor/slices.hpp"

namespace attn {

std::optional<Tensor> broadcast(Build& build, const Array& array, const std::string& name,
                                double missing) {
  const ProblemFacts& p = build.problem;
  const Index n_keys = p.n_keys - p.n_extra;
  const Shape target{p.batch, p.heads, p.n_queries, n_keys};
  const std::array<Index, 4> wanted{p.batch.value_or(1), p.heads.value_or(1), p.n_queries, n_keys};
  std::array<Index, 4> sizes{1, 1, 1, 1};
  bool fits = array.rank() <= 4;
  for (std::size_t i = 0; fits && i < array.rank(); ++i) {
    std::size_t axis = 4 - array.rank() + i;
    if (!p.heads && array.rank() == 3 && i == 0) axis = 0;
    sizes[axis] = array.shape[i];
    const bool shorter = axis == 3 && sizes[axis] < wanted[axis];
    fits = sizes[axis] == 1 || sizes[axis] == wanted[axis] || shorter;
  }
  if (!fits) {
    const bool keys = sizes[3] > wanted[3] && sizes[3] != 1;
    const std::string past = keys && p.n_past > 0 ? ", the past included" : "";
    const std::string source = p.q                        ? (keys ? "/k" : "/q")
                               : keys && p.memory         ? "/memory/embeddings"
                               : !build.draft.ids.empty() ? "/ids"
                                                          : "/embeddings";
    const std::string found =
        keys ? counted(n_keys, "key") + " (T_k)" : counted(p.n_queries, "query") + " (T_q)";
    build.complaints.add(
        {.id = "shape-mismatch",
         .what = filled("{} is {}, which does not fit the scores, {}", name,
                        shape_text(array.shape), shape_text(target.sizes())),
         .places = {{.pointer = "/" + name}, {.pointer = source, .remark = found + past}},
         .rule = "Sizes are compared from the right; each must be equal, or 1. "
                 "Keys at the end may be missing.",
         .fix = filled("Give {} {} of {} (query × key).", name, counted(p.n_queries, "row"),
                       counted(n_keys, "number"))});
    return std::nullopt;
  }
  if (sizes[3] != 1 && sizes[3] < n_keys) {
    const Index left = n_keys - sizes[3];
    build.problem.notes.push_back(filled("{} has {} for {}: the last {} hidden from all queries",
                                         name, counted(sizes[3], "column"), counted(n_keys, "key"),
                                         left == 1 ? "key is" : filled("{} keys are", left)));
  }
  const Shape shape{sizes[0] == 1 ? std::nullopt : p.batch, sizes[1] == 1 ? std::nullopt : p.heads,
                    p.n_queries, p.n_keys};
  take(build, array_bytes(shape.sizes()), "/" + name);
  Tensor result(shape);
  for_each_slice(result, [&](Index b, Index h) {
    for (Index i = 0; i < result.rows(); ++i) {
      const Index row = ((b * sizes[1] + h) * sizes[2] + (sizes[2] == 1 ? 0 : i)) * sizes[3];
      const auto to = result.row(b, h, i).first(static_cast<std::size_t>(n_keys));
      const auto from = array.data.begin() + row;
      if (sizes[3] == 1) {
        std::fill(to.begin(), to.end(), *from);
      } else {
        std::fill(std::copy(from, from + sizes[3], to.begin()), to.end(), missing);
      }
    }
  });
  return result;
}

}  // namespace attn
