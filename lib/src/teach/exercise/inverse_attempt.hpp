// What somebody wrote into an inverse sheet, and what its printed numbers become.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "teach/check/evaluation.hpp"
#include "teach/check/graded_answer.hpp"
#include "teach/exercise/sheet_model.hpp"

namespace attn {

/// A number on the sheet that says whether what was written fits.
struct PrintedNumber {
  std::size_t step, cell;  ///< which of the sheet, and where in it
  double printed, made;
  bool open = false;       ///< it uses an empty blank, or a cell that was erased
  bool met = false;        ///< it comes out
  bool explained = false;  ///< it uses a blank that is blamed, so it says nothing about others
};

/// A cell of the student's, and the printed numbers that use it.
struct InverseBlank {
  std::size_t step, cell;
  bool filled;       ///< with a number
  bool nan = false;  ///< NaN was written, which fits nothing
  std::vector<std::size_t> uses = {};
  bool blamed = false;
};

/// A sheet that was handed in, and what its printed numbers become.
class InverseAttempt {
 public:
  /// Throws Error (input, "too-large") for more than kMostInverseBlanks blanks.
  InverseAttempt(const Trace& truth, const Sheet& sheet, const std::vector<GradedAnswer>& answers,
                 const CheckReport& report);

  CellVerdict verdict(const InverseBlank& blank) const;
  bool misses_several() const;
  std::vector<const MistakeRow*> mistakes_that_fit() const;
  void add_findings(std::size_t step, const std::vector<const MistakeRow*>& mistakes,
                    StepReport& report) const;
  bool each_blank_matters() const;
  /// Whether NaN was written in a blank of a step.
  bool has_nan(std::size_t step) const {
    return std::any_of(blanks_.begin(), blanks_.end(),
                       [&](const InverseBlank& blank) { return blank.nan && blank.step == step; });
  }
  const std::vector<InverseBlank>& blanks() const { return blanks_; }
  const PrintedNumber& number(std::size_t n) const { return numbers_[n]; }

 private:
  Cells made(const Cells& written, const Variation& change = {}) const;
  void find_printed(const Tolerance& tolerance);
  void find_uses();
  void compare();
  void blame();
  std::size_t place(const InverseBlank& blank) const { return begin_[blank.step] + blank.cell; }
  std::size_t place(const PrintedNumber& number) const { return begin_[number.step] + number.cell; }
  bool fits(const PrintedNumber& number, double made) const;
  std::string name_of(const PrintedNumber& number) const;

  const Trace& truth_;
  const Sheet& sheet_;
  Evaluation right_;
  std::vector<std::size_t> begin_;  ///< of each step, in cells of the sheet
  Cells written_;  ///< what is printed or written; 0 in empty blanks, NaN in erased cells
  std::vector<InverseBlank> blanks_;
  std::vector<PrintedNumber> numbers_;
  std::vector<double> tolerances_;  ///< one for each step
};

}  // namespace attn
