// What lessons ask of the row of one query, and of all rows.
#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "teach/lessons/scene.hpp"

namespace attn {
namespace {

/// Whether each score of the row that is followed is the dot product of its query with a key.
LessonValue dot_products(Scene& scene, const Arguments&) {
  const Followed& row = scene.row();
  bool all = true;
  for (std::size_t j = 0; j < row.products.size(); ++j) {
    const double sum =
        std::inner_product(row.query.begin(), row.query.end(), row.key_rows[j].begin(), 0.0);
    all = all && is_close(row.products[j], sum);
  }
  return number_value(all ? 1.0 : 0.0);
}

LessonValue row_lies_between(Scene& scene, const Arguments&) {
  return number_value(lies_between(scene.row()) ? 1.0 : 0.0);
}

/// Whether `holds` is true of every query of every head.
LessonValue of_all_rows(const Trace& trace, const std::function<bool(const Followed&)>& holds) {
  const Shape shape = trace.last_weights()->value.shape();
  bool all = true;
  for (Index i = 0; i < shape.count(); i += shape.cols) {
    const Cell cell = shape.cell_at(i);
    all = all && holds(followed(trace, {cell.batch, cell.head, cell.row, 0}));
  }
  return number_value(all ? 1.0 : 0.0);
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
  const Tensor& weights = scene.trace()->last_weights()->value;
  ProblemDraft draft = scene.changed("plain");
  draft.allowed = Array{{weights.rows(), weights.cols()}, {}};
  for (Index i = 0; i < weights.rows(); ++i) {
    const auto strongest = static_cast<Index>(scene.row(i).strongest());
    for (Index j = 0; j < weights.cols(); ++j)
      draft.allowed->data.push_back(j == strongest ? 1.0 : 0.0);
  }
  return computed(draft);
}

/// Whether a softmax without added keys: each of them can be hidden.
LessonValue adds_no_keys(Scene& scene, const Arguments&) {
  const ProblemDraft& draft = scene.draft();
  return number_value(!draft.add_zero_attn && !draft.weights.contains("bias_k") ? 1.0 : 0.0);
}

constexpr std::array kOfRows{
    LessonFunction{"dot_products", 0, 0, dot_products},
    LessonFunction{"lies_between", 0, 0, row_lies_between},
    LessonFunction{"all_see", 0, 0, all_see},
    LessonFunction{"all_lie_between", 0, 0, all_lie_between},
    LessonFunction{"all_pass_through", 1, 1, all_pass_through},
    LessonFunction{"one_key_each", 0, 0, one_key_each},
    LessonFunction{"adds_no_keys", 0, 0, adds_no_keys},
};

}  // namespace

std::span<const LessonFunction> functions_of_rows() { return kOfRows; }

}  // namespace attn
