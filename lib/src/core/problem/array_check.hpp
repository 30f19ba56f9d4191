// Whether arrays have as many numbers as their shapes say.
#pragma once

#include <string>

#include "attn/problem.hpp"
#include "core/text/complaints.hpp"

namespace attn {

/// Complains about an array that does not.
void check_array(const Array& array, const std::string& pointer, Complaints& complaints);

/// The same for all arrays of a draft.
void check_arrays(const ProblemDraft& draft, Complaints& complaints);

}  // namespace attn
