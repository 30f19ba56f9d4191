// What is said about a cell or a question of a sheet: what was written, what is right, its points.
#pragma once

#include <cstddef>
#include <string>

#include "attn/document.hpp"
#include "attn/render/explain.hpp"
#include "attn/teach/gradebook.hpp"
#include "attn/teach/own_work.hpp"

namespace attn::app {

/// A cell of a sheet with all that its points depend on.
struct Asked {
  const StepReport& step;
  CellVerdict verdict;
  std::string text;                               ///< what is written, if that is no number
  double written, right, follows, share, points;  ///< share: of the points of the step
  double within;                                  ///< how far off a right number may be
  bool uses_too_large;                            ///< which alone is why nothing follows
};

/// What a step of the sheet, or a question about its bug, is worth, also to whoever is excused.
double points_for(const Sheet& key, const std::string& id);

/// What is written in the cell, what is right, what follows, and what it earns.
std::string verdict_text(const Asked& cell);

/// What the student earned for a step that the cell is computed from.
std::string earlier_text(const EarlierStep& step);

/// Adds what a blank of an inverse sheet earns: the printed numbers that use it say so.
void add_fit(Document& document, const ClassRow& row, const NumberTree& tree,
             const StepReport& step, std::size_t cell, const Answer& answer, double share);

/// Adds what a question of a find-the-bug sheet earns.
void add_part(Document& document, const StepReport& part, const BugReport& bug, double points);

}  // namespace attn::app
