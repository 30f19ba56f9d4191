// Prepares matrices for documents that are read elsewhere.
#include "render/writers/markup_grid.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "attn/language.hpp"
#include "render/terminal/grid_layout.hpp"
#include "render/terminal/short_labels.hpp"
#include "render/terminal/verdict_marks.hpp"

namespace attn {
namespace {

struct SignRow {
  GridSign sign;
  const char* meaning;
  bool (*marks)(const MarkupGrid& grid, std::size_t at);
};
constexpr std::array kSigns{
    SignRow{GridSign::Hidden, kExactlyZero,
            [](const MarkupGrid& g, std::size_t at) { return g.is(CellKind::HiddenWeight, at); }},
    SignRow{GridSign::Filled, in_catalogue("hidden by a mask"),
            [](const MarkupGrid& g, std::size_t at) { return g.is_filled(at); }},
    SignRow{GridSign::Differs, in_catalogue("differs"),
            [](const MarkupGrid& g, std::size_t at) { return g.differs(at); }},
};

}  // namespace

bool MarkupGrid::is_filled(std::size_t at) const {
  return is(CellKind::HiddenScore, at) && std::isfinite(grid.numbers[at]);
}

std::string MarkupGrid::number(std::size_t at) const {
  const double x = grid.numbers[at];
  return is_filled(at) ? fill_text(x, format) : format_number(x, format);
}

std::vector<MarkupGrid> markup_grids(const std::vector<const Grid*>& grids, const TextStyle& style,
                                     int precision) {
  std::vector<MarkupGrid> all;
  for (const Grid* grid : grids) {
    std::vector<const Grid*> of_step;
    std::copy_if(grids.begin(), grids.end(), std::back_inserter(of_step),
                 [&](const Grid* other) { return other->step == grid->step; });
    all.push_back({*grid,
                   numbers_of(of_step, style, precision).format,
                   shown_rows(*grid),
                   {},
                   axis_labels(grid->col_labels, grid->col_tokens, kUncut, style)});
    const auto rows = axis_labels(grid->row_labels, grid->row_tokens, kUncut, style);
    for (const std::size_t row : all.back().shown) all.back().rows.push_back(rows[row]);
  }
  return all;
}

std::vector<std::pair<GridSign, std::string>> signs_of(const std::vector<MarkupGrid>& grids) {
  std::vector<std::pair<GridSign, std::string>> signs;
  const auto explains = [](const MarkupGrid& g) { return g.grid.legend || !g.grid.gaps.empty(); };
  if (std::none_of(grids.begin(), grids.end(), explains)) return signs;
  for (const SignRow& row : kSigns) {
    const bool has = std::any_of(grids.begin(), grids.end(), [&](const MarkupGrid& g) {
      for (std::size_t at = 0; at < g.grid.numbers.size(); ++at) {
        if (row.marks(g, at)) return true;
      }
      return false;
    });
    if (has) signs.emplace_back(row.sign, translated(row.meaning));
  }
  return signs;
}

}  // namespace attn
