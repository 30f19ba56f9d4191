// What no mistake of a whole step explains: slips of cells, pairs of mistakes, wrong axes.
#pragma once

#include "teach/check/search.hpp"

namespace attn {

/// Recognises what no rewiring makes: a transposed shape, averaged heads, dropout.
bool recognise(const Case& known, GradedAnswer& judged);

/// Names the base of RoPE that explains a matrix, whatever number it is, and says it.
bool name_fitted_base(const Case& known, GradedAnswer& judged);

/// Names the narrow number type of a matrix whose numbers are off by no more than its rounding,
/// although they are stored in a wider one.
bool name_narrow_type(const Case& known, GradedAnswer& judged);

/// Names slips that explain every wrong cell of a step; some slips count only where few cells are
/// wrong. Returns whether there are any.
bool name_slips(const Case& known, GradedAnswer& judged);

/// Names two mistakes that explain a step together. Returns whether there are any.
bool name_pair(const Case& known, const std::vector<Candidate>& all, std::size_t at);

}  // namespace attn
