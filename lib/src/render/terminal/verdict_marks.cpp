// The signs and words for verdicts.
#include "render/terminal/verdict_marks.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "attn/check.hpp"
#include "attn/language.hpp"

namespace attn {
namespace {

/// In the order of CellVerdict.
constexpr std::array kMarks{
    VerdictMark{"✓", "ok", in_catalogue("right"), in_catalogue("right"), kPlain},
    VerdictMark{"~", "~", in_catalogue("follows"), in_catalogue("follows from your earlier steps"),
                kPlain},
    VerdictMark{"✗", "X", in_catalogue("wrong"), in_catalogue("wrong"), kBold},
    VerdictMark{"_", "_", in_catalogue("blank"), in_catalogue("blank"), kDim},
    VerdictMark{"!", "!", in_catalogue("unreadable"), in_catalogue("not a number"), kBold},
    VerdictMark{"·", ".", in_catalogue("given"), in_catalogue("given"), kDim},
};

bool shows(const Grid& grid, CellVerdict verdict) {
  if (grid.marks.empty()) return false;
  const std::size_t cols = grid.col_labels.size();
  const std::vector<std::size_t> rows = shown_rows(grid);
  return std::any_of(rows.begin(), rows.end(), [&](std::size_t row) {
    const auto* first = grid.marks.data() + row * cols;
    return std::find(first, first + cols, verdict) != first + cols;
  });
}

}  // namespace

const VerdictMark& mark_of(CellVerdict verdict) {
  return kMarks[static_cast<std::size_t>(verdict)];
}

std::vector<std::size_t> shown_rows(const Grid& grid) {
  if (!grid.rows.empty()) return grid.rows;
  std::vector<std::size_t> all(grid.row_labels.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

std::vector<std::pair<std::string, std::string>> mark_legend(const std::vector<const Grid*>& grids,
                                                             bool ascii) {
  std::vector<std::pair<std::string, std::string>> legend;
  for (std::size_t i = 0; i < kMarks.size(); ++i) {
    const auto verdict = static_cast<CellVerdict>(i);
    if (std::any_of(grids.begin(), grids.end(), [&](auto* grid) { return shows(*grid, verdict); }))
      legend.emplace_back(kMarks[i].text(ascii), translated(kMarks[i].meaning));
  }
  return legend;
}

}  // namespace attn
