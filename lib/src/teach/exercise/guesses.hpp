// What can be filled in without working anything out.
#pragma once

#include <string>
#include <vector>

#include "teach/exercise/sheet_model.hpp"

namespace attn {

/// For each cell, all cells that give each other away, itself included: each is made from one
/// number, which is among them or is what another one is made from, such as a score and its scaled
/// score; or is made like another one of its step from the same numbers in the same order, as in
/// two rows whose queries are equal.
std::vector<std::vector<std::size_t>> tied_cells(const SheetModel& paper);

/// Marks as trivial whatever is 0 or 1, has the number that a given matrix or an input has at the
/// same place, or is made from one given number.
void add_guessable(SheetModel& paper);

/// Whether the numbers of each row of a step add up to 1.
bool has_sums(const Step& step);

/// Somebody who does no work.
struct Guess {
  std::string words;  ///< "a sheet of zeros"
  Cells cells;        ///< what they write; NaN where they write nothing
  double luck = 1.0;  ///< how many times the usual limit it may score
};

/// Zeros, ones, copies of each matrix, and what printed numbers give away: those that are tied to
/// it, and the rest of a row that adds up to 1. Then what takes luck, and may score three times as
/// much: other small numbers, copies of the next row, and equal shares of the rest of a row.
std::vector<Guess> guesses(const SheetModel& paper);

}  // namespace attn
