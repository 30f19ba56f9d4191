// Compares wrong scores with the largest right number; negative masked scores only hide.
#include "teach/check/implausible.hpp"

#include <algorithm>
#include <cmath>

#include "teach/check/graded_answer.hpp"

namespace attn {

std::vector<char> implausible_cells(const Trace& truth, const Step& step, NumberSpan written,
                                    const std::vector<CellVerdict>& cells, NumberSpan made) {
  const Index blanks = std::ssize(cells) - count(cells, CellVerdict::Given);
  if (!step.info().is_pairwise() || cells.size() != written.size() ||
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
  if (std::count(found.begin(), found.end(), 1) < 2) found.clear();
  return found;
}

}  // namespace attn
