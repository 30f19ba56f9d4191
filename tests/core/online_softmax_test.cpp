// Attention over blocks of keys against attend, which keeps all scores.
#include "attn/core/online_softmax.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/random_problem.hpp"

namespace attn::testing {
namespace {

bool hides_after_softmax(const ProblemFacts& p) {
  return p.visibility &&
         (p.masking == MaskingMode::Multiply || p.masking == MaskingMode::Renormalize);
}

/// Random problems that make_problem takes.
template <typename Visit>
void for_each_problem(std::uint64_t seeds, Visit visit) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    CAPTURE(seed);
    const Diagnostic refusal = refusal_from([&] { visit(make_problem(random_problem(seed))); });
    CHECK((refusal.id.empty() || refusal.id == "empty-row"));
  }
}

}  // namespace

TEST_CASE("online softmax: the last block holds the row that attend computes") {
  int rows = 0;
  for_each_problem(300, [&](const Problem& problem) {
    if (hides_after_softmax(*problem) || problem->kept_queries || problem->sinks) return;
    if (problem->normalize != NormalizeKind::Softmax) {
      CHECK_THROWS_AS(online_softmax(attend(problem), {}, 1), std::invalid_argument);
      return;
    }
    const Trace trace = attend(problem);
    const Step* context = trace.find("context");
    const Tensor& z = context != nullptr ? context->value : trace.value("output");
    for (Index h = 0; h < z.heads(); ++h) {
      for (Index i = 0; i < z.rows(); ++i) {
        for (const Index block : {1, 2, 5}) {
          const std::vector<OnlineBlock> blocks = online_softmax(trace, {0, h, i, 0}, block);
          OnlineRow row = blocks.back().row;
          if (row.sum == 0.0) continue;
          for (double& x : row.output) x /= row.sum;
          CHECK(first_difference(z.row(0, h, i), row.output, 1e-14) == "");
          ++rows;
        }
      }
    }
  });
  CHECK(rows > 900);
}

TEST_CASE("online softmax: a larger maximum scales down what was collected before") {
  const std::vector<double> v0{1.0}, v1{3.0};
  const std::vector<std::span<const double>> values{v0, v1};
  OnlineRow row{.output = {0.0}};
  CHECK(row.add(std::vector{1.0, 1.0}, values) == 0.0);
  CHECK(row.sum == 2.0);
  CHECK(row.output[0] == 4.0);
  CHECK(close(std::exp(-2.0), row.add(std::vector{3.0}, values)));
  CHECK(row.maximum == 3.0);
  CHECK(close(1.0 + 2.0 * std::exp(-2.0), row.sum));
  CHECK(close(1.0 + 4.0 * std::exp(-2.0), row.output[0]));
}

TEST_CASE("online softmax: no overflow where scores are far apart, and hidden blocks add nothing") {
  const double hidden = -std::numeric_limits<double>::infinity();
  const std::vector<double> v0{1.0}, v1{3.0};
  const std::vector<std::span<const double>> values{v0, v1};
  OnlineRow row{.output = {0.0}};
  CHECK(row.add(std::vector{hidden, hidden}, values) == 0.0);
  CHECK(row.sum == 0.0);
  row.add(std::vector{-5000.0, hidden}, values);
  row.add(std::vector{5000.0, hidden}, values);
  row.add(std::vector{hidden, hidden}, values);
  CHECK(row.sum == 1.0);
  CHECK(row.output[0] == 1.0);
}

}  // namespace attn::testing
