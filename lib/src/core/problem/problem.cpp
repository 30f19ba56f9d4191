// From a draft to a Problem: the order in which its parts are made.
#include "attn/problem.hpp"

#include <utility>

#include "core/problem/build.hpp"

namespace attn {

Problem make_problem(const ProblemDraft& draft) {
  ProblemFacts problem;
  problem.title = draft.title;
  problem.description = draft.description;
  Build build{draft, problem};
  build_inputs(build);
  build_tokens(build);
  check_settings(build);
  build_projections(build);
  build.complaints.throw_all();
  build_keys(build);
  build_positions(build);
  check_memory(build);
  build_scores(build);
  return Problem(std::move(problem));
}

}  // namespace attn
