// From a draft to a Problem: the order in which its parts are made.
#include "attn/problem.hpp"

#include <utility>

#include "core/problem/build.hpp"
#include "core/problem/build_model.hpp"
#include "core/problem/model_checks.hpp"
#include "core/problem/own_terms.hpp"

namespace attn {

namespace {

/// Makes it; errors about `allowed` are about `hidden`, which it was made from.
Problem make_renamed(const ProblemDraft& draft, bool hidden) {
  try {
    return make_problem(draft);
  } catch (const Error& error) {
    std::vector<Diagnostic> all = error.diagnostics();
    for (Diagnostic& each : all) {
      for (Place& place : each.places) {
        if (hidden && place.pointer.starts_with("/allowed")) place.pointer.replace(0, 8, "/hidden");
      }
    }
    throw Error(error.kind(), std::move(all));
  }
}

}  // namespace

Problem make_problem(const ProblemDraft& draft) {
  Complaints arrays;
  check_arrays(draft, arrays);
  if (const auto own = in_own_terms(draft)) return make_renamed(*own, draft.hidden.has_value());
  if (draft.model && draft.model->start_id && draft.ids.empty()) {
    ProblemDraft started = draft;
    start_decoder(started);
    return Problem(build_model(started));
  }
  if (draft.model) return Problem(build_model(draft));
  ProblemFacts problem;
  problem.title = draft.title;
  problem.description = draft.description;
  problem.notes = draft.notes;
  problem.max_memory = draft.max_memory;
  Build build{draft, problem};
  check_no_model(draft, build.complaints);
  build_inputs(build);
  build_tokens(build);
  check_settings(build);
  build_projections(build);
  build.complaints.throw_all();
  default_settings(build);
  build_keys(build);
  build_offsets(build);
  build_positions(build);
  build_qk_norm(build);
  build_sinks(build);
  build_gate(build, problem.x);
  build_score_kind(build);
  count_given(build);
  build_scores(build, problem.x ? &*problem.x : &*problem.q,
               problem.memory ? &*problem.memory
               : problem.x    ? &*problem.x
                              : &*problem.k);
  build_material(build);
  build_prediction(build);
  if (problem.prediction) {
    check_vocabulary(
        problem.to_output ? problem.to_output->w.cols() : problem.heads.value_or(1) * problem.d_v,
        *problem.prediction, build.complaints);
    build.complaints.throw_all();
  }
  return Problem(std::move(problem));
}

}  // namespace attn
