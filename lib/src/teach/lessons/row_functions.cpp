// What lessons ask of the row of one query, and of all rows.
#include <algorithm>
#include <functional>

#include "teach/lessons/scene.hpp"

namespace attn {
namespace {

LessonValue row_lies_between(Scene& scene, const Arguments&) {
  return number_value(lies_between(scene.row()));
}

/// Whether `holds` is true of every query of every head.
LessonValue of_all_rows(const Trace& trace, const std::function<bool(const Followed&)>& holds) {
  const Shape shape = weights_step(trace).value.shape();
  bool all = true;
  for (Index i = 0; i < shape.count(); i += shape.cols) {
    const Cell cell = shape.cell_at(i);
    all = all && holds(followed(trace, {cell.batch, cell.head, cell.row, 0}));
  }
  return number_value(all);
}

LessonValue all_see(Scene& scene, const Arguments&) {
  return of_all_rows(*scene.trace(), [](const Followed& row) { return !row.visible.empty(); });
}
LessonValue all_lie_between(Scene& scene, const Arguments&) {
  return of_all_rows(*scene.trace(), lies_between);
}
LessonValue all_pass_through(Scene&, const Arguments& a) {
  return of_all_rows(*trace_of(a[0]), [](const Followed& row) {
    const std::span<const double> value = row.values[row.strongest()];
    return std::equal(value.begin(), value.end(), row.mixed.begin(), row.mixed.end());
  });
}

/// The same problem, in which each query sees only the key that it gives most to.
LessonValue one_key_each(Scene& scene, const Arguments&) {
  const Tensor& weights = weights_of(scene.trace());
  ProblemDraft draft = scene.changed("plain");
  draft.allowed = Array{{weights.rows(), weights.cols()}, {}};
  for (Index i = 0; i < weights.rows(); ++i) {
    const auto strongest = static_cast<Index>(scene.row(i).strongest());
    for (Index j = 0; j < weights.cols(); ++j)
      draft.allowed->data.push_back(j == strongest ? 1.0 : 0.0);
  }
  return computed(draft);
}

constexpr LessonFunction kOfRows[] = {
    {"lies_between", 0, 0, row_lies_between},   {"all_see", 0, 0, all_see},
    {"all_lie_between", 0, 0, all_lie_between}, {"all_pass_through", 1, 1, all_pass_through},
    {"one_key_each", 0, 0, one_key_each},
};

}  // namespace

std::span<const LessonFunction> functions_of_rows() { return kOfRows; }

}  // namespace attn
