// Orders the columns of a row by their numbers.
#include "render/story/steps/best_columns.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace attn {

std::vector<Index> best_columns(std::span<const double> row, Index count) {
  std::vector<Index> columns(row.size());
  std::iota(columns.begin(), columns.end(), Index{0});
  const auto place = [&](Index column) {
    const double x = row[static_cast<std::size_t>(column)];
    return std::tuple(std::isnan(x), std::isnan(x) ? 0.0 : -x, column);
  };
  const auto end = columns.begin() + std::min<Index>(count, std::ssize(columns));
  std::partial_sort(columns.begin(), end, columns.end(),
                    [&](Index a, Index b) { return place(a) < place(b); });
  return {columns.begin(), end};
}

}  // namespace attn
