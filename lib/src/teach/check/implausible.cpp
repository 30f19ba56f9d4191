// Compares wrong numbers with the largest right one; negative masked scores only hide.
#include "teach/check/implausible.hpp"

#include <algorithm>
#include <cmath>

#include "teach/check/graded_answer.hpp"

namespace attn {
namespace {

constexpr double kMuchLarger = 10.0;

/// Whether a number is the other one with its decimal point too far right, as if it were forgotten.
bool has_point_elsewhere(double large, double number) {
  constexpr double kMostPlaces = 6.0, kRounded = 0.05;  // 0.012 may become 12, or 10
  const double ratio = std::abs(large / number), places = std::round(std::log10(ratio));
  return places >= 1.0 && places <= kMostPlaces &&
         std::abs(ratio / std::pow(10.0, places) - 1.0) <= kRounded;
}

}  // namespace

std::vector<char> implausible_cells(const Trace& truth, const Step& step, NumberSpan written,
                                    const std::vector<CellVerdict>& cells, NumberSpan made) {
  const Index blanks = std::ssize(cells) - count(cells, CellVerdict::Given);
  if (cells.size() != written.size() ||
      2 * (count(cells, CellVerdict::Right) + count(cells, CellVerdict::Follows)) < blanks)
    return {};
  const bool masked = step.info().role == StepRole::MaskedScores;
  double most = magnitude(truth, step);
  for (std::size_t i = 0; i < step.inputs.size(); ++i)
    most = std::max(most, magnitude(truth, truth.input(step, i)));
  std::vector<char> found(cells.size(), 0);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const bool hides = masked && written[i] < 0.0;
    const bool follows_large = std::abs(written[i]) <= std::abs(made[i]);
    found[i] =
        cells[i] == CellVerdict::Wrong && std::abs(written[i]) > most && !follows_large && !hides;
  }
  const auto large = std::count(found.begin(), found.end(), 1);
  const auto i = static_cast<std::size_t>(std::find(found.begin(), found.end(), 1) - found.begin());
  const bool is_slip = large == 1 && (std::abs(written[i]) <= kMuchLarger * most ||
                                      has_point_elsewhere(written[i], step.value.data()[i]) ||
                                      has_point_elsewhere(written[i], made[i]));
  if (large == 0 || is_slip) found.clear();
  return found;
}

}  // namespace attn
