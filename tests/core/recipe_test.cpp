// Recipes: every kind of rewiring, and a trace that says what was really computed.
#include <doctest/doctest.h>

#include <stdexcept>

#include "attn/attend.hpp"
#include "attn/eigen.hpp"
#include "attn/error.hpp"
#include "attn/render/explain.hpp"
#include "attn/writers.hpp"
#include "core/operations/operations.hpp"
#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"

namespace attn::testing {
namespace {

/// One head over two tokens, with a causal mask; Q, K and V given.
Problem masked_problem() {
  ProblemDraft draft;
  draft.q = Array{{2, 4}, {1, 0, 2, 1, 0, 1, -1, 2}};
  draft.k = Array{{2, 4}, {1, 1, 0, 0, 0, 2, 1, 1}};
  draft.v = Array{{2, 2}, {10, 1, 20, 3}};
  draft.masks = {parse_mask("causal")};
  return make_problem(draft);
}

std::string told(const Trace& trace) { return write_text(explain(trace, {})); }

}  // namespace

TEST_CASE("recipe: a step left out is absent, and so is what it would have shown") {
  const Trace right = attend(masked_problem());
  const Trace trace = attend(masked_problem(), {{.step = "scaled_scores", .left_out = true}});
  CHECK(trace.find("scaled_scores") == nullptr);
  CHECK(trace.at("masked_scores").inputs.front() == "scores");
  CHECK(right.settings().scale.number == 0.5);
  CHECK(trace.settings().scale.number == 1.0);
  CHECK(formula_text(trace, trace.at("masked_scores")) == std::string("M = S, −∞") + kWhereHidden);
  CHECK(!has(told(trace), "√"));
  CHECK(has(told(trace), "scale: none"));
}

TEST_CASE("recipe: a mask that nothing uses is no longer among the settings") {
  const Trace trace = attend(masked_problem(), {{.step = "masked_scores", .left_out = true}});
  CHECK(trace.settings().masks.empty());
  CHECK(trace.value("weights").at({0, 0, 0, 1}) > 0.0);
  CHECK(!has(told(trace), "hidden by"));
  CHECK(!has(told(trace), "masked by"));
}

TEST_CASE("recipe: another softmax shows in the formula and in the numbers") {
  const Trace trace = attend(masked_problem(), {{.step = "weights",
                                                 .operation = find_operation("mistaken_softmax"),
                                                 .parameters = {{"way", std::string("columns")}}}});
  CHECK(formula_text(trace, trace.at("weights")) == "A = softmax of each column of M");
  const Tensor& a = trace.value("weights");
  CHECK(close(1.0, a.at({0, 0, 0, 0}) + a.at({0, 0, 1, 0})));
}

TEST_CASE("recipe: other inputs and another operation") {
  const Trace swapped = attend(masked_problem(), {{.step = "scores", .inputs = {"{1}", "{0}"}}});
  const Trace right = attend(masked_problem());
  CHECK(formula_text(swapped, swapped.at("scores")) == "S = K·Qᵀ");
  CHECK(swapped.value("scores").at({0, 0, 0, 1}) == right.value("scores").at({0, 0, 1, 0}));
  const Trace added =
      attend(masked_problem(),
             {{.step = "scaled_scores", .operation = &ops::add, .inputs = {"{0}", "{0}"}}});
  CHECK(added.value("scaled_scores").at({0, 0, 0, 0}) ==
        2 * right.value("scores").at({0, 0, 0, 0}));
  CHECK(added.settings().scale.number == 1.0);
}

TEST_CASE("recipe: steps can be put before another, and take its parameters") {
  const Trace right = attend(masked_problem());
  const Trace opened = attend(masked_problem(), opened_softmax());
  CHECK(opened.steps.size() == right.steps.size() + 3);
  CHECK(formula_text(opened, opened.at("weights")) == "A = E / r");
  CHECK(first_difference(right.value("weights"), opened.value("weights")) == "");
}

TEST_CASE("recipe: another factor is not shown as the root of d_k, and its arithmetic is true") {
  const Trace trace =
      attend(masked_problem(), {{.step = "scaled_scores", .parameters = {{"factor", 0.125}}}});
  const Step& scaled = trace.at("scaled_scores");
  CHECK(formula_text(trace, scaled) == "S′ = S·0.125");
  const Cell cell{0, 0, 1, 1};
  CHECK(derive(trace, scaled, cell).value == scaled.value.at(cell));
}

TEST_CASE("recipe: names of what is not there are refused, not ignored") {
  const Recipe misspelt{{.step = "scald_scores", .left_out = true}};
  CHECK_THROWS_AS(attend(masked_problem(), misspelt), std::invalid_argument);
  const Recipe unknown{{.step = "scores", .inputs = {"{0}", "w_z"}}};
  CHECK_THROWS_AS(attend(masked_problem(), unknown), std::out_of_range);
  const Recipe twice{{.step = "weights", .before = {{"scores", &ops::copy, {"{0}"}}}}};
  CHECK_THROWS_AS(attend(masked_problem(), twice), std::invalid_argument);
  const Recipe no_weights{{.step = "weights", .left_out = true}};
  CHECK(attend(masked_problem(), no_weights).find("weights") == nullptr);
}

TEST_CASE("eigen: a matrix is turned into an array and back") {
  const Eigen::MatrixXd matrix = Eigen::MatrixXd::Random(3, 2);
  CHECK(to_matrix(to_array(matrix)) == matrix);
  CHECK(to_array(matrix).data[1] == matrix(0, 1));
}

TEST_CASE("recipe: matrices that do not go together are refused, with the rule that they break") {
  const Recipe recipe{{.step = "scores", .inputs = {"{0}", "v"}}};
  const Diagnostic refusal = refusal_from([&] { attend(masked_problem(), recipe); });
  CHECK(refusal.id == "shape-mismatch");
  CHECK(refusal.rule == ops::multiply_transposed.shape_rule.sentence);
}

TEST_CASE("trace: asking for a step that is not there throws") {
  const Trace trace = attend(masked_problem());
  CHECK_THROWS_AS(trace.at("logits"), std::out_of_range);
  CHECK(trace.find("logits") == nullptr);
}

}  // namespace attn::testing
