// Worked cells as text.
#pragma once

#include <string>
#include <vector>

#include "attn/document.hpp"
#include "attn/writers.hpp"

namespace attn {

/// "e.g. A[cat, the] = e^1 / (e^1 + e^2.5) ≈ 2.718 / 14.901 ≈ 0.182 (remark)", without its depth.
std::string worked_text(const Worked& worked, int precision, const TextStyle& style);

/// The same, indented and broken into lines. With Fit::Whole, a stage or a remark that is too wide
/// by itself is not broken; anything else that is too wide continues below, the = signs aligned:
///
///     A[cat, the] = e^1 / (e^1 + e^2.5 + e^0.5)
///                 ≈ 2.718 / 16.549 ≈ 0.164
std::vector<std::string> worked_lines(const Worked& worked, int precision, const TextStyle& style);

/// Whether a tree of arithmetic goes back by more than one level, which an empty line shows.
inline bool goes_back(const Worked& above, const Worked& below) {
  return below.lead.empty() && above.depth > below.depth + 1;
}

}  // namespace attn
