// A person who fills in a sheet at a terminal, row by row.
#pragma once

#include <string>

#include "attn/core/format.hpp"
#include "attn/teach/sheet.hpp"
#include "attn/writers.hpp"
#include "command.hpp"

namespace attn::app {

/// How to come back: commands, as typed in a shell.
struct PracticeAgain {
  std::string same;   ///< this sheet, without --blank
  std::string other;  ///< the same steps with other numbers
};

/// Shows each step that has blanks, asks for its rows, and judges each at once, by the right
/// matrices of all other steps: a wrong one gets a reason and one more try, then the solution.
void fill_in(const Sheet& sheet, const Format& format, const TextStyle& style,
             const PracticeAgain& again, const Streams& streams);

}  // namespace attn::app
