// A sheet on the desk: its cells in one row, the right numbers, and how somebody fills it in.
#pragma once

#include <optional>
#include <vector>

#include "attn/teach/sheet.hpp"
#include "teach/check/search.hpp"

namespace attn {

/// One number for each cell of a sheet, one step after another.
using Cells = std::vector<double>;

struct SheetModel {
  /// Throws Error for a problem that is wrong, or a step that it does not have.
  explicit SheetModel(const Sheet& sheet);
  SheetModel(const SheetModel&) = delete;  // points into itself

  Trace truth;
  Evaluation right;
  int decimals;
  double tolerance;
  std::vector<const Step*> steps;
  std::vector<std::size_t> begin;  ///< of each step, and the end of the last one
  std::vector<char> asked;         ///< one per step: 0 = printed in full
  Cells numbers;                   ///< the right ones, rounded
  std::vector<char> blank;         ///< one per cell
  std::vector<char> trivial;  ///< one per cell: needs no work (hidden by a mask, the only visible
                              ///< key, or what `add_guessable` finds)

  /// Whether nobody would take one number for the other, whatever was rounded on the way.
  bool clearly_differ(double a, double b) const;
  /// How many products the asked steps take, without those that have a factor of 0.
  double work() const;
};

/// What `check_answers` tries on answers to a problem; and the mistakes among all that, each in its
/// usual variant.
struct Suspects {
  explicit Suspects(const Trace& truth);
  Suspects(const Suspects&) = delete;  // points into itself

  /// The mistake of that code, or nullptr.
  const Candidate* find(const std::string& code) const;

  std::vector<Candidate> all;
  std::vector<const Candidate*> mistakes;
};

/// What somebody who rounds everything writes into the blanks, and would write into the other
/// cells. Printed numbers are used as they are. Nothing if the results have no place on the sheet:
/// another shape, or no number.
std::optional<Cells> worked(const SheetModel& paper, const Variation& change);

/// The work of somebody who makes no mistake, and rounds inside softmax and √d_k as well.
Variation honest_work(const Trace& truth);

/// The sheet with these numbers in its blanks.
Sheet filled_in(Sheet sheet, const Cells& cells);

}  // namespace attn
