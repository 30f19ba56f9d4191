// Compares two computations step by step.
#include "attn/teach/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/tensor/slices.hpp"
#include "teach/check/graded_answer.hpp"

namespace attn {
namespace {

/// 0 for what is equal, infinities and NaN included.
double distance(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b)) ? 0.0 : std::abs(a - b);
}

/// The larger one; NaN is larger than any number.
double larger(double a, double b) { return std::isnan(a) || a > b ? a : b; }

void compare_cells(StepDifference& step, const Tensor& left, const Tensor& right, double allowed) {
  double most = 0.0, sum = 0.0;
  std::size_t i = 0;
  std::set<std::pair<Index, Index>> rows;  // batch entry, row
  for_each_slice(left, [&](Index batch, Index head) {
    for (Index row = 0; row < left.rows(); ++row) {
      for (Index col = 0; col < left.cols(); ++col, ++i) {
        const double d = distance(left.data()[i], right.data()[i]);
        most = larger(most, d);
        sum += d;
        if (d <= allowed) continue;
        const Cell cell{batch, head, row, col};
        if (!step.first) step.first = cell;
        if (rows.emplace(batch, row).second) step.rows.push_back(cell);
        step.cells.push_back(i);
      }
    }
  });
  std::sort(step.rows.begin(), step.rows.end(), [](const Cell& a, const Cell& b) {
    return std::pair(a.batch, a.row) < std::pair(b.batch, b.row);
  });
  step.largest = most;
  step.mean = i == 0 ? 0.0 : sum / static_cast<double>(i);
}

/// The place of a step in the table, which is in the order of the computation.
std::ptrdiff_t table_place(const Step& step) {
  static const std::vector<std::string> kIds = step_ids();
  return std::find(kIds.begin(), kIds.end(), step.info().id) - kIds.begin();
}

/// The steps of both sides in an order that suits both: those of the left; a step that only the
/// right has comes after its predecessor there.
std::vector<const Step*> united(const Trace& left, const Trace& right) {
  std::vector<const Step*> all;
  for (const Step& step : left.steps) all.push_back(&step);
  std::size_t next = 0;  // where the right's next step goes, if the left lacks it
  for (const Step& step : right.steps) {
    const auto at =
        std::find_if(all.begin(), all.end(), [&](const Step* each) { return each->id == step.id; });
    if (at != all.end()) {
      next = static_cast<std::size_t>(at - all.begin()) + 1;
      continue;
    }
    while (next < all.size() && right.find(all[next]->id) == nullptr &&
           table_place(*all[next]) < table_place(step)) {
      ++next;
    }
    all.insert(all.begin() + static_cast<std::ptrdiff_t>(next++), &step);
  }
  return all;
}

}  // namespace

const StepDifference* Comparison::first_different() const {
  const auto at = std::find_if(steps.begin(), steps.end(),
                               [](const StepDifference& step) { return step.differs(); });
  return at == steps.end() ? nullptr : &*at;
}

Comparison compare(const Trace& left, const Trace& right, const Tolerance& tolerance) {
  Comparison comparison{tolerance, {}};
  for (const Step* either : united(left, right)) {
    const Step *l = left.find(either->id), *r = right.find(either->id);
    StepDifference step{.id = either->id};
    step.in = l == nullptr ? Presence::Right : r == nullptr ? Presence::Left : Presence::Both;
    if (l != nullptr) step.left_shape = l->value.shape().sizes();
    if (r != nullptr) step.right_shape = r->value.shape().sizes();
    if (step.in == Presence::Both && l->value.shape() == r->value.shape()) {
      double allowed = tolerance.absolute;
      if (tolerance.relative > 0.0)
        allowed += tolerance.relative * std::max(magnitude(left, *l), magnitude(right, *r));
      compare_cells(step, l->value, r->value, allowed);
    }
    comparison.steps.push_back(std::move(step));
  }
  return comparison;
}

Tolerance usual_tolerance(Dtype dtype) {
  constexpr double kRelative[] = {1e-5, 1e-5, 2e-2, 2e-3};  // float64, float32, bfloat16, float16
  return {.relative = kRelative[static_cast<std::size_t>(dtype)]};
}

}  // namespace attn
