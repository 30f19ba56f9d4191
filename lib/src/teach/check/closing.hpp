// What a report says when the search is over: notes, scores, the first wrong step.
#pragma once

#include <string>
#include <vector>

#include "teach/check/search.hpp"

namespace attn {

/// Moves the reports of the graded answers into the report, and adds the notes on all of them.
/// `unsearched` are the steps whose mistakes were not looked for.
void close_report(const Case& known, const std::vector<std::string>& unsearched,
                  CheckReport& report);

}  // namespace attn
