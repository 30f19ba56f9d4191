// Gradients: order, shapes, what is exactly 0, what is refused, and the arithmetic of every cell.
#include "attn/gradient.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "attn/error.hpp"
#include "support/compare.hpp"
#include "support/derivations.hpp"
#include "support/errors.hpp"
#include "support/gradients.hpp"
#include "support/random_model.hpp"
#include "support/random_problem.hpp"

namespace attn::testing {
namespace {

ProblemDraft small_self_attention() {
  ProblemDraft draft;
  draft.embeddings = Array{{3, 2}, {1, 0, 0.5, -1, 2, 1}};
  draft.weights = {{"w_q", Array{{2, 2}, {1, 0.5, -1, 2}}},   {"b_q", Array{{2}, {0.1, 0.2}}},
                   {"w_k", Array{{2, 2}, {0.3, 1, 1, -0.5}}}, {"b_k", Array{{2}, {1, -2}}},
                   {"w_v", Array{{2, 2}, {1, 1, 0, 2}}},      {"b_v", Array{{2}, {3, 1}}},
                   {"w_o", Array{{2, 2}, {1, -1, 0.5, 1}}},   {"b_o", Array{{2}, {0, 1}}}};
  draft.heads = 2;
  return draft;
}

Trace gradients_of(const ProblemDraft& draft, const GradientChoice& choice = {}) {
  Trace trace = attend(make_problem(draft));
  add_gradients(trace, choice);
  return trace;
}

std::string ids_after(const Trace& trace, const std::string& first) {
  std::string ids;
  for (const Step& step : trace.steps) {
    if (ids.empty() && step.id != first) continue;
    ids += (ids.empty() ? "" : " ") + step.id;
  }
  return ids;
}

std::string id_of_error(const ProblemDraft& draft, const GradientChoice& choice = {}) {
  return refusal_from([&] { gradients_of(draft, choice); }).id;
}

/// The largest sum of a row, without its sign.
double largest_row_sum(const Tensor& t) {
  double largest = 0.0;
  for (Index b = 0; b < t.batch(); ++b) {
    for (Index h = 0; h < t.heads(); ++h) {
      for (Index r = 0; r < t.rows(); ++r) {
        double total = 0.0;
        for (const double x : t.row(b, h, r)) total += x;
        largest = std::max(largest, std::abs(total));
      }
    }
  }
  return largest;
}

double largest(const Tensor& t) {
  double most = 0.0;
  for (const double x : t.data()) most = std::max(most, std::abs(x));
  return most;
}

}  // namespace

TEST_CASE("gradients: steps follow in reverse order, each before those of its weights") {
  ProblemDraft draft = small_self_attention();
  draft.masks = {parse_mask("causal")};
  CHECK(ids_after(gradients_of(draft), "output.grad") ==
        "output.grad w_o.grad b_o.grad concat.grad context.grad weights.grad masked_scores.grad "
        "scaled_scores.grad scores.grad v_heads.grad k_heads.grad q_heads.grad v.grad w_v.grad "
        "b_v.grad k.grad w_k.grad b_k.grad q.grad w_q.grad b_q.grad x.grad");
  CHECK(ids_after(gradients_of(draft, {.parts = true}), "b_q.grad") ==
        "b_q.grad x.grad1 x.grad2 x.grad3 x.grad");
}

TEST_CASE("gradients: each has the shape, scope and axes of what it belongs to") {
  for (std::uint64_t seed = 1; seed < 60; ++seed) {
    CAPTURE(seed);
    const Trace trace = with_gradients(seed);
    for (const Step& step : trace.steps) {
      const std::string_view owner = owner_of_gradient(step.id);
      CHECK((step.info().role == StepRole::Gradient) == !owner.empty());
      if (owner.empty()) continue;
      const Step& of = trace.at(owner);
      CHECK(step.value.shape() == of.value.shape());
      CHECK(step.scope == of.scope);
      CHECK(&step.info().forward() == &of.info());
      CHECK(of.info().role != StepRole::Mask);
      CHECK(of.info().role != StepRole::KeptQueries);
      const bool learned = of.info().id == std::string_view("positions");
      CHECK((learned || step.info().appears.setting == std::string_view("gradient")));
    }
  }
}

TEST_CASE("gradients: without enough memory they are refused, and the trace stays as it was") {
  Trace trace = attend(make_problem(small_self_attention()));
  const std::size_t forward = trace.steps.size();
  CHECK_THROWS_AS(add_gradients_within(100.0, trace, {}), Error);
  CHECK(trace.steps.size() == forward);
}

TEST_CASE("gradients: an outline has the same steps and shapes as the numbers") {
  for (std::uint64_t seed = 1; seed < 40; ++seed) {
    const Problem problem = make_problem(differentiable(seed));
    const GradientChoice choice = gradient_choice(attend(problem), seed);
    Trace shapes = outline(problem);
    add_gradients(shapes, choice);
    const Trace trace = attend_and_back(problem, {}, choice);
    REQUIRE(shapes.steps.size() == trace.steps.size());
    for (std::size_t i = 0; i < trace.steps.size(); ++i) {
      CHECK(shapes.steps[i].id == trace.steps[i].id);
      CHECK(shapes.steps[i].value.shape() == trace.steps[i].value.shape());
    }
  }
}

TEST_CASE("gradients: the arithmetic of every cell gives that cell again") {
  for (std::uint64_t seed = 5000; seed < 5090; ++seed) {
    CAPTURE(seed);
    const Trace trace = with_gradients(seed);
    for (const Step& step : trace.steps) {
      if (step.info().role == StepRole::Gradient) CHECK(first_wrong_derivation(trace, step) == "");
    }
  }
}

TEST_CASE("gradients: the arithmetic of every cell of whole models gives that cell again") {
  for (std::uint64_t seed = 1; seed < 25; ++seed) {
    CAPTURE(seed);
    const Trace trace = model_with_gradients(seed);
    for (const Step& step : trace.steps) {
      if (step.info().role == StepRole::Gradient) CHECK(first_wrong_derivation(trace, step) == "");
    }
  }
}

TEST_CASE("gradients: scores of a query only compete, so each row adds up to 0") {
  const Trace trace = gradients_of(small_self_attention());
  CHECK(largest(trace.value("scores.grad")) > 0.01);
  CHECK(largest_row_sum(trace.value("scores.grad")) < 1e-15);
}

TEST_CASE("gradients: the bias of the keys has no effect, that of the queries has one") {
  const Trace trace = gradients_of(small_self_attention());
  CHECK(largest(trace.value("b_k.grad")) < 1e-14);
  CHECK(largest(trace.value("b_q.grad")) > 0.01);
}

TEST_CASE("gradients: a hidden key gets nothing, but its weight would have an effect") {
  ProblemDraft draft = small_self_attention();
  draft.masks = {parse_mask("keys:1")};
  const Trace trace = gradients_of(draft, {.upstream = Array{{3, 2}, {1, 2, 3, 4, 5, 7}}});
  for (Index h = 0; h < 2; ++h) {
    for (Index r = 0; r < 3; ++r) {
      const Cell hidden{0, h, r, 1};
      CHECK(trace.value("masked_scores.grad").at(hidden) == 0.0);
      CHECK(!std::signbit(trace.value("masked_scores.grad").at(hidden)));
      CHECK(trace.value("scores.grad").at(hidden) == 0.0);
      CHECK(trace.value("weights.grad").at(hidden) != 0.0);
    }
    for (const char* id : {"k.grad", "v.grad"}) {
      for (const double x : trace.value(id).row(0, 0, 1)) CHECK(x == 0.0);
    }
  }
}

TEST_CASE("gradients: a row that the policy filled passes nothing on to its scores") {
  for (const EmptyRow policy : {EmptyRow::Zero, EmptyRow::Uniform, EmptyRow::Nan}) {
    ProblemDraft draft = small_self_attention();
    draft.heads.reset();
    draft.allowed = Array{{3, 3}, {1, 1, 0, 0, 0, 0, 1, 1, 1}};
    draft.empty_row = policy;
    for (const bool parts : {false, true}) {
      Trace trace = attend(make_problem(draft), parts ? opened_softmax() : Recipe());
      add_gradients(trace);
      for (const double x : trace.value("masked_scores.grad").row(0, 0, 1)) CHECK(x == 0.0);
      CHECK(largest(trace.value("masked_scores.grad")) > 0.0);
    }
  }
}

TEST_CASE("gradients: what is rotated back has a gradient that is rotated forward") {
  ProblemDraft draft;
  draft.q = Array{{2, 2}, {1, 2, 0.3, 0.4}};
  draft.k = Array{{2, 2}, {1, 0.5, -1, 0.2}};
  draft.v = Array{{2, 1}, {10, -20}};
  draft.positions.kind = PositionKind::Rope;
  Trace trace =
      attend(make_problem(draft), {{.step = "q_rotated", .parameters = {{"backwards", true}}}});
  add_gradients(trace);
  const Tensor &turned = trace.value("q_rotated.grad"), &q = trace.value("q.grad");
  const double a = turned.at({0, 0, 1, 0}), b = turned.at({0, 0, 1, 1});  // position 1: 1 radian
  CHECK(std::abs(b) > 0.01);
  CHECK(close(a * std::cos(1.0) - b * std::sin(1.0), q.at({0, 0, 1, 0})));
  CHECK(close(b * std::cos(1.0) + a * std::sin(1.0), q.at({0, 0, 1, 1})));
}

TEST_CASE("gradients: in a narrow number type each is rounded, and near those of float64") {
  ProblemDraft draft = small_self_attention();
  const Trace wide = gradients_of(draft);
  draft.dtype = Dtype::Float32;
  const Trace narrow = gradients_of(draft);
  double most = 0.0;
  for (const Step& step : narrow.steps) {
    const Tensor& other = wide.value(step.id);
    for (std::size_t i = 0; i < other.data().size(); ++i) {
      const double x = step.value.data()[i];
      CHECK(static_cast<double>(static_cast<float>(x)) == x);
      most = std::max(most, std::abs(x - other.data()[i]));
    }
  }
  CHECK(most > 0.0);
  CHECK(most < 1e-5);
}

TEST_CASE("gradients: a table that is also the last layer gets the gradients of both uses") {
  bool tied = false;
  for (std::uint64_t seed = 1; seed < 60; ++seed) {
    const Trace trace = model_with_gradients(seed);
    const Step* table = trace.find("token_table.grad");
    if (table == nullptr || trace.find("token_table.grad1") == nullptr) continue;
    tied = true;
    CHECK(table->inputs == std::vector<std::string>{"token_table.grad1", "token_table.grad2"});
    CHECK(trace.at("token_table.grad1").operation->name == std::string("add_looked_up"));
    CHECK(trace.at("token_table.grad2").operation->name == std::string("transposed_multiply"));
  }
  CHECK(tied);
}

TEST_CASE("gradients: softmax in steps has the same gradients") {
  ProblemDraft draft = small_self_attention();
  draft.masks = {parse_mask("causal")};
  Trace opened = attend(make_problem(draft), opened_softmax());
  add_gradients(opened, {.parts = true});
  const Trace whole = gradients_of(draft);
  for (const Step& step : whole.steps) {
    if (step.info().role != StepRole::Gradient) continue;
    const Tensor& other = opened.value(step.id);
    for (std::size_t i = 0; i < other.data().size(); ++i)
      CHECK(close(step.value.data()[i], other.data()[i], 1e-10));
  }
}

TEST_CASE("gradients: what cannot have one says why") {
  ProblemDraft draft = small_self_attention();
  CHECK(id_of_error(draft) == "");
  CHECK(id_of_error(draft, {.upstream = Array{{3, 3}, std::vector(9, 1.0)}}) == "shape-mismatch");
  draft.vocabulary = VocabularyDraft{{}, Array{{2, 4}, std::vector(8, 0.5)}, {}, {}};
  CHECK(id_of_error(draft) == "gradient-source");
  CHECK(id_of_error(draft, {.upstream = Array{{3, 2}, std::vector(6, 1.0)}}) == "");
  draft.labels = {{LabelDraft{1, {}}, LabelDraft{2, {}}, LabelDraft{}}};
  CHECK(id_of_error(draft) == "");
  CHECK(id_of_error(draft, {.upstream = Array{{3, 2}, std::vector(6, 1.0)}}) == "gradient-source");

  Trace trace = attend(make_problem(small_self_attention()));
  add_gradients(trace);
  CHECK_THROWS_WITH_AS(add_gradients(trace), "the trace has gradients already: output.grad", Error);
  const Recipe mistake{{.step = "weights",
                        .operation = find_operation("mistaken_softmax"),
                        .parameters = {{"way", std::string("columns")}}}};
  Trace wrong = attend(make_problem(small_self_attention()), mistake);
  CHECK_THROWS_WITH_AS(add_gradients(wrong),
                       "weights is made by mistaken_softmax, which has no gradient: it is a known "
                       "mistake",
                       Error);
}

TEST_CASE("gradients: a sink gets what the loss changes by when it is moved a little") {
  ProblemDraft draft = small_self_attention();
  draft.sinks = Array{{2}, {0.5, -1.0}};
  const auto loss = [](const ProblemDraft& moved) {
    double total = 0.0;  // the upstream gradient is 1 everywhere
    const Trace trace = attend(make_problem(moved));
    for (const double x : trace.steps.back().value.data()) total += x;
    return total;
  };
  const Trace trace = gradients_of(draft);
  const Step* grad = trace.find("sinks.grad");
  REQUIRE(grad != nullptr);
  for (std::size_t head = 0; head < 2; ++head) {
    CAPTURE(head);
    ProblemDraft more = draft, less = draft;
    more.sinks->data[head] += 1e-5;
    less.sinks->data[head] -= 1e-5;
    CHECK(close((loss(more) - loss(less)) / 2e-5, grad->value.data()[head], 1e-6));
  }
}

TEST_CASE("gradients: of a squared error, each cell explains itself, the loss and what it gets") {
  ProblemDraft draft = small_self_attention();
  draft.target = Array{{3, 2}, {1, 0, 0.5, 2, -1, 1}};
  const Trace trace = gradients_of(draft);
  double total = 0.0;
  for (std::size_t i = 0; i < 6; ++i) {
    const double off = trace.value("output").data()[i] - draft.target->data[i];
    total += off * off;
    CHECK(close(2.0 * off / 6.0, trace.value("output.grad").data()[i], 1e-14));
  }
  CHECK(close(total / 6.0, trace.value("mean_squared_error").data()[0], 1e-14));
  for (const Step& step : trace.steps) CHECK(first_wrong_derivation(trace, step) == "");
}

}  // namespace attn::testing
