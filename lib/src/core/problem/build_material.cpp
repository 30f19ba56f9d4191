// What teaching material has beside attention itself: given weights, dropout, a target.
#include <algorithm>
#include <utility>

#include "attn/phrases.hpp"
#include "core/problem/attention_keys.hpp"
#include "core/problem/build.hpp"

namespace attn {
namespace {

/// Settings that make or change scores do nothing where the weights are given.
void refuse_scores(Build& build) {
  const ProblemDraft& d = build.draft;
  const auto refuse = [&](const char* key, const char* object = "/") {
    build.complaints.add(
        {.id = "two-inputs",
         .what = filled("{} acts on scores, but attention_weights are given", key),
         .places = {{.pointer = std::string(object) + key}, {.pointer = "/attention_weights"}},
         .fix = filled("Leave out {}, or attention_weights.", key)});
  };
  for (const AttentionKey& key : attention_keys()) {
    if (key.of_scores && key.is_given(d)) refuse(key.name);
  }
  if (d.positions.kind != PositionKind::None) refuse("positions");
  if (build.problem.n_extra > 0) refuse(d.add_zero_attn ? "add_zero_attn" : "bias_k", "/weights/");
}

void build_dropout(Build& build) {
  const DropoutDraft& dropout = *build.draft.dropout;
  ProblemFacts& p = build.problem;
  if (!(dropout.p >= 0.0 && dropout.p < 1.0)) {
    return build.complaints.add("out-of-range", "/dropout/p",
                                "dropout.p should be from 0 to below 1",
                                "Write the share that is dropped, such as 0.1.");
  }
  if (dropout.keep.data.empty()) {
    return build.complaints.add("missing-key", "/dropout", "dropout has no \"keep\"",
                                "Add \"keep\": 1 where a weight is kept, 0 where it is dropped.");
  }
  const auto is_flag = [](double x) { return x == 0.0 || x == 1.0; };
  if (!std::all_of(dropout.keep.data.begin(), dropout.keep.data.end(), is_flag)) {
    return build.complaints.add("out-of-range", "/dropout/keep",
                                "dropout.keep may hold only 0 and 1",
                                "Write 1 where a weight is kept, 0 where it is dropped.");
  }
  p.dropout_keep = broadcast(build, dropout.keep, "dropout/keep", 0.0);
  if (p.dropout_keep) p.dropout_keep = p.dropout_keep->spread(p.batch, p.heads);
  p.dropout_p = dropout.p;
}

void build_target(Build& build) {
  const Array& target = *build.draft.target;
  ProblemFacts& p = build.problem;
  check_finite(build, target, "/target");
  const Index columns = p.to_output ? p.to_output->w.cols() : p.heads.value_or(1) * p.d_v;
  const Shape shape{p.batch, {}, p.n_queries, columns};
  if (target.shape != shape.sizes()) {
    return build.complaints.add("shape-mismatch", "/target",
                                filled("target is {}, but the output is {}",
                                       shape_text(target.shape), shape_text(shape.sizes())),
                                "Give one number for each number of the output.");
  }
  if (build.draft.vocabulary || !build.draft.labels.empty()) {
    return build.complaints.add("two-inputs", "/target",
                                "a target and a vocabulary would be two losses",
                                "Leave out target, or vocabulary and labels.");
  }
  p.target = Tensor(shape, target.data);
}

}  // namespace

void build_material(Build& build) {
  const ProblemDraft& d = build.draft;
  ProblemFacts& p = build.problem;
  if (d.attention_weights) {
    refuse_scores(build);
    check_finite(build, *d.attention_weights, "/attention_weights");
    p.given_weights = broadcast(build, *d.attention_weights, "attention_weights", 0.0);
    if (p.given_weights) p.given_weights = p.given_weights->spread(p.batch, p.heads);
  }
  if (d.dropout) build_dropout(build);
  if (d.target) build_target(build);
  build.complaints.throw_if_any();
}

}  // namespace attn
