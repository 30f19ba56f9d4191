// Which numbers explain a number: how deep, and which are left out.

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "attn/core/random_problem.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/io/samples.hpp"
#include "support/models.hpp"
#include "support/program.hpp"
#include "support/told_cell.hpp"
#include "support/worked_reader.hpp"

namespace attn::testing {
TEST_CASE("cell: a small problem is explained to the end, a large one as far as it fits a screen") {
  const std::string small = told(draft_of({"a", "b", "c"}), "O:1,1");
  CHECK(!has(small, ": depth "));
  RandomProblem wish;
  wish.tokens = 60;
  wish.d_model = 30;
  wish.normal = true;
  const ProblemDraft large = random_draft(wish);
  for (const char* cell : {"O:1,1", "A:1,1", "S:1,1", "Q:1,1"}) {
    CAPTURE(cell);
    View view;
    const std::string text = told(large, cell, view);
    CHECK(worked_lines_of(text).size() <= 50);
    CHECK(has(text, ": depth ") == (cell[0] == 'O' || cell[0] == 'A'));
  }
  View deep;
  deep.depth = 9;
  CHECK(worked_lines_of(told(large, "O:1,1", deep)).size() <= 10000);
}

TEST_CASE("cell: without a depth, as many levels as fit 24 lines, but one at least") {
  const auto lines_at = [](const Trace& trace, const std::string& cell, std::optional<int> depth) {
    View view;
    view.depth = depth;
    const std::string text =
        write_text(explain_cell(trace, cell, view), {.width = 80, .fit = Fit::Screen});
    return std::make_pair(std::count(text.begin(), text.end(), '\n'), text);
  };
  constexpr std::ptrdiff_t kMost = 22;  // a prompt and a hint have room, too
  int more = 0;
  std::vector<ProblemDraft> drafts;
  for (const Sample& sample : attention_samples()) {
    ProblemDraft draft = parse_problem(sample.text, "sample").draft;
    for (const Dtype dtype : {Dtype::Float64, Dtype::Float16}) {  // float16: two lines below
      draft.dtype = dtype;
      drafts.push_back(draft);
    }
  }
  for (const ProblemDraft& draft : drafts) {
    CAPTURE(draft.title);
    const Trace trace = attend(make_problem(draft));
    for (const Step& step : trace.steps) {
      CAPTURE(step.id);
      const std::string cell = step.id + ":0,0";
      const std::string text = lines_at(trace, cell, {}).second;
      int depth = 0;
      while (lines_at(trace, cell, depth).second != text) REQUIRE(++depth < 20);
      CAPTURE(depth);
      if (depth > 1) CHECK(lines_at(trace, cell, depth).first <= kMost);
      if (!has(text, ": depth ")) continue;
      ++more;
      CHECK(depth >= 1);
      CHECK(lines_at(trace, cell, depth + 1).first > kMost);
      CHECK(has(text, " below: depth " + std::to_string(depth + 1) + " shows "));
    }
  }
  CHECK(more > 20);
}

TEST_CASE("cell: a line says where to find numbers that were explained elsewhere") {
  View deep;
  deep.depth = 9;
  ProblemDraft draft = draft_of({"a", "b", "c"});
  draft.masks = {parse_mask("causal")};
  const std::string text = told(draft, "O:1,1", deep);
  CHECK(has(text, "      A[b, a] ≈ e^"));
  CHECK(has(text, "(M[b, …] above)\n"));
  CHECK(worked_lines_of(text).size() == 7);  // O, and A, M = S′ and S twice
  draft = parse_problem(samples()[0].text, "sample").draft;
  draft.positions.kind = PositionKind::Sinusoidal;
  const std::string tokens = told(draft, "O:1,1", deep);
  CHECK(has(tokens, "; X_p[cat, …] below)\n"));
  std::istringstream lines(tokens);
  std::vector<std::string> above;
  bool found = false;
  for (std::string line; std::getline(lines, line); above.push_back(line)) {
    if (!has(line, "(Q[cat, …] above)")) continue;
    found = true;
    CHECK(std::any_of(above.begin(), above.end(),
                      [](const std::string& each) { return has(each, "  Q[cat, q0] "); }));
  }
  CHECK(found);
}

TEST_CASE("cell: what a hidden weight of 0 multiplies is not explained") {
  ProblemDraft draft = parse_problem(samples()[0].text, "sample").draft;
  draft.masks = {parse_mask("causal")};
  View view;
  view.depth = 1;
  const std::string text = told(draft, "O:1,0", view);
  CHECK(has(text, " V[cat, v0] = "));
  CHECK(!has(text, " V[dreams, v0] = "));
  draft.masking = MaskingMode::Add;
  draft.fill = -5.0;
  CHECK(has(told(draft, "O:1,0", view), " V[dreams, v0] = "));
}

TEST_CASE("cell: long sums are shortened on a screen only") {
  RandomProblem wish;
  wish.tokens = 3;
  wish.d_model = 60;
  wish.normal = true;
  const ProblemDraft draft = random_draft(wish);
  View view;
  const TextStyle screen{.width = 700, .fit = Fit::Screen};
  CHECK(has(told(draft, "Q:1,1", view, screen), " + … 20 more …"));
  CHECK(!has(told(draft, "Q:1,1", view), "…"));
}

}  // namespace attn::testing
