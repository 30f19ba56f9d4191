// Compares two computations step by step: what differs, by how much, and where first.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "attn/check.hpp"
#include "attn/teach/answers.hpp"
#include "attn/trace.hpp"

namespace attn {

enum class Presence { Both, Left, Right };

/// One step of either side. Steps of different shapes differ as a whole, without numbers.
struct StepDifference {
  std::string id;
  Presence in = Presence::Both;
  std::vector<Index> left_shape = {}, right_shape = {};  ///< empty where the step is absent
  /// Over all cells. Equal infinities differ by 0, and so do two NaNs; a single NaN gives NaN.
  std::optional<double> largest = {}, mean = {};
  std::optional<Cell> first = {};       ///< the first cell that differs, in row-major order
  std::vector<Cell> rows = {};          ///< each row's first cell that differs, in any head
  std::vector<std::size_t> cells = {};  ///< offsets of the cells that differ

  bool other_shape() const { return in == Presence::Both && !largest; }
  bool differs() const { return other_shape() || first; }
};

/// The steps of both sides, in the order of the computation.
struct Comparison {
  Tolerance tolerance;
  std::vector<StepDifference> steps;

  const StepDifference* first_different() const;  ///< among steps of both sides; nullptr: none
};

/// Compares steps of the same id. Numbers differ if they are further apart than the tolerance
/// allows; a relative one refers to the largest finite entry on either side that no mask hides.
Comparison compare(const Trace& left, const Trace& right, const Tolerance& tolerance);

/// The tolerance for numbers that a program wrote: relative, by number type.
Tolerance usual_tolerance(Dtype dtype);

/// The matrices of a dump as a trace, with the axes and tokens that `like` has for their steps;
/// matrices of other shapes get labels of their own. Where `like` is a dump, too, or absent,
/// matrices may have any names, and then they keep their order. Throws Error (input, "no-answers")
/// if no matrix is named after a step.
Trace trace_of(const Answers& answers, const Trace* like);

}  // namespace attn
