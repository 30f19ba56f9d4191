// A question from a course's forum, with numbers of our own: Q·K in place of Q·Kᵀ.
// The sizes allow it because there are as many keys as columns.
#include <doctest/doctest.h>

#include <cmath>

#include "attn/attend.hpp"
#include "attn/check.hpp"
#include "support/block.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

const Array kQ{{3, 4}, {1, 1, 0, 1, 0, 1, 1, 1, 1, 0, 1, 1}};
const Array kK{{4, 4}, {1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 0, 0, 0, 2}};
const Array kV{{4, 2}, {0, 0, 1, 0, 1, 0, 1, 1}};

/// softmax(Q·K / 2), in plain loops.
Block wrong_weights() {
  const Block q = block_of(kQ, true), k = block_of(kK, true);
  const Block e = filled(1, 1, 3, 4, [&](Index, Index, Index i, Index j) {
    double sum = 0;
    for (Index c = 0; c < 4; ++c) sum += q.at(0, 0, i, c) * k.at(0, 0, c, j);
    return std::exp(sum / 2);
  });
  const Block sums = row_sum(e);
  return like(
      e, [&](Index, Index, Index i, Index j) { return e.at(0, 0, i, j) / sums.at(0, 0, i, 0); });
}

Block product(const Block& a, const Block& b) {
  return filled(1, 1, a.rows, b.cols, [&](Index, Index, Index i, Index j) {
    double sum = 0;
    for (Index c = 0; c < a.cols; ++c) sum += a.at(0, 0, i, c) * b.at(0, 0, c, j);
    return sum;
  });
}

Finding first_finding(bool by_program) {
  ProblemDraft draft;
  draft.q = kQ;
  draft.k = kK;
  draft.v = kV;
  const Block weights = wrong_weights(), output = product(weights, block_of(kV, true));
  Answers answers;
  answers.by_program = by_program;
  answers.matrices = {{"weights", {3, 4}, weights.data, {}, {}},
                      {"output", {3, 2}, output.data, {}, {}}};
  const CheckReport report = check_answers(attend(make_problem(draft)), answers);
  REQUIRE(report.first_wrong == "weights");
  REQUIRE(!report.steps.at(0).findings.empty());
  return report.steps[0].findings[0];
}

}  // namespace

TEST_CASE("keys that were not transposed are named from the weights and the output alone") {
  for (const bool by_program : {false, true}) {
    const Finding finding = first_finding(by_program);
    CHECK(finding.code == "keys.not_transposed");
    CHECK(finding.confidence == Confidence::Certain);
    CHECK(finding.same_as.empty());
  }
}
