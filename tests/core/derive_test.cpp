// How a cell came about, worked out again from the arithmetic that `derive` returns.

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/core/expression.hpp"
#include "support/compare.hpp"
#include "support/compare_steps.hpp"
#include "support/derivations.hpp"
#include "support/random_problem.hpp"

namespace attn::testing {
namespace {

/// How many leaves an expression has.
std::size_t leaves(const Expression& expression) {
  std::size_t count = expression.kind == Expression::Kind::Leaf ? 1 : 0;
  for (const Expression& part : expression.parts) count += leaves(part);
  return count;
}

ProblemDraft never_refused(std::uint64_t seed) {
  ProblemDraft draft = random_problem(seed);
  if (draft.empty_row == EmptyRow::Error) draft.empty_row = EmptyRow::Zero;
  return draft;
}

ProblemDraft small_problem() {
  ProblemDraft draft;
  draft.q = Array{{2, 3}, {1, 0, 2, 0, 1, -1}};
  draft.k = Array{{2, 3}, {1, 1, 0, 0, 2, 1}};
  draft.v = Array{{2, 1}, {10, 20}};
  return draft;
}

}  // namespace

TEST_CASE("derive: the arithmetic of every cell of random problems gives that cell again") {
  std::set<std::string> seen;
  for (std::uint64_t seed = 5000; seed < 5120; ++seed) {
    CAPTURE(seed);
    const Recipe recipe = seed % 2 == 1 ? full_detail() : Recipe();
    const Trace trace = attend(make_problem(never_refused(seed)), recipe);
    for (const Step& step : trace.steps) {
      CHECK(first_wrong_derivation(trace, step) == "");
      seen.insert(step.id);
    }
  }
  for (const std::string& id : attention_steps())
    CHECK_MESSAGE(seen.contains(id) == (id != "dropped_weights"), id);
}

TEST_CASE("derive: the arithmetic of a known mistake gives the mistaken numbers") {
  const auto set = [](const char* step, const char* name, const char* word) {
    return Rewiring{.step = step, .parameters = {{name, std::string(word)}}};
  };
  const auto wrong_softmax = [](const char* way) {
    return Rewiring{.step = "weights",
                    .operation = find_operation("mistaken_softmax"),
                    .inputs = {"{0}"},  // without a sink
                    .parameters = {{"way", std::string(way)}}};
  };
  const std::vector<Recipe> recipes = {
      {{.step = "scaled_scores", .left_out = true}},
      {wrong_softmax("columns")},
      {wrong_softmax("matrix")},
      {set("q_heads", "cut", "interleaved"), set("k_heads", "cut", "interleaved")},
      {set("q_heads", "cut", "reshaped"), set("v_heads", "cut", "reshaped")}};
  std::vector<int> changed(recipes.size());
  for (std::uint64_t seed = 6000; seed < 6100; ++seed) {
    CAPTURE(seed);
    const std::size_t n = seed % recipes.size();
    const Problem problem = make_problem(never_refused(seed));
    const Trace trace = attend(problem, recipes[n]);
    for (const Step& step : trace.steps) CHECK(first_wrong_derivation(trace, step) == "");
    if (!first_difference(attend(problem).value("output"), trace.value("output")).empty()) {
      ++changed[n];
    }
  }
  for (const int count : changed) CHECK(count > 2);
}

TEST_CASE("derive: a score is the sum of d_k products of two cells") {
  const Trace trace = attend(make_problem(small_problem()));
  const Expression score = derive(trace, *trace.find("scores"), {0, 0, 1, 0});
  CHECK(score.kind == Expression::Kind::Sum);
  CHECK(score.parts.size() == 3);
  CHECK(leaves(score) == 6);
  CHECK(score.value == 1);
}

TEST_CASE("derive: an output is the sum of one product for each key") {
  const Trace trace = attend(make_problem(small_problem()));
  const Expression output = derive(trace, *trace.find("output"), {0, 0, 0, 0});
  CHECK(output.kind == Expression::Kind::Sum);
  CHECK(output.parts.size() == 2);
  CHECK(leaves(output) == 4);
}

TEST_CASE("derive: a weight is a quotient that reads its whole row of scores") {
  const Trace trace = attend(make_problem(small_problem()));
  const Expression weight = derive(trace, *trace.find("weights"), {0, 0, 0, 1});
  CHECK(weight.kind == Expression::Kind::Quotient);
  CHECK(leaves(weight) >= 3);
  CHECK(close(trace.value("weights").at({0, 0, 0, 1}), weight.value));
}

TEST_CASE("derive: only of scores beyond ±20 is the largest subtracted, as on paper") {
  ProblemDraft draft;
  draft.k = Array{{2, 1}, {1, 0.5}};
  draft.v = draft.k;
  const auto exponent = [&](double query) {  // of the key with the largest score
    draft.q = Array{{1, 1}, {query}};
    const Trace trace = attend(make_problem(draft));
    const Cell cell{0, 0, 0, query > 0 ? 0 : 1};
    return derive(trace, trace.at("weights"), cell).parts.at(0).parts.at(0);
  };
  for (const double query : {20.0, -40.0}) CHECK(exponent(query).kind == Expression::Kind::Leaf);
  for (const double query : {21.0, -42.0}) {
    CAPTURE(query);
    const Expression shifted = exponent(query);
    REQUIRE(shifted.kind == Expression::Kind::Sum);
    CHECK(shifted.parts.at(1).value == -std::max(query, query / 2));
    CHECK(shifted.value == 0.0);
  }
}

TEST_CASE("derive: a turned number comes from the two of its pair, others are as before") {
  ProblemDraft draft = small_problem();
  draft.positions = {PositionKind::Rope, {}, 2, {}, {}};
  const Trace trace = attend(make_problem(draft));
  const Step& q = *trace.find("q_rotated");
  for (const Index col : {0, 1}) {
    const Expression turned = derive(trace, q, {0, 0, 1, col});
    CHECK(turned.kind == Expression::Kind::Sum);
    CHECK(turned.parts.size() == 2);
    CHECK(leaves(turned) == 2);
  }
  const Expression still = derive(trace, q, {0, 0, 1, 2});
  CHECK(still.kind == Expression::Kind::Leaf);
  CHECK(still.cell == Cell{0, 0, 1, 2});
}

TEST_CASE("derive: a number of the position signal is a sine or cosine that reads no input") {
  ProblemDraft draft;
  draft.embeddings = Array{{2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}};
  for (const std::string id : {"w_q", "w_k", "w_v"})
    draft.weights[id] = Array{{4, 1}, {1, 1, 1, 1}};
  draft.positions.kind = PositionKind::Sinusoidal;
  const Trace trace = attend(make_problem(draft));
  const Expression wave = derive(trace, *trace.find("positions"), {0, 0, 1, 3});
  CHECK(wave.kind == Expression::Kind::Function);
  CHECK(wave.text == "cos");
  CHECK(leaves(wave) == 0);
  const Expression& angle = wave.parts.at(0);
  CHECK(angle.kind == Expression::Kind::Quotient);
  CHECK(angle.parts.at(0).value == 1);
  CHECK(angle.parts.at(1).text == "10000^(2/4)");
}

TEST_CASE("derive: ALiBi's bias is −slope · distance, and nothing for an added key") {
  ProblemDraft draft = small_problem();
  draft.positions.kind = PositionKind::Alibi;
  draft.positions.slopes = {0.5};
  draft.add_zero_attn = true;
  const Trace trace = attend(make_problem(draft));
  const Expression bias = derive(trace, *trace.find("bias"), {0, 0, 1, 0});
  CHECK(bias.kind == Expression::Kind::Negative);
  CHECK(bias.value == -0.5);
  CHECK(derive(trace, *trace.find("bias"), {0, 0, 1, 2}).kind == Expression::Kind::Constant);
  const Expression added = derive(trace, *trace.find("k_all"), {0, 0, 2, 1});
  CHECK(added.kind == Expression::Kind::Leaf);
  CHECK(trace.find("k_all")->inputs.at(static_cast<std::size_t>(added.input)) == "extra_k");
}

}  // namespace attn::testing
