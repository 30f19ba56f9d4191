// Inverse sheets: blanks in what is given, judged by the printed numbers that they make.
#pragma once

#include "attn/check.hpp"
#include "attn/teach/sheet.hpp"
#include "attn/trace.hpp"
#include "teach/check/search.hpp"

namespace attn {

/// How many blanks an inverse sheet may have: each is changed alone to see which numbers use it.
inline constexpr Index kMostInverseBlanks = 1000;

/// Judges answers by the printed numbers that they make. Each printed matrix is computed from what
/// was written and from the other printed ones. A number in a blank is right if every printed
/// number that uses it comes out; one that does not is blamed on the blanks that miss the largest
/// share of theirs, and on no others. What uses an empty cell, or NaN, is not judged, and counts as
/// empty; NaN itself is wrong.
/// `truth` is the computation of the sheet; with Search::None no mistake is named. Throws Error
/// (input): "too-large" for too many blanks; "no-such-step" if a step with blanks is not given.
CheckReport judge_inverse(const Trace& truth, const Sheet& sheet, Answers answers,
                          const CheckOptions& options, Search search = Search::All);

/// Whether a change of 1 in any blank of a solution, alone, makes a printed number miss.
bool each_blank_matters(const Trace& truth, const Sheet& key, const CheckOptions& options);

}  // namespace attn
