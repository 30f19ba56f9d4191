// Which matrices of a step are shown, and each as a grid.
#pragma once

#include <optional>
#include <vector>

#include "attn/render/explain.hpp"

namespace attn {

/// Which matrix of a step becomes a grid, and which row of it (all without `row`).
struct GridChoice {
  Index batch = 0, head = 0;
  std::optional<Index> row;
  std::string caption;
  bool alike = false;  ///< represents all matrices of the step
};

/// Throws Error (usage) if the view's batch entry, head, layer or query is not in the trace.
void check_choice(const Trace& trace, const View& view);

/// How many layers the largest stack of a model has.
Index layers_of(const Trace& trace);

/// The matrices of a step that a view shows, in order; if all are alike and `once`, one for all.
std::vector<GridChoice> chosen_grids(const Step& step, const View& view, bool once = true);

/// The row of `query` in one batch entry; nothing if it has no such token, or several.
std::optional<Index> query_row(const Scope& scope, const std::string& query, Index batch);

Grid make_grid(const Trace& trace, const Step& step, const GridChoice& choice);

}  // namespace attn
