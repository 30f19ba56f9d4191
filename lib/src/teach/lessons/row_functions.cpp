// What lessons ask of the row of one query, and of all rows.
#include <algorithm>
#include <array>
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

constexpr std::array kOfRows{
    LessonFunction{"dot_products", 0, 0, dot_products},
    LessonFunction{"lies_between", 0, 0, row_lies_between},
};

}  // namespace

std::span<const LessonFunction> functions_of_rows() { return kOfRows; }

}  // namespace attn
