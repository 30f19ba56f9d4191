// Broadcasts a bias or `allowed` to all scores.
#include <array>

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
    const std::string source = p.q                ? (keys ? "/k" : "/q")
                               : keys && p.memory ? "/memory/embeddings"
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
  Tensor result(target);
  std::size_t at = 0;
  const auto one = [&](std::size_t axis, Index i) { return sizes[axis] == 1 ? 0 : i; };
  for (Index b = 0; b < result.batch(); ++b) {
    for (Index h = 0; h < result.heads(); ++h) {
      for (Index i = 0; i < result.rows(); ++i) {
        const Index row = ((one(0, b) * sizes[1] + one(1, h)) * sizes[2] + one(2, i)) * sizes[3];
        for (Index j = 0; j < result.cols(); ++j, ++at) {
          const bool reached = sizes[3] == 1 || j < sizes[3];
          result.edit()[at] =
              reached ? array.data[static_cast<std::size_t>(row + one(3, j))] : missing;
        }
      }
    }
  }
  return result;
}

Tensor widened(const Tensor& tensor, Index n_extra, double fill) {
  Shape shape = tensor.shape();
  shape.cols += n_extra;
  Tensor wide(shape, fill);
  for_each_slice(wide, [&](Index b, Index h) {
    for (Index r = 0; r < tensor.rows(); ++r) {
      const auto from = tensor.row(b, h, r);
      std::copy(from.begin(), from.end(), wide.row(b, h, r).begin());
    }
  });
  return wide;
}

}  // namespace attn
