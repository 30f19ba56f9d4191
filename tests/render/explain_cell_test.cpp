// Where a number comes from: which cell is meant, how deep, what is said about hidden cells.

#include "attn/explain.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "attn/problem_file.hpp"
#include "attn/random_problem.hpp"
#include "attn/samples.hpp"
#include "attn/text.hpp"
#include "attn/writers.hpp"
#include "support/worked_reader.hpp"

namespace attn::testing {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

/// Q, K and V of these tokens, two columns each, all different.
ProblemDraft draft_of(std::vector<std::string> tokens) {
  const auto n = static_cast<std::ptrdiff_t>(tokens.size());
  ProblemDraft draft;
  for (auto* part : {&draft.q, &draft.k, &draft.v}) {
    Array array{{n, 2}, {}};
    for (std::ptrdiff_t i = 0; i < 2 * n; ++i)
      array.data.push_back(static_cast<double>(i % 5) - 1.5 + (part == &draft.k ? 0.25 : 0.0));
    *part = array;
  }
  draft.tokens = {std::move(tokens)};
  return draft;
}

std::string told(const ProblemDraft& draft, const std::string& cell, View view = {},
                 const TextStyle& style = {.width = 700}) {
  return write_text(explain_cell(attend(make_problem(draft)), cell, view), style);
}

Diagnostic refusal(const ProblemDraft& draft, const std::string& cell) {
  const Trace trace = attend(make_problem(draft));
  try {
    explain_cell(trace, cell, {});
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::Usage);
    return error.diagnostics().at(0);
  }
  FAIL_CHECK("there is such a cell: " << cell);
  return {};
}

/// The sentences between the title and the arithmetic.
std::string story(const std::string& text) { return text.substr(0, text.find("\n\n")); }

}  // namespace

TEST_CASE("cell: tokens that hold commas and colons, repeated ones by their index") {
  const ProblemDraft draft = draft_of({"a", ",", "b,c", "A:x", "a"});
  struct Row {
    const char *cell, *name;
  };
  for (const Row& row :
       {Row{"1,2", "A[,, b,c]"}, Row{"weights:,,b,c", "A[,, b,c]"}, Row{"b,c,,", "A[b,c, ,]"},
        Row{"A:A:x,1", "A[A:x, ,]"}, Row{"b,c,A:x", "A[b,c, A:x]"}, Row{"0:a,4:a", "A[0:a, 4:a]"},
        Row{"S′: 4 , 1", "S′[4:a, ,]"}, Row{"scores:4,0:a", "S[4:a, 0:a]"},
        Row{"q:A:x,q1", "Q[A:x, q1]"}}) {
    CAPTURE(row.cell);
    CHECK(told(draft, row.cell).starts_with("Where " + std::string(row.name) + " comes from"));
  }
}

TEST_CASE("cell: what does not name one is refused, with the size of the step and where") {
  const ProblemDraft draft = draft_of({"the", "cat", "the"});
  struct Row {
    const char *cell, *id, *what;
  };
  for (const Row& row :
       {Row{"1,-1", "no-such-column", "there is no column \"-1\""},
        Row{"3,0", "no-such-row", "there is no row \"3\""},
        Row{"scores:cta,0", "no-such-row", "there is no row \"cta\"; did you mean \"cat\"?"},
        Row{"q:0,2", "no-such-column", "there is no column \"2\""},
        Row{"cat,the", "ambiguous-column", "the token \"the\" occurs more than once"},
        Row{"weights:1", "no-such-cell", "a row and a column are needed"},
        Row{"", "no-such-cell", "a row and a column are needed"},
        Row{"wights:1,1", "no-such-cell", "has no step \"wights\"; did you mean \"weights\"?"},
        Row{"mask:1,1", "no-such-cell", "this problem has no step \"mask\""}}) {
    CAPTURE(row.cell);
    const Diagnostic diagnostic = refusal(draft, row.cell);
    CHECK(diagnostic.id == row.id);
    CHECK(has(diagnostic.what, row.what));
    if (diagnostic.id == "no-such-cell") continue;
    REQUIRE(diagnostic.places.size() == 1);
    CHECK(diagnostic.places[0].file == "--cell " + std::string(row.cell));
    CHECK(has(diagnostic.places[0].remark, " has 3 rows (query) and "));
  }
  CHECK(has(refusal(draft, "cat,the").fix, "Name it by its index: 0, 2."));
}

