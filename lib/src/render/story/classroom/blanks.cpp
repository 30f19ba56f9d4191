// Makes handouts: leaves out the numbers of some steps, and what would give them away.
#include <algorithm>
#include <limits>
#include <utility>

#include "attn/render/explain.hpp"

namespace attn {
namespace {

bool contains(const std::vector<std::string>& steps, const std::string& id) {
  return std::find(steps.begin(), steps.end(), id) != steps.end();
}

/// Blanks the rows of these steps; the last row may belong to another step.
void make_blank(Grid& grid, const std::vector<std::string>& steps) {
  const std::size_t cols = grid.col_labels.size();
  const std::size_t own = grid.numbers.size() - (grid.last_step.empty() ? 0 : cols);
  for (std::size_t i = 0; i < grid.numbers.size(); ++i) {
    if (!contains(steps, i < own ? grid.step : grid.last_step)) continue;
    grid.numbers[i] = std::numeric_limits<double>::quiet_NaN();
    grid.kinds[i] = CellKind::Blank;
    grid.shares = false;  // no sums
  }
}

/// Whether a cell of these steps is on either side of the arithmetic.
bool shows(const Worked& worked, const std::vector<std::string>& steps) {
  return std::any_of(worked.cells.begin(), worked.cells.end(),
                     [&](const NamedCell& cell) { return contains(steps, cell.step); }) ||
         std::any_of(worked.inputs.begin(), worked.inputs.end(),
                     [&](const std::string& id) { return contains(steps, id); });
}

}  // namespace

Document with_blanks(Document document, const std::vector<std::string>& steps) {
  document.cells = {};
  document.unmasked = {};
  document.written_on = true;
  std::vector<Block> kept;
  bool blank = false;  // below the heading of such a step
  for (Block& block : document.blocks) {
    if (const auto* heading = std::get_if<StepHeading>(&block))
      blank = contains(steps, heading->id);
    if (std::holds_alternative<Title>(block)) blank = false;
    if (auto* grid = std::get_if<Grid>(&block)) make_blank(*grid, steps);
    const auto* worked = std::get_if<Worked>(&block);
    const bool says = has_role(block, Role::Aside) || std::holds_alternative<Table>(block);
    if ((worked != nullptr && shows(*worked, steps)) || (blank && says)) continue;
    kept.push_back(std::move(block));
  }
  document.blocks = std::move(kept);
  return document;
}

}  // namespace attn
