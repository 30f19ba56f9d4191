// A graded sheet as its student went on with it.
#pragma once

#include <string>
#include <vector>

#include "attn/teach/grading.hpp"

namespace attn {

/// The computation from what is printed and what the student wrote; cells that were left empty, or
/// are too large to go on from, are NaN. Only the step `asked` is as it follows from those before
/// it. With `mended`, right numbers take the place of those that are too large.
Trace own_work(const Grade& grade, const std::string& asked, bool mended = false);

/// A step with blanks that another one uses, and how many of them earn points.
struct EarlierStep {
  std::string id;
  Index earning = 0, blanks = 0;
  Index too_large = 0;      ///< numbers from which nothing follows
  bool lets_follow = true;  ///< enough earn points, or the teacher decided about it
};
/// None where numbers that follow earn nothing.
std::vector<EarlierStep> earlier_steps(const Grade& grade, const Sheet& sheet,
                                       const std::string& asked);

/// A printed number of an inverse sheet, and what comes out there with what was written: NaN if it
/// uses a blank without a number.
struct PrintedUse {
  std::string id;
  Cell cell;
  double printed, made;
  bool fits;
};
/// The printed numbers that use a blank, in the order of the sheet.
std::vector<PrintedUse> printed_uses(const Grade& grade, const Sheet& sheet,
                                     const std::string& asked, std::size_t cell);

}  // namespace attn
