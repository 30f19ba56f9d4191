// How a query and a key make a score, and how scores become weights: what fits together.
#include "attn/phrases.hpp"
#include "attn/setting_names.hpp"
#include "core/problem/build.hpp"

namespace attn {
namespace {

/// One number for each column of a head: the same for all heads, or each its own.
void take_score_weights(Build& build, const Array& given) {
  ProblemFacts& p = build.problem;
  const auto count = std::ssize(given.data);
  const Index heads = p.heads.value_or(1);
  const bool own = heads > 1 && count == heads * p.d_k;
  if (own || count == p.d_k) {
    p.v_score = Tensor(Shape{{}, own ? p.heads : std::nullopt, 1, p.d_k}, given.data);
    return;
  }
  build.complaints.add("shape-mismatch", weight_pointer(build, "v_score"),
                       filled("v_score has {}, but d_k is {}", counted(count, "number"), p.d_k),
                       heads > 1
                           ? filled("Give {} numbers for all heads, or {} for each.", p.d_k, p.d_k)
                           : filled("Give {} numbers.", p.d_k),
                       "In v·tanh(q + k), all three have the same length.");
}

}  // namespace

void check_normalizing(Build& build) {
  const ProblemDraft& d = build.draft;
  const auto refuse = [&](bool wrong, const char* pointer, std::string what, std::string fix,
                          Change change) {
    if (!wrong) return;
    build.complaints.add_independent({.id = "not-together",
                                      .what = std::move(what),
                                      .places = {{.pointer = pointer}},
                                      .fix = std::move(fix),
                                      .changes = {std::move(change)}});
  };
  const bool fills = acts_before_softmax(d.masking) && d.fill_is_finite();
  refuse(d.normalize == NormalizeKind::Sum && fills, "/masking/fill",
         "with normalize \"sum\" a hidden score has no share, but the fill would have one",
         "Leave out the fill, so that hidden keys do not count.", {"fill", "-inf"});
  const bool fills_rows = d.empty_row == EmptyRow::Uniform || d.empty_row == EmptyRow::Nan;
  refuse(d.normalize == NormalizeKind::Sigmoid && fills_rows, "/empty_row",
         filled("with normalize \"sigmoid\" every hidden weight is 0, so no row is left for "
                "empty_row \"{}\"",
                word_of(d.empty_row)),
         "Leave out empty_row, or choose softmax.", {"empty-row", "zero"});
}

void build_score_kind(Build& build) {
  const Array* given = weight(build, "v_score");
  const bool additive = build.draft.score == ScoreKind::Additive;
  if (additive && given == nullptr)
    build.complaints.add("missing-key", "/score",
                         "the additive score v·tanh(q + k) needs v, but weights has no v_score",
                         "Add \"v_score\" to weights: one number for each column of a head.");
  if (!additive && given != nullptr)
    build.complaints.add({.id = "not-together",
                          .what = filled("v_score belongs to the additive score, but score is "
                                         "\"{}\"",
                                         word_of(build.draft.score)),
                          .places = {{.pointer = weight_pointer(build, "v_score")}},
                          .fix = "Leave out v_score, or choose the additive score.",
                          .changes = {{"score", "additive"}}});
  if (additive && given != nullptr) take_score_weights(build, *given);
  build.complaints.throw_if_any();
}

}  // namespace attn
