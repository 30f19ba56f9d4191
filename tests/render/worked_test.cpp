// The arithmetic that text shows, read back and evaluated by a separate reader.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/io/samples.hpp"
#include "attn/render/explain.hpp"
#include "attn/writers.hpp"
#include "support/arithmetic_reader.hpp"
#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"
#include "support/program.hpp"
#include "support/random_problem.hpp"
#include "support/worked_reader.hpp"

namespace attn::testing {
namespace {

const TextStyle kWide{.width = 700};  // a line is a line

/// A way to compute a sample: as it is, or with something that makes other steps.
struct Variant {
  const char* name;
  Index stride;  ///< every cell is looked at, or every fifth
  bool open_softmax;
  std::function<void(ProblemDraft&)> change;
};

const std::vector<Variant>& variants() {
  static const std::vector<Variant> all = {
      {"as it is", 1, false, [](ProblemDraft&) {}},
      {"softmax opened", 1, true, [](ProblemDraft&) {}},
      {"causal, softcap", 5, false,
       [](ProblemDraft& d) {
         d.masks = {parse_mask("causal")};
         d.softcap = 2.0;
       }},
      {"rope", 5, true, [](ProblemDraft& d) { d.positions.kind = PositionKind::Rope; }},
      {"sinusoidal, multiply", 5, false,
       [](ProblemDraft& d) {
         if (d.embeddings) d.positions.kind = PositionKind::Sinusoidal;
         d.masking = MaskingMode::Multiply;
         d.masks = {parse_mask("causal")};
       }},
      {"alibi, renormalize", 5, false,
       [](ProblemDraft& d) {
         d.positions.kind = PositionKind::Alibi;
         d.masking = MaskingMode::Renormalize;
         d.masks = {parse_mask("window:1"), parse_mask("queries:0")};
       }},
      {"add a finite fill", 5, true, [](ProblemDraft& d) {
         d.masks = {parse_mask("causal")};
         d.masking = MaskingMode::Add;
         d.fill = -30.0;
       }}};
  return all;
}

/// The trace of a sample; nothing if the variant does not go with it.
std::optional<Trace> sample_trace(const Sample& sample, const Variant& variant) {
  ProblemDraft draft = parse_problem(sample.text, "sample").draft;
  variant.change(draft);
  const Recipe recipe = variant.open_softmax ? opened_softmax() : Recipe();
  return if_accepted([&] { return attend(make_problem(draft), recipe); });
}

/// Calls `use` for every attention sample in every variant that goes with it; returns how often.
int for_every_trace(const std::function<void(const Trace&, const Variant&)>& use) {
  int count = 0;
  for (const Sample& sample : attention_samples()) {
    for (const Variant& variant : variants()) {
      CAPTURE(sample.name);
      CAPTURE(variant.name);
      const auto trace = sample_trace(sample, variant);
      if (!trace) continue;
      use(*trace, variant);
      ++count;
    }
  }
  return count;
}

/// Every cell of a step.
std::vector<Cell> all_cells(const Step& step) {
  std::vector<Cell> cells;
  const Tensor& t = step.value;
  for (Index b = 0; b < t.batch(); ++b)
    for (Index h = 0; h < t.heads(); ++h)
      for (Index i = 0; i < t.rows(); ++i)
        for (Index j = 0; j < t.cols(); ++j) cells.push_back({b, h, i, j});
  return cells;
}

/// What explain_cell prints about a cell, wide.
std::string told(const Trace& trace, const Step& step, const Cell& cell, View view) {
  const Index group = trace.settings().heads / step.value.heads();
  if (step.value.shape().batch) view.batch = cell.batch;
  if (step.value.shape().heads) view.head = cell.head * group;
  const std::string address =
      step.id + ":" + std::to_string(cell.row) + "," + std::to_string(cell.col);
  return write_text(explain_cell(trace, address, view), kWide);
}

/// The head that the title of a printed explanation names: "… · kv head 0".
HeadName head_of_title(const std::string& text) {
  const std::string title = text.substr(0, text.find("\n\n"));
  const std::size_t dot = title.rfind("head ");
  if (dot == title.npos) return "";
  const std::size_t begin = title.rfind("· ", dot);
  const std::string head = title.substr(begin + std::string("· ").size());
  return head.substr(0, head.find('\n'));
}

/// The first thing that is wrong with the lines of one explanation.
std::string first_complaint(const Trace& trace, const std::string& text, Index batch,
                            int decimals) {
  const std::vector<WorkedLine> lines = worked_lines_of(text);
  if (lines.empty()) return "nothing is shown";
  std::vector<HeadName> heads{head_of_title(text)};  // of each level, as far as it is known
  for (const WorkedLine& line : lines) {
    const auto depth = static_cast<std::size_t>(line.depth);
    if (depth >= heads.size()) return "a level is left out";
    heads.resize(depth + 1);
    HeadName head = heads.back();
    const std::string complaint = complaint_about(trace, line, batch, decimals, head);
    if (!complaint.empty()) return complaint;
    heads.push_back(head);
  }
  return "";
}

/// The first line whose number is not in the arithmetic of the line that it belongs to, in words.
std::string first_stranger(const std::string& text) {
  std::vector<WorkedLine> above;
  for (const WorkedLine& line : worked_lines_of(text)) {
    above.resize(static_cast<std::size_t>(line.depth));
    std::string number = line.stages.back();
    if (number[0] == '-') number.erase(0, 1);
    bool found = above.empty();
    if (!found) {  // or without arithmetic: a hidden weight, and copies of it
      const auto& stages = above.back().stages;
      found = std::all_of(stages.begin() + 1, stages.end() - 1, [](const std::string& stage) {
        return stage.ends_with(']') && stage.find("·") == stage.npos;
      });
    }
    for (std::size_t i = 1; !found && i + 1 < above.back().stages.size(); ++i) {
      const auto numbers = numbers_in(above.back().stages[i]);
      found = std::find(numbers.begin(), numbers.end(), number) != numbers.end();
    }
    if (!found) return line.stages.front() + " = " + number + " is not in the line above";
    above.push_back(line);
  }
  return "";
}

View view_with(int precision, std::optional<int> depth) {
  View view;
  view.precision = precision;
  view.depth = depth;
  return view;
}

/// The corners of a step's matrices, and a cell inside.
std::vector<Cell> some_cells(const Step& step) {
  const Tensor& t = step.value;
  const Index b = t.batch() - 1, h = t.heads() - 1, i = t.rows() - 1, j = t.cols() - 1;
  return {{0, 0, 0, 0}, {b, h, i, j}, {b, 0, i, 0}, {0, h, 0, j}, {0, h, i / 2, j / 2}};
}

}  // namespace

TEST_CASE("worked: the reader knows the arithmetic, and what rounding leaves open") {
  struct Row {
    const char* text;
    double value;
  };
  for (const Row& row : {Row{"(1·2 + 0.5·(-3)) / √4", 0.25}, Row{"-1 / √4", -0.5},
                         Row{"2 - 3 - 4", -5}, Row{"-2·3 + 1", -5}, Row{"8 / 2 / 2", 2},
                         Row{"max(1, 5, -inf)", 5}, Row{"e^-0 / (e^0 + e^(1 - 1))", 0.5},
                         Row{"3·tanh(0 / 3) + 1", 1}, Row{"sin(0 / 100^(2/4)) + cos(0)", 1},
                         Row{"100^(1/2)", 10}, Row{"1 - 2·ln(e^3)", -5}, Row{"2·(3 + 4)", 14}}) {
    CAPTURE(row.text);
    const Range range = read_arithmetic(row.text, 12);
    CHECK(range.low <= row.value);
    CHECK(range.high >= row.value);
    CHECK(range.width() < 1e-11);
  }
  CHECK(close(0.001, read_number("0.500", 3).width()));
  CHECK(read_number("0.5", 3).width() < 1e-13);
  CHECK(read_number("2", 3).width() < 1e-13);
  CHECK(close(1e-7, read_number("1.2e-05", 3).width()));
  for (const char* text : {"1 +", "1 + + 2", "(1", "e^", "max(1", "one", "1)", "", "1 = 2"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(read_arithmetic(text, 3), std::invalid_argument);
  }
}

TEST_CASE("worked: the line of each cell of each step of every attention sample gives that cell" *
          doctest::test_suite("long")) {
  std::size_t cells = 0;
  const int traces = for_every_trace([&](const Trace& trace, const Variant& variant) {
    for (const Step& step : trace.steps) {
      CAPTURE(step.id);
      for (const Cell& cell : all_cells(step)) {
        if ((cell.head + cell.row + cell.col) % variant.stride != 0) continue;
        const std::string text = told(trace, step, cell, view_with(12, 0));
        CHECK(first_complaint(trace, text, cell.batch, 12) == "");
        ++cells;
      }
    }
  });
  CHECK(traces > 70);
  CHECK(cells > 8000);
}

TEST_CASE(
    "worked: with three decimals, or none, a line gives its cell within what was rounded away" *
    doctest::test_suite("long")) {
  for (const Sample& sample : attention_samples()) {
    CAPTURE(sample.name);
    const Trace trace = *sample_trace(sample, variants()[1]);
    for (const Step& step : trace.steps) {
      CAPTURE(step.id);
      for (const Cell& cell : all_cells(step)) {
        for (const int decimals : {3, 0}) {
          if (decimals == 0 && (cell.row + cell.col) % 4 != 0) continue;
          const std::string text = told(trace, step, cell, view_with(decimals, 0));
          CHECK(first_complaint(trace, text, cell.batch, decimals) == "");
        }
      }
    }
  }
}

TEST_CASE("worked: everything that a number came from is right too, and appears in its arithmetic" *
          doctest::test_suite("long")) {
  for_every_trace([&](const Trace& trace, const Variant&) {
    const Step& step = trace.steps.back();
    for (const std::size_t which : {1U, 4U}) {
      const Cell cell = some_cells(step)[which];
      const std::string text = told(trace, step, cell, view_with(12, 100));
      CHECK(first_complaint(trace, text, cell.batch, 12) == "");
      CHECK(first_stranger(text) == "");
    }
  });
}

TEST_CASE("worked: each depth shows the whole tree down to that level") {
  for (const Sample& sample : attention_samples()) {
    CAPTURE(sample.name);
    const Trace trace = *sample_trace(sample, variants()[0]);
    for (const Step& step : trace.steps) {
      CAPTURE(step.id);
      const Cell cell = some_cells(step)[1];
      const auto all = worked_lines_of(told(trace, step, cell, view_with(12, 100)));
      for (int depth = 0; depth < 6; ++depth) {
        CAPTURE(depth);
        std::vector<std::string> expected, found;
        bool deeper = false;
        for (const WorkedLine& line : all) {
          if (line.depth <= depth) expected.push_back(line.stages.front());
          deeper |= line.depth > depth;
        }
        const std::string text = told(trace, step, cell, view_with(12, depth));
        for (const WorkedLine& line : worked_lines_of(text)) found.push_back(line.stages.front());
        CHECK(expected == found);
        const std::string more = " below: depth " + std::to_string(depth + 1) + " shows ";
        CHECK((text.find(more) != text.npos) == deeper);
      }
    }
  }
}

TEST_CASE("worked: the cells of random problems, and the cells that those came from") {
  for (std::uint64_t seed = 7000; seed < 7020; ++seed) {
    CAPTURE(seed);
    ProblemDraft draft = random_problem(seed);
    if (draft.empty_row == EmptyRow::Error) draft.empty_row = EmptyRow::Zero;
    if (draft.fill && std::isfinite(*draft.fill))
      draft.fill = std::max(*draft.fill, -9.0);  // −1e9 would swallow the digits of scores
    const Recipe recipe = seed % 2 == 1 ? opened_softmax() : Recipe();
    const Trace trace = attend(make_problem(draft), recipe);
    for (const Step& step : trace.steps) {
      CAPTURE(step.id);
      const Cell cell = some_cells(step)[4];
      const std::string text = told(trace, step, cell, view_with(12, 3));
      CHECK(first_complaint(trace, text, cell.batch, 12) == "");
      CHECK(first_stranger(text) == "");
    }
  }
}

TEST_CASE("worked: the examples of explain are right, one under each computed step") {
  for_every_trace([&](const Trace& trace, const Variant&) {
    for (const int decimals : {3, 12}) {
      View view = view_with(decimals, {});
      const std::string text = write_text(explain(trace, view), kWide);
      std::vector<int> examples;  // below each heading
      for (const std::string& line : lines_of(text)) {
        if (line.starts_with("[")) examples.push_back(0);
        if (line.starts_with("    e.g.") && !examples.empty()) ++examples.back();
      }
      const std::vector<const Step*> steps = shown_steps(trace, view);
      REQUIRE(examples.size() == steps.size());
      for (std::size_t i = 0; i < steps.size(); ++i) {
        const Operation& by = *steps[i]->operation;
        const bool moved =
            by.copies || steps[i]->only_rearranges() || std::string(by.name).starts_with("append_");
        CAPTURE(steps[i]->id);
        if (steps[i]->parameters.find("first_column") || by.name == std::string("t5_bias"))
          continue;  // the example may be a copy
        CHECK(examples[i] == (by.derive != nullptr && !moved ? 1 : 0));
      }
      for (const WorkedLine& line : worked_lines_of(text)) {
        if (!line.lead.starts_with("e.g.")) continue;
        HeadName head = "head 0";  // where all heads are alike
        if (line.lead.size() > 5)
          head = line.lead.substr(
              5, line.lead.find(line.lead.find(',') != line.lead.npos ? ',' : ':') - 5);
        const std::size_t dot = head.find("· ");
        if (dot != head.npos) head = head.substr(dot + std::string("· ").size());
        CHECK(complaint_about(trace, line, 0, decimals, head) == "");
      }
    }
  });
}

}  // namespace attn::testing
