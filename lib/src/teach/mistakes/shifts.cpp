// Shifts by 1 to 4 and by given sizes, both ways; positions counted up; exponents other than 2i/d.
#include "teach/mistakes/shifts.hpp"

#include <algorithm>
#include <utility>

namespace attn {

Offsets moved(Offsets offsets, Index by) {
  for (Index& offset : offsets) offset += by;
  return offsets;
}

std::vector<Index> usual_shifts(std::vector<Index> sizes) {
  for (const Index few : {4, 3, 2, 1}) sizes.insert(sizes.begin(), few);
  std::vector<Index> shifts;
  for (const Index size : sizes) {
    if (size == 0 || std::count(shifts.begin(), shifts.end(), size) > 0) continue;
    shifts.insert(shifts.end(), {size, -size});
  }
  return shifts;
}

Parameters counted_up(const Wiring& w, const char* id) {
  const Step& step = *w.find(id);
  const auto all = std::ssize(step.parameters.counts("row_positions"));
  Offsets counted;
  for (Index i = 0; i < all; ++i) counted.push_back(i % step.value.rows());
  return {{"row_positions", std::move(counted)}};
}

std::vector<Exponent> other_exponents(Index columns) {
  std::vector<Exponent> all{{1, 2}, {1, -2}, {1, 1}, {1, -1}};
  if (columns < 4) return all;
  const auto d = static_cast<double>(columns);
  all.insert(all.begin(), {{0.5, 0}, {2, 0}});
  all.insert(all.end(), {{d / (d - 2), 0}, {-1, 0}});
  return all;
}

}  // namespace attn
