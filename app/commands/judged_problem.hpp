// A question of one's own: the numbers that it asks for, and what counts as right.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "attn/check.hpp"
#include "options/shared_options.hpp"

namespace attn::app {

struct JudgedProblem {
  ProblemOptions problem;
  std::vector<std::string> steps;  ///< as written; none: the last step
  std::optional<Tolerance> tolerance;

  /// What a grader usually accepts, as numpy.allclose does.
  Tolerance accepted() const { return tolerance.value_or(Tolerance{.relative = 1e-5}); }
};

/// --steps and --tolerance.
void add_question_options(Command& command, JudgedProblem& question);

/// The ids of the steps that it asks for.
std::vector<std::string> asked_steps(const JudgedProblem& question, const Trace& truth);

/// attn exercise verify PROBLEM: says which mistakes the question cannot see. Returns whether it
/// sees all. A sheet is asked about its blanks.
[[nodiscard]] bool verify_question(const JudgedProblem& question, const Streams& streams);

}  // namespace attn::app
