// Numbers that people take for the right ones in positions: other starts, other exponents.
#pragma once

#include <vector>

#include "attn/operation.hpp"
#include "teach/mistakes/wiring.hpp"

namespace attn {

using Offsets = std::vector<Index>;

/// All of them, `by` places later.
Offsets moved(Offsets offsets, Index by);

/// By how many places positions are shifted by mistake: a few, or a size of the problem.
std::vector<Index> usual_shifts(std::vector<Index> sizes);

/// Positions 0, 1, 2 … in place of those that are given: rows and batch entries of the step `id`.
Parameters counted_up(const Wiring& w, const char* id);

/// An exponent: `factor`·(2i + `shift`)/d instead of 2i/d.
struct Exponent {
  double factor, shift;

  Parameters parameters() const { return {{"exponent_factor", factor}, {"exponent_shift", shift}}; }
};

/// Halved (i/d), doubled, i from 1 or −1, 2i ± 1, from 0 to 1 (d − 2 for d), and negative.
std::vector<Exponent> other_exponents(Index columns);

}  // namespace attn