TEST_CASE("cell: a hidden cell tells the mask, the positions, and what else would hide it") {
  ProblemDraft draft = draft_of({"a", "b", "c", "d"});
  draft.masks = {parse_mask("causal"), parse_mask("window:1"), parse_mask("keys:3"),
                 parse_mask("keys:d")};
  const std::string text = told(draft, "M:1,3");
  CHECK(has(text,
            "\nHidden by causal: the key comes later. Query \"b\" stands at position 1, key "
            "\"d\" at 3. It would also be hidden by window:1, keys:3, keys:d.\n"));
  CHECK(has(text, "\n    M[b, d] = -inf\n      before hiding: S′[b, d] = "));
  CHECK(has(story(told(draft, "A:2,0")), "Hidden by window:1: the key lies outside the query's"));
  CHECK(!has(story(told(draft, "A:2,0")), "also"));
  CHECK(!has(told(draft, "A:1,1"), "Hidden"));
  CHECK(has(told(draft, "A:1,1"), "(2 of 4 keys hidden by causal)"));
  CHECK(has(told(draft, "A:2,2"), "(1 of 4 keys hidden by window:1, 1 by causal)"));
}

TEST_CASE("cell: positions count the past, and with align end the keys before") {
  ProblemDraft draft = draft_of({"a", "b", "c"});
  draft.masks = {parse_mask("causal")};
  draft.past =
      ProblemDraft::Past{{"p", "r"}, Array{{2, 2}, {1, 2, 3, 4}}, Array{{2, 2}, {1, 2, 3, 4}}};
  CHECK(has(told(draft, "A:0,4"), "Query \"a\" stands at position 2, key \"c\" at 4."));
  ProblemDraft longer = draft_of({"a", "b", "c"});
  longer.q = Array{{1, 2}, {1, 2}};
  longer.tokens = {{"x"}};
  longer.key_tokens = {{"a", "b", "c"}};
  longer.masks = {parse_mask("keys:1")};
  longer.align = Align::End;
  CHECK(has(told(longer, "A:0,1"), "Query \"x\" stands at position 2, key \"b\" at 1."));
}

TEST_CASE("cell: where masks act after softmax, only the masked weights are hidden") {
  ProblemDraft draft = draft_of({"a", "b", "c"});
  draft.masks = {parse_mask("causal")};
  draft.masking = MaskingMode::Multiply;
  for (const char* cell : {"S′:0,2", "A:0,2"}) CHECK(!has(told(draft, cell), "idden"));
  CHECK(has(told(draft, "A_m:0,2"), "Hidden by causal"));
  CHECK(has(told(draft, "O:0,0"), "(2 of 3 keys hidden by causal; column v0 of V is given)"));
  draft.masking = MaskingMode::Replace;
  draft.masks = {parse_mask("queries:1")};
  CHECK(has(told(draft, "A_q:1,2"),
            "\nQuery \"b\" is padding: its weights are set to zero.\n\n    A_q[b, c] = 0\n"));
}

TEST_CASE("cell: where the fill leaves a masked key some weight, it is not said to be hidden") {
  ProblemDraft draft = draft_of({"a", "b", "c"});
  draft.masks = {parse_mask("causal")};
  draft.masking = MaskingMode::Add;
  draft.fill = -5.0;
  CHECK(has(told(draft, "A:1,1"), "(1 of 3 keys masked by causal, but still with weight)"));
  CHECK(has(told(draft, "O:1,1"), "(1 of 3 keys masked by causal, but still with weight; "));
  CHECK(has(told(draft, "A:1,2"), "\nMasked by causal, but still with weight. Query \"b\" "));
  CHECK(has(told(draft, "A:0,1"), "   (masked by causal, but still with weight)\n"));
  CHECK(!has(told(draft, "A:0,1"), "idden"));
  CHECK(has(told(draft, "mask:1,2"), "Hidden by causal: the key comes later"));
  draft.fill = -1e9;
  CHECK(has(told(draft, "A:1,1"), "(1 of 3 keys hidden by causal)"));
  CHECK(has(told(draft, "A:1,2"), "\nHidden by causal: the key comes later. "));
}

TEST_CASE("cell: why a masked score is what it is says what happens there, not what might") {
  const char* kBias = "\nA bias makes some pairs more or less likely before softmax.\n";
  const char* kHidden = "\nA hidden score must not take part in softmax: ";
  ProblemDraft draft = draft_of({"a", "b", "c"});
  draft.positions.kind = PositionKind::Alibi;
  CHECK(has(told(draft, "M:1,2"), kBias));
  draft.masks = {parse_mask("causal")};
  CHECK(has(told(draft, "M:1,0"), kBias));
  CHECK(has(told(draft, "M:1,2"), kHidden));
  draft.positions.kind = PositionKind::None;
  CHECK(has(told(draft, "M:1,0"), "\nA mask leaves this score as it is.\n"));
  draft.fill = -5.0;
  CHECK(
      has(told(draft, "M:1,2"), "\nA masked score gets the fill; only −∞ takes it out for sure: "));
  View full;
  full.detail = Detail::Full;
  full.steps = {"M"};
  draft = draft_of({"a", "b", "c"});
  draft.positions.kind = PositionKind::Alibi;
  CHECK(has(write_text(explain(attend(make_problem(draft)), full), {.width = 700}), kBias));
  draft.masks = {parse_mask("causal")};
  CHECK(has(write_text(explain(attend(make_problem(draft)), full), {.width = 700}), kHidden));
}

