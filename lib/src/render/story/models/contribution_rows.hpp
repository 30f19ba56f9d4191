// Contributions to a logit as rows of numbers, for tables and pictures.
#pragma once

#include <string>
#include <vector>

#include "attn/trace.hpp"
#include "render/story/steps/step_grids.hpp"

namespace attn {

/// What each part adds in one batch entry: to each word, and for two words the difference.
struct ContributionRows {
  std::vector<std::string> parts;            ///< "h.0.attn.head3"
  std::vector<std::string> words;            ///< "e", "s", "e − s"
  std::vector<std::vector<double>> numbers;  ///< parts × words
  std::size_t leading = 0;                   ///< the column to look at: the difference, or 0

  ContributionRows(const Step& step, const GridChoice& grid);
};

/// The last step of contributions of a trace that has some.
const Step& last_contributions(const Trace& trace);

/// Where the logit is: "row 11 (cup)".
std::string contribution_row_text(const Trace& trace, const Step& contributions);

}  // namespace attn
