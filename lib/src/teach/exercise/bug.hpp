// "Find the bug": a worked sheet with one mistake built in.
#pragma once

#include <optional>
#include <string>

#include "teach/exercise/sheet_model.hpp"

namespace attn {

/// The share of the points for an answer: half for the step, half for the mistake.
double bug_score(const BugAnswer& answer, const BugAnswer& right);

/// The first wrong step of a worked sheet, and the mistake, if the printed numbers show exactly
/// one.
std::optional<BugAnswer> find_bug(const SheetModel& paper, const Sheet& sheet,
                                  const Suspects& suspects);

/// A sheet worked out with a mistake, and the step in which that shows first.
struct BuggySheet {
  Sheet sheet;
  std::string first_wrong;
};

/// Nothing if its numbers do not show which mistake it is.
std::optional<BuggySheet> with_bug(Sheet sheet, const SheetModel& paper, const Candidate& mistake,
                                   const Suspects& suspects);

}  // namespace attn
