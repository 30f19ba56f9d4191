// A mistake of the table as a finding in a matrix.
#pragma once

#include "attn/check.hpp"
#include "attn/teach/mistakes.hpp"

namespace attn {

/// The words of a mistake, found in `matched` cells of `of`.
Finding finding_of(const Mistake& words, Index matched, Index of,
                   Confidence confidence = Confidence::Certain, Basis basis = Basis::Own);

}  // namespace attn
