// Routers that cannot tell two experts apart: rounding decides which of them a run chose.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "teach/check/search.hpp"

namespace attn {

/// How many times as far as a run of our own a right run in a narrow number type may be off.
inline constexpr double kRuns = 4.0;

/// A recipe with which every router chooses the experts that it chooses in the truth, whatever its
/// scores.
Recipe choices_as_in(const Trace& truth);

/// How far the scores of a router may be from those of the truth, by the step that chooses.
using RouterTolerances = std::map<std::string, double>;

/// The choices of the answers that rounding explains.
struct NearTies {
  std::string answer = {};  ///< the first of which a choice makes a wrong row right
  Recipe recipe = {};       ///< the truth with these choices
  Index rows = 0;           ///< how many rows of routers choose otherwise
  std::string first = {};   ///< "Row 0 of layers.1.router_weights takes 3 instead of 0"
};

/// Looks for them up to the first answer that they do not explain: in each wrong row, another
/// choice that the scores allow is taken if the row agrees better with it, until it is right.
NearTies near_ties(const Case& known, const RouterTolerances& tolerances);

/// Adds the finding on the ties to the report of a run whose truth has these choices.
void name_near_ties(const NearTies& ties, CheckReport& report);

}  // namespace attn
