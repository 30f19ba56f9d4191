// What a report says about a finding and a place, in words.
#pragma once

#include <string>
#include <vector>

#include "attn/check.hpp"

namespace attn {

/// "±0.01", "±1e-05 times the largest number".
std::string tolerance_text(const Tolerance& t);

/// "0.5 of 1 point by hand", or "excused": what was decided about a step.
std::string by_hand_text(const StepReport& step);

/// Whether the first findings of both have the same cause.
bool same_cause(const StepReport& a, const StepReport& b);

/// "answers.json:3:14: expected a number, found the string "half""
std::string placed(const Diagnostic& d);

/// "2 heads, 5 rows (query), 5 columns (key)": what the sizes of a step are.
std::string axes_text(const Step& step);

/// `row` with its head and batch entry, if the step has several: "\"cat\" in head 1".
std::string place_of(std::string row, const Step& step, const Cell& cell);

/// " Here: base 10000." or nothing.
std::string facts_text(const std::vector<Fact>& facts);

/// Where a mistake is in a whole model, in words; empty where there is none.
std::string place_text(const std::string& where);

}  // namespace attn
