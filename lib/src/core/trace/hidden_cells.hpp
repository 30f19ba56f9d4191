// Which cells of a step are hidden, by which mask, and which steps show it: read off the graph.
#pragma once

#include <cmath>
#include <optional>
#include <span>

#include "attn/trace.hpp"

namespace attn {

/// The mask of a scope that some step is made from; nullptr if there is none.
const Step* acting_mask(const Trace& trace, const Scope& scope);

/// Which cells of query × key are hidden in a scope, by a mask or by a bias of −∞. Asking is quick;
/// the trace must outlive it. Steps without numbers hide nothing, and neither do steps that a
/// mistake has made too small to have the cell.
class HiddenCells {
 public:
  /// The same for the columns of one row.
  struct Row {
    std::span<const double> mask, masked_scores;  // none: hide nothing
    bool operator[](std::size_t col) const {
      return (col < mask.size() && mask[col] == 0.0) ||
             (col < masked_scores.size() && masked_scores[col] == -HUGE_VAL);
    }
  };

  HiddenCells(const Trace& trace, const Scope& scope);
  bool operator()(const Cell& cell) const { return row(cell)[static_cast<std::size_t>(cell.col)]; }
  /// The row of `cell`.
  Row row(const Cell& cell) const;

 private:
  const Step* mask_;
  const Step* masked_scores_;
};

/// The same for a single cell of a step.
bool is_hidden(const Trace& trace, const Step& step, const Cell& cell);

/// Which mask hides a cell, as an index of Visibility::names; nothing if none does.
std::optional<std::size_t> hider_of(const Scope& scope, const Cell& cell);

/// Whether a step empties the row of a cell because its query is padding.
bool is_padded_row(const Trace& trace, const Step& step, const Cell& cell);

/// Whether a step shows what is hidden: removed scores, weights or gradients that are 0 because of
/// them. A step before a mask that acts only on the weights does not: softmax has seen every score.
bool shows_hidden(const Trace& trace, const Step& step);

/// Whether a mask, of keys or of queries, acts in this step itself.
bool hides_here(const Trace& trace, const Step& step);

/// Whether the arithmetic of a step runs over only the visible keys of a query.
bool leaves_keys_out(const Trace& trace, const Step& step);

/// The weights as softmax makes them, before masks act on them, or nullptr.
const Step* first_weights(const Trace& trace, const Scope& scope);

}  // namespace attn
