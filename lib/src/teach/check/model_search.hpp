// The search for a mistake in the parts of a whole model.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "teach/check/search.hpp"

namespace attn {

/// The steps that can have made answer `at` wrong: those after the given ones that are used.
std::set<std::string> stretch_before(const Case& known, std::size_t at);

/// Tries what may explain answer `at` in a whole model: other routes, then the mistakes in its
/// parts, each everywhere, then in the same place of all layers, then alone; first the usual way of
/// making each, and what a few rows can rule out. It ends when the search has done all that it may,
/// and remembers what is left out. `attempt` returns whether it keeps the candidate.
void try_parts(const Case& known, std::size_t at,
               const std::function<bool(const Candidate& candidate)>& attempt);

/// The mistakes that two may be made of in a whole model: at most `most` ways of each code, in that
/// spread, which can have made answer `at` wrong.
std::vector<Candidate> candidates_in_parts(const Case& known, std::size_t at, Spread spread,
                                           Index most);

}  // namespace attn