TEST_CASE("cell: a small problem is told to the end, a large one as far as it fits a screen") {
  const std::string small = told(draft_of({"a", "b", "c"}), "O:1,1");
  CHECK(!has(small, "--depth"));
  RandomProblem wish;
  wish.tokens = 60;
  wish.d_model = 30;
  wish.normal = true;
  const ProblemDraft large = random_draft(wish);
  for (const char* cell : {"O:1,1", "A:1,1", "S:1,1", "Q:1,1"}) {
    CAPTURE(cell);
    View view;
    view.whole = true;
    const std::string text = told(large, cell, view);
    CHECK(worked_lines_of(text).size() <= 50);
    CHECK(has(text, "--depth") == (cell[0] == 'O' || cell[0] == 'A'));
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
  for (const Sample& sample : samples()) {
    CAPTURE(sample.name);
    const Trace trace = attend(make_problem(parse_problem(sample.text, "sample").draft));
    for (const Step& step : trace.steps) {
      CAPTURE(step.id);
      const std::string cell = step.id + ":0,0";
      const std::string text = lines_at(trace, cell, {}).second;
      int depth = 0;
      while (lines_at(trace, cell, depth).second != text) REQUIRE(++depth < 20);
      CAPTURE(depth);
      if (depth > 1) CHECK(lines_at(trace, cell, depth).first <= kMost);
      if (!has(text, "--depth")) continue;
      ++more;
      CHECK(depth >= 1);
      CHECK(lines_at(trace, cell, depth + 1).first > kMost);
      CHECK(has(text, " below: --depth " + std::to_string(depth + 1) + " shows "));
    }
  }
  CHECK(more > 20);
}

TEST_CASE("cell: files get the levels that screens get") {
  RandomProblem wish;
  wish.tokens = 3;
  wish.d_model = 60;
  wish.normal = true;
  View file;
  file.whole = true;
  const auto count = [&](const View& view) {
    return worked_lines_of(told(random_draft(wish), "O:1,1", view)).size();
  };
  CHECK(count(file) == count({}));
}

TEST_CASE("cell: a line says where those of its numbers are that were told elsewhere") {
  View deep;
  deep.depth = 9;
  ProblemDraft draft = draft_of({"a", "b", "c"});
  draft.masks = {parse_mask("causal")};
  const std::string text = told(draft, "O:1,1", deep);
  CHECK(has(text, "      A[b, a] = e^"));
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
                      [](const std::string& each) { return has(each, "  Q[cat, q0] = "); }));
  }
  CHECK(found);
}

TEST_CASE("cell: what a hidden weight of 0 is multiplied by is not told") {
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

TEST_CASE("cell: lines to be read aloud say their level, and headlines have commas") {
  ProblemDraft draft = draft_of({"a", "b"});
  draft.masks = {parse_mask("causal")};
  const std::string text = told(draft, "M:0,1", {}, {.width = 700, .layout = Layout::Lines});
  CHECK(has(text, "\nM = S′, −∞ where mask = 0, 2×2\n"));
  CHECK(has(text, "\nM[a, b] = -inf\nlevel 1, before hiding: S′[a, b] = "));
  CHECK(has(text, "\nlevel 2: S[a, b] = "));
}

TEST_CASE("cell: long sums are shortened on a screen only") {
  RandomProblem wish;
  wish.tokens = 3;
  wish.d_model = 60;
  wish.normal = true;
  const ProblemDraft draft = random_draft(wish);
  View view;
  CHECK(has(told(draft, "Q:1,1", view), " + … 20 more … + "));
  view.whole = true;
  CHECK(!has(told(draft, "Q:1,1", view), "…"));
}

TEST_CASE("cell: lines keep to the screen, and say the same as without a screen") {
  const ProblemDraft draft = draft_of({"the", "unbelievable", "猫", "'s", "sat"});
  for (const std::ptrdiff_t width : {60, 80, 100}) {
    CAPTURE(width);
    View view;
    view.precision = 5;
    const std::string wide = told(draft, "O:1,1", view);
    const std::string text = told(draft, "O:1,1", view, {.width = width, .fit = Fit::Screen});
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) CHECK(display_width(line) < width);
    const auto words = [](std::string all) {
      std::istringstream in(all.substr(all.find("\n\n")));
      std::vector<std::string> found;
      for (std::string word; in >> word;) found.push_back(word);
      return found;
    };
    CHECK(words(text) == words(wide));
  }
}

TEST_CASE("cell: without a step it is one of the last weights, after all that masks do to them") {
  ProblemDraft draft = draft_of({"a", "b"});
  CHECK(told(draft, "b,a").starts_with("Where A[b, a] comes from"));
  draft.masks = {parse_mask("queries:1")};
  CHECK(told(draft, "b,a").starts_with("Where A_q[b, a] comes from"));
}

}  // namespace attn::testing
