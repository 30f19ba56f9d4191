// Where a number comes from: which cell is meant, what is said about it.

#include "attn/render/explain.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/io/samples.hpp"
#include "attn/render/text.hpp"
#include "attn/suggest.hpp"
#include "attn/writers.hpp"
#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"
#include "support/told_cell.hpp"
#include "support/worked_reader.hpp"

namespace attn::testing {
namespace {

Diagnostic refusal(const ProblemDraft& draft, const std::string& cell) {
  const Trace trace = attend(make_problem(draft));
  const Error error = error_from([&] { explain_cell(trace, cell, {}); });
  CHECK(error.kind() == ErrorKind::Usage);
  return error.diagnostics().front();
}

/// The title and the sentences before the arithmetic.
std::string story(const std::string& text) { return text.substr(0, text.find("\n\n")); }

}  // namespace

TEST_CASE("cell: tokens that hold commas and colons, repeated ones by their index") {
  const ProblemDraft draft = draft_of({"a", ",", "b,c", "A:x", "a"});
  struct Row {
    const char *cell, *name;
  };
  for (const Row& row : {Row{"weights:,,b,c", "A[,, b,c]"}, Row{"A:b,c,,", "A[b,c, ,]"},
                         Row{"A:A:x,1", "A[A:x, ,]"}, Row{"A:b,c,A:x", "A[b,c, A:x]"},
                         Row{"5:0:a,4:a", "S′[0:a, 4:a]"}, Row{"S′: 4 , 1", "S′[4:a, ,]"},
                         Row{"scores:4,0:a", "S[4:a, 0:a]"}, Row{"q:A:x,q1", "Q[A:x, q1]"}}) {
    CAPTURE(row.cell);
    CHECK(told(draft, row.cell).starts_with("Where " + std::string(row.name) + " comes from"));
  }
}

TEST_CASE(
    "cell: what does not name one is refused, a wrong row or column with the size of the step") {
  const ProblemDraft draft = draft_of({"the", "cat", "the"});
  struct Row {
    std::string cell, id, what;
  };
  for (const Row& row :
       {Row{"1,-1", "no-such-column", no_such("column", "-1")},
        Row{"3,0", "no-such-row", no_such("row", "3")},
        Row{"scores:cta,0", "no-such-row", no_such("row", "cta") + did_you_mean({"cat"})},
        Row{"q:0,2", "no-such-column", no_such("column", "2")},
        Row{"cat,the", "ambiguous-column", in_doubt("the")},
        Row{"weights:dog", "no-such-row", no_such("row", "dog")},
        Row{"A[dog, cat]", "no-such-row", no_such("row", "dog")},
        Row{"scores:0, cta", "no-such-column", "no column \"cta\"" + did_you_mean({"cat"})},
        Row{"C[cat, c0]", "no-such-cell", no_step_here("C")},
        Row{"a[cat, cat]", "no-such-cell", "no step \"a\"" + did_you_mean({"A"})},
        Row{"memory[0, m0]", "no-such-cell", no_step_here("memory")},
        Row{"A[cat, cat", "no-such-cell", "its bracket is not closed"},
        Row{"head x: A[cat, cat]", "no-such-cell", "no step \"head x: A\""},
        Row{"A[1]:cat,0", "no-such-cell", "brackets hold head N or batch N, then ROW,COL"},
        Row{"weights[1][cat, 0]", "no-such-cell", "brackets hold head N or batch N"},
        Row{"cat", "no-such-cell", "a query and a key are needed"},
        Row{"", "no-such-cell", "a query and a key are needed"},
        Row{"wights:1,1", "no-such-cell", "has no step \"wights\"" + did_you_mean({"weights"})},
        Row{"mask:1,1", "no-such-cell", no_step_here("mask")}}) {
    CAPTURE(row.cell);
    const Diagnostic diagnostic = refusal(draft, row.cell);
    CHECK(diagnostic.id == row.id);
    CHECK(has(diagnostic.what, row.what));
    if (diagnostic.id == "no-such-cell") continue;
    REQUIRE(diagnostic.places.size() == 1);
    CHECK(has(diagnostic.places[0].remark, " has 3 rows (query) and "));
  }
  CHECK(has(refusal(draft, "cat,the").fix, name_by_index("0, 2")));
  CHECK(refusal(draft, "weights:3,0").fix == "Indices start at 0: the last is 2.");
  CHECK(refusal(draft, "A[cat, cat").fix == "Write A[cat, cat].");
  CHECK(refusal(draft, "A[1]:cat,0").fix ==
        "Write A[ROW,COL], or A[head 1][ROW,COL] for one of several heads.");
  CHECK(refusal(draft, "C[cat, c0]").fix == "It appears with several heads.");
  CHECK(has(refusal(draft, "weights:dog,0").fix, "Name one (0:the, cat, 2:the) or give an index"));
}

TEST_CASE("cell: it is named as the output prints it") {
  ProblemDraft draft = draft_of({"the", "cat", "[MASK]"});
  struct Row {
    const char *cell, *name, *head;
  };
  for (const Row& row : {Row{"Q[cat,q1]", "Q[cat, q1]", ""}, Row{"A[cat, the]", "A[cat, the]", ""},
                         Row{" S′[[MASK], the] ", "S′[[MASK], the]", ""},
                         Row{"weights:[MASK],cat", "A[[MASK], cat]", ""},
                         Row{"O[cat]", "O[cat]", ""}, Row{"output:[MASK]", "O[[MASK]]", ""}}) {
    CAPTURE(row.cell);
    CHECK(told(draft, row.cell).starts_with("Where " + std::string(row.name) + " comes from"));
  }
  draft.heads = 2;
  for (const Row& row :
       {Row{"A[head 1][cat, the]", "A[cat, the]", "head 1"},
        Row{"Z[cat, z1] of head 1", "Z[cat, z1]", "head 1"},
        Row{"A[cat, the]", "A[cat, the]", "head 0"},
        Row{"head 1: S[cat, the]", "S[cat, the]", "head 1"},
        Row{"head 1 :S[cat, the]", "S[cat, the]", "head 1"}, Row{"Q[cat, …]", "Q[cat]", ""},
        Row{"Q[cat, ...]", "Q[cat]", ""}, Row{"Z[cat, z1]", "Z[cat, z1]", "head 1"},
        Row{"A:1,cat,the", "A[cat, the]", "head 1"}, Row{"A[1, 1, 0]", "A[cat, the]", "head 1"},
        Row{"A:0,1,0", "A[cat, the]", "head 0"}, Row{"V_i[cat, v0]", "V_i[cat, v0]", "head 0"},
        Row{"Z[head 1][cat]", "Z[cat]", "head 1"}}) {
    CAPTURE(row.cell);
    const std::string text = told(draft, row.cell);
    CHECK(text.starts_with("Where " + std::string(row.name) + " comes from"));
    CHECK(has(text.substr(0, text.find('\n')), row.head));
  }
}

TEST_CASE("cell: every name that explain prints is an address") {
  for (const Sample& sample : samples()) {
    CAPTURE(sample.name);
    const Trace trace = attend(make_problem(parse_problem(sample.text, "sample").draft));
    int names = 0;
    for (const WorkedLine& line : worked_lines_of(write_text(explain(trace, {}), {.width = 700}))) {
      const std::string text =
          write_text(explain_cell(trace, line.stages.front(), {}), {.width = 700});
      CHECK(text.starts_with("Where " + line.stages.front() + " comes from"));
      ++names;
    }
    CHECK(names >= 3);
  }
}

TEST_CASE("cell: a head that is not there is refused, and the setting to change is named") {
  ProblemDraft draft = draft_of({"the", "cat"});
  const Diagnostic single = refusal(draft, "scores:1,0,0");
  CHECK(has(single.what, "scores has no heads"));
  CHECK(single.fix == "Write scores:ROW,COL.");
  CHECK(refusal(draft, "q:0,0,0").fix == "Write q:ROW,COL.");  // not even an axis of one
  draft.heads = 2;
  const Diagnostic third = refusal(draft, "scores:2,0,0");
  CHECK(has(third.what, "scores has 2 heads, and \"2\" is none of them"));
  CHECK(third.fix == "Heads are counted from 0: write scores:1,ROW,COL for the last one.");
  CHECK(refusal(draft, "scores:1,9,0").id == "no-such-row");
  CHECK(has(refusal(draft, "scores:0,1,0,0").fix, "STEP:HEAD,ROW,COL"));
  const Diagnostic diagnostic = refusal(draft, "A[head 2][cat, the]");
  CHECK(diagnostic.what == "there is no head 2: this problem has 2 heads");
  CHECK(diagnostic.fix == "Indices start at 0: the last is 1.");
  REQUIRE(diagnostic.changes.size() == 1);
  CHECK(diagnostic.changes[0].setting == "head");
}

TEST_CASE("cell: a whole row is a sum of rows, in symbols and in numbers, without hidden terms") {
  ProblemDraft draft = draft_of({"s1", "s2"});
  draft.v = Array{{2, 2}, {1, 0, 0, 1}};
  const std::string open = told(draft, "output:s1");
  CHECK(has(open, "\n    O[s1] = A[s1, s1]·V[s1] + A[s1, s2]·V[s2] ≈ 0."));
  CHECK(has(open, "·(1, 0) + 0."));
  CHECK(has(open, "·(0, 1) ≈ (0."));
  draft.masks = {parse_mask("causal")};
  CHECK(has(told(draft, "output:s1"), "\n    O[s1] = A[s1, s1]·V[s1] = 1·(1, 0) = (1, 0)\n"));
  CHECK(has(told(draft, "O[s2]"), "\n    O[s2] = A[s2, s1]·V[s1] + A[s2, s2]·V[s2] ≈ "));
}

TEST_CASE("cell: a row that is not a sum of rows is explained cell by cell") {
  ProblemDraft draft = draft_of({"a", "b"});
  draft.masks = {parse_mask("causal")};
  const std::string text = told(draft, "weights:a");
  CHECK(text.starts_with("Where A[a] comes from"));
  CHECK(has(text, "\n    A[a, a] "));
  CHECK(has(text, "\n    A[a, b] = 0   (hidden by causal: " + std::string(kComesLater) + ")\n"));
}

TEST_CASE("cell: a row shows the matrix's own numbers") {
  for (const Sample& sample : attention_samples()) {
    CAPTURE(sample.name);
    const Trace trace = attend(make_problem(parse_problem(sample.text, "sample").draft));
    const Step& output = trace.steps.back();
    const std::string text = write_text(explain_cell(trace, "output:0", {}), {.width = 2000});
    const bool gated = trace.find("attention_gate") != nullptr;
    if (gated || has(text, " of head ")) continue;  // no sums of rows: products, heads side by side
    std::istringstream numbers(text.substr(text.rfind('(') + 1));
    for (Index col = 0; col < output.value.cols(); ++col) {
      double shown = 99.0;
      numbers >> shown;
      numbers.ignore(1);
      CHECK(close(output.value.at({0, 0, 0, col}), shown, 0.001));
    }
  }
}

TEST_CASE("cell: a hidden cell names the mask and the positions") {
  ProblemDraft draft = draft_of({"a", "b", "c", "d"});
  draft.masks = {parse_mask("causal"), parse_mask("window:1"), parse_mask("keys:3"),
                 parse_mask("keys:d")};
  const std::string text = told(draft, "M:1,3");
  CHECK(has(text, "\nHidden by causal: " + std::string(kComesLater) +
                      ". Query \"b\" is at position 1, key "
                      "\"d\" at 3.\n"));
  CHECK(has(text, "\n    M[b, d] = -inf\n      before hiding: S′[b, d] = "));
  CHECK(has(story(told(draft, "A:2,0")), "Hidden by window:1: the key is outside the query's"));
  CHECK(!has(told(draft, "A:1,1"), "Hidden"));
  CHECK(has(told(draft, "A:1,1"), "(2 of 4 keys hidden by causal)"));
  CHECK(has(told(draft, "A:2,2"), "(1 of 4 keys hidden by window:1, 1 by causal)"));
}

TEST_CASE("cell: positions count the past, and with align end the keys before") {
  ProblemDraft draft = draft_of({"a", "b", "c"});
  draft.masks = {parse_mask("causal")};
  draft.past =
      ProblemDraft::Past{{"p", "r"}, Array{{2, 2}, {1, 2, 3, 4}}, Array{{2, 2}, {1, 2, 3, 4}}};
  CHECK(has(told(draft, "A:0,4"), "Query \"a\" is at position 2, key \"c\" at 4."));
  ProblemDraft longer = draft_of({"a", "b", "c"});
  longer.q = Array{{1, 2}, {1, 2}};
  longer.tokens = {{"x"}};
  longer.key_tokens = {{"a", "b", "c"}};
  longer.masks = {parse_mask("keys:1")};
  longer.align = Align::End;
  CHECK(has(told(longer, "A:0,1"), "Query \"x\" is at position 2, key \"b\" at 1."));
  longer.add_zero_attn = true;  // a key that has no position
  CHECK(has(told(longer, "A:0,1"), "Query \"x\" is at position 2, key \"b\" at 1."));
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
  CHECK(
      has(told(draft, "A:1,1"), "(1 of 3 keys masked by causal" + std::string(kSomeWeight) + ")"));
  CHECK(
      has(told(draft, "O:1,1"), "(1 of 3 keys masked by causal" + std::string(kSomeWeight) + "; "));
  CHECK(has(told(draft, "A:1,2"),
            "\nMasked by causal" + std::string(kSomeWeight) + ". Query \"b\" "));
  CHECK(has(told(draft, "A:0,1"), "   (masked by causal" + std::string(kSomeWeight) + ")\n"));
  CHECK(!has(told(draft, "A:0,1"), "idden"));
  CHECK(has(told(draft, "mask:1,2"), "Hidden by causal: " + std::string(kComesLater)));
  draft.fill = -1e9;
  CHECK(has(told(draft, "A:1,1"), "(1 of 3 keys hidden by causal)"));
  CHECK(has(told(draft, "A:1,2"), "\nHidden by causal: " + std::string(kComesLater) + ". "));
}

TEST_CASE("cell: a row without a visible key says where its weights are from") {
  ProblemDraft draft = draft_of({"a", "b"});
  draft.masks = {parse_mask("keys:0,1")};
  draft.empty_row = EmptyRow::Uniform;
  const std::string reason = "   (no key is visible: each of the 2 gets 1/2)\n";
  CHECK(has(told(draft, "A:1,0"), "\n    A[b, a] = 0.5" + reason));
  CHECK(has(told(draft, "A:1"), "\n    A[b, b] = 0.5" + reason));
  CHECK(has(told(draft, "M:1,0"), "Hidden by keys:0,1: "));
  CHECK(has(told(draft, "O:1,0"), "(2 of 2 keys hidden by keys:0,1; "));
  draft.empty_row = EmptyRow::Nan;
  CHECK(has(told(draft, "A:1,0"), "A[b, a] = nan   (no key is visible: 0/0 "));
  draft.masking = MaskingMode::Renormalize;
  draft.empty_row = EmptyRow::Uniform;
  CHECK(has(told(draft, "A_r:1,0"), reason));
}

TEST_CASE("cell: the reason for a masked score says what happens there, not what might") {
  const char* kBias = "A bias raises or lowers the scores of some pairs before softmax.\n";
  const char* kHidden = "A score of 0 would still get weight, because ";
  ProblemDraft draft = draft_of({"a", "b", "c"});
  draft.positions.kind = PositionKind::Alibi;
  CHECK(has(told(draft, "M:1,2"), kBias));
  draft.masks = {parse_mask("causal")};
  CHECK(has(told(draft, "M:1,0"), kBias));
  CHECK(has(told(draft, "M:1,2"), kHidden));
  draft.positions.kind = PositionKind::None;
  CHECK(has(told(draft, "M:1,0"), "\nThe mask leaves this score as it is.\n"));
  draft.fill = -5.0;
  CHECK(
      has(told(draft, "M:1,2"), "\nA masked score gets the fill; only −∞ is sure to remove it: "));
  View full;
  full.detail = Detail::Full;
  full.steps = {"M"};
  draft = draft_of({"a", "b", "c"});
  draft.positions.kind = PositionKind::Alibi;
  CHECK(has(write_text(explain(attend(make_problem(draft)), full), {.width = 700}), kBias));
  draft.masks = {parse_mask("causal")};
  CHECK(has(write_text(explain(attend(make_problem(draft)), full), {.width = 700}), kHidden));
}

TEST_CASE("cell: lines to be read aloud say their level, and headlines have commas") {
  ProblemDraft draft = draft_of({"a", "b"});
  draft.masks = {parse_mask("causal")};
  const std::string text = told(draft, "M:0,1", {}, {.width = 700, .layout = Layout::Lines});
  CHECK(has(text, std::string("\nM = S′, −∞") + kWhereHidden + ", 2×2\n"));
  CHECK(has(text, "\nM[a, b] = -inf\nlevel 1, before hiding: S′[a, b] = "));
  CHECK(has(text, "\nlevel 2: S[a, b] = "));
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

TEST_CASE("cell: a query and a key without a step are followed through all steps") {
  const ProblemDraft draft = draft_of({"a", "b", "c,d"});
  const std::string text = told(draft, "c,d,a");
  for (const char* name : {" S[c,d, a] ", " S′[c,d, a] ", " A[c,d, a] ", " O[c,d, o"}) {
    CAPTURE(name);
    CHECK(has(text, "    e.g." + std::string(name)));
  }
}

}  // namespace attn::testing
