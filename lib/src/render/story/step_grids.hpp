#pragma once

#include <optional>
#include <vector>

#include "attn/explain.hpp"

namespace attn {

/// Which matrix of a step becomes a grid, and which row of it (all without `row`).
struct GridChoice {
  Index batch = 0, head = 0;
  std::optional<Index> row;
  std::string caption;
  bool alike = false;  ///< stands for all matrices of the step
};

/// Throws Error (usage) if the view's batch entry, head or query is not in the trace.
void check_choice(const Trace& trace, const View& view);

/// The matrices of a step that a view shows, in order; if all are alike and `once`, one for all.
std::vector<GridChoice> chosen_grids(const Trace& trace, const Step& step, const View& view,
                                     bool once = true);

/// Which cells of query × key are hidden, by a mask or by a bias of −∞. Asking is quick; the trace
/// must outlive it.
class HiddenCells {
 public:
  explicit HiddenCells(const Trace& trace);
  bool operator()(const Cell& cell) const;

 private:
  const Step* mask_;
  const Step* masked_scores_;
};

/// The same for a single cell.
bool is_hidden(const Trace& trace, const Cell& cell);

/// Whether a step empties the row of a cell because its query is padding.
bool is_padded_row(const Trace& trace, const Step& step, const Cell& cell);

/// Whether a step shows what is hidden: scores that were taken out, weights that are 0 for that.
bool has_hidden_cells(const Trace& trace, const Step& step);

/// Which mask hides a cell of query × key, as an index of Visibility::names; nothing if none does.
std::optional<std::size_t> hider_of(const Trace& trace, const Cell& cell);

Grid make_grid(const Trace& trace, const Step& step, const GridChoice& choice);

}  // namespace attn
