// Which cells are worked out below the steps: one query and one key through all of them.
#include "render/story/steps/example_choice.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "attn/io/samples.hpp"
#include "core/trace/hidden_cells.hpp"
#include "support/traces.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

/// The cells of input `input` in an expression.
void collect_cells(const Expression& how, int input, std::vector<Cell>& cells) {
  if (how.kind == Expression::Kind::Leaf && how.input == input) cells.push_back(how.cell);
  for (const Expression& part : how.parts) collect_cells(part, input, cells);
}

bool has_key_rows(const Step& step) { return step.info().row_axis == std::string("key"); }

/// Calls `use` for every attention sample, as it is and with softmax opened up.
template <typename Use>
void for_every_sample(const Use& use) {
  for (const Sample& sample : samples()) {
    for (const bool opened : {false, true}) {
      CAPTURE(sample.name);
      CAPTURE(opened);
      const Trace trace = trace_of(std::string(sample.text), opened);
      if (!trace.is_model()) use(trace);
    }
  }
}

}  // namespace

TEST_CASE("focus: every number is found again in the arithmetic of a later step") {
  int found = 0;
  for_every_sample([&](const Trace& trace) {
    const ExampleCells focus =
        cells_of_pair(trace, trace.scope(), choose_pair(trace, trace.scope(), {}));
    for (const auto& [step, cell] : focus) {
      const Expression how = derive(trace, *step, cell);
      for (std::size_t i = 0; i < step->inputs.size(); ++i) {
        const Step& input = trace.input(*step, i);
        std::vector<Cell> cells;
        collect_cells(how, static_cast<int>(i), cells);
        const bool other_side = has_key_rows(*step) && !has_key_rows(input);
        if (cells.empty() || other_side || input.is_given()) continue;
        const std::string& id = step->id;  // Clang 14 captures no binding
        CAPTURE(id);
        CAPTURE(input.id);
        CHECK(std::find(cells.begin(), cells.end(), focus.at(&input)) != cells.end());
        ++found;
      }
    }
  });
  CHECK(found > 150);
}

TEST_CASE("focus: the pair is not hidden, and its numbers teach something") {
  const auto teaches = [](double x) { return std::isfinite(x) && x != 0.0 && x != 1.0; };
  for_every_sample([&](const Trace& trace) {
    const Pair pair = choose_pair(trace, trace.scope(), {});
    const ExampleCells focus = cells_of_pair(trace, trace.scope(), pair);
    CHECK(!HiddenCells(trace, trace.scope())({pair.batch, pair.head, pair.query, pair.key}));
    for (const auto& [step, cell] : focus) {
      const std::string& id = step->id;  // Clang 14 captures no binding
      CAPTURE(id);
      if (step->info().role == StepRole::Mask) continue;
      if (step->info().is_pairwise()) CHECK(cell.row == pair.query);
      if (step->info().is_pairwise()) CHECK(cell.col == pair.key);
      if (step->info().role == StepRole::Weights) CHECK(teaches(step->value.at(cell)));
      const bool unused = trace.title.starts_with("Each head has its own") && has_key_rows(*step);
      if (!unused) CHECK(step->value.at(cell) != 0.0);  // zeros of w_o leave that sample no choice
    }
  });
}

TEST_CASE("focus: no other key of the query has the same weight, where there is such a pair") {
  const Trace trace = trace_of(R"({"q": [[1, 0], [1, 2]], "k": [[1, 0], [1, 0], [0, 1]],
                                   "v": [[1, 2], [3, 4], [5, 6]]})",
                               false);
  const Pair pair = choose_pair(trace, trace.scope(), {});
  CHECK(pair.key == 2);
}

TEST_CASE("focus: with several heads, the pair is that of the head that is shown") {
  View view;
  view.head = 1;
  const Trace trace = sample_trace(3);
  const ExampleCells focus =
      cells_of_pair(trace, trace.scope(), choose_pair(trace, trace.scope(), view));
  for (const auto& [step, cell] : focus) {
    const std::string& id = step->id;  // Clang 14 captures no binding
    CAPTURE(id);
    if (step->value.shape().heads) CHECK(cell.head == 1);
    if (step->id == "concat" || step->id == "q") CHECK(cell.col >= step->value.cols() / 2);
  }
}

TEST_CASE("focus: a pair that is asked for is followed") {
  View view;
  view.pair = "2,1";
  const Trace trace = trace_of(std::string(samples()[0].text), false);
  const ExampleCells focus =
      cells_of_pair(trace, trace.scope(), choose_pair(trace, trace.scope(), view));
  CHECK(focus.at(trace.find("q")).row == 2);
  CHECK(focus.at(trace.find("k")).row == 1);
  CHECK(focus.at(trace.find("v")).row == 1);
  CHECK(focus.at(trace.find("output")).row == 2);
  CHECK(focus.at(trace.find("weights")) == Cell{0, 0, 2, 1});
}
