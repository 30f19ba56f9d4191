// Traces of samples and of small problems.
#pragma once

#include <string>
#include <vector>

#include "attn/problem.hpp"
#include "attn/trace.hpp"

namespace attn::testing {

/// The trace of a problem file, softmax opened up or not.
Trace trace_of(const std::string& problem, bool open_softmax = false);

/// The trace of a problem, one of its steps, and its notes as lines.
Trace trace_of(const ProblemDraft& draft);
Tensor step_of(const ProblemDraft& draft, const char* id);
std::string notes_of(const ProblemDraft& draft);

/// The trace of a built-in sample by the number in its name: 6 for 06-translation.
Trace sample_trace(int number, bool open_softmax = false);

/// The steps q, k, v … of two tokens, where q is replaced by these four numbers.
Trace with_queries(const std::vector<double>& q);

}  // namespace attn::testing
