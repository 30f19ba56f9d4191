// The patterns of a page, filled in: every cell has the arithmetic that its operation derives.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstdint>

#include "attn/attend.hpp"
#include "attn/render/explain.hpp"
#include "support/gradients.hpp"
#include "support/random_model.hpp"
#include "support/random_problem.hpp"
#include "support/traces.hpp"

namespace attn::testing {
namespace {

Index at(const Coordinate& c, const Cell& own) {
  switch (c.axis) {
    case 'b':
      return own.batch + c.offset;
    case 'h':
      return own.head + c.offset;
    case 'r':
      return own.row + c.offset;
    case 'c':
      return own.col + c.offset;
    default:
      return c.offset;
  }
}

void collect(const Expression& e, std::vector<const Expression*>& leaves) {
  if (e.kind == Expression::Kind::Leaf) leaves.push_back(&e);
  for (const Expression& part : e.parts) collect(part, leaves);
}

/// Checks that two trees are alike, but for the cells of leaves and all values of what is computed.
void check_alike(const Expression& a, const Expression& b) {
  REQUIRE(a.kind == b.kind);
  CHECK(a.text == b.text);
  if (a.kind == Expression::Kind::Constant)
    CHECK(std::bit_cast<std::uint64_t>(a.value) == std::bit_cast<std::uint64_t>(b.value));
  REQUIRE(a.parts.size() == b.parts.size());
  for (std::size_t i = 0; i < a.parts.size(); ++i) check_alike(a.parts[i], b.parts[i]);
}

std::vector<Cell> cells_of(const Tensor& t) {
  std::vector<Cell> cells;
  for (Index b = 0; b < t.batch(); ++b)
    for (Index h = 0; h < t.heads(); ++h)
      for (Index r = 0; r < t.rows(); ++r)
        for (Index c = 0; c < t.cols(); ++c) cells.push_back({b, h, r, c});
  return cells;
}

/// Checks a book. Returns how many cells are computed.
std::size_t check_book(const Trace& trace, const CellBook& book) {
  std::size_t derived = 0;
  for (const CellOrigins& own : book) {
    const Step& step = trace.at(own.id);
    CAPTURE(own.id);
    CHECK(own.numbers.size() == step.value.data().size());
    if (own.patterns.empty()) continue;
    std::size_t i = 0;
    for (const Cell& cell : cells_of(step.value)) {
      const CellPattern& pattern = own.patterns.at(own.pattern.at(i));
      const Expression how = derive(trace, step, cell);
      std::vector<const Expression*> leaves;
      collect(how, leaves);
      check_alike(pattern.how, how);
      REQUIRE(pattern.leaves.size() == leaves.size());
      for (std::size_t n = 0; n < leaves.size(); ++n) {
        const PatternLeaf& leaf = pattern.leaves[n];
        const Cell there{at(leaf.batch, cell), at(leaf.head, cell), at(leaf.row, cell),
                         at(leaf.col, cell)};
        CHECK(leaf.input == leaves[n]->input);
        CHECK(there == leaves[n]->cell);
      }
      if (!how.parts.empty()) ++derived;
      ++i;
    }
  }
  return derived;
}

}  // namespace

TEST_CASE("pages: patterns give every cell of random problems its own leaves") {
  std::size_t derived = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    ProblemDraft draft = random_problem(seed);
    if (draft.empty_row == EmptyRow::Error) continue;
    CAPTURE(seed);
    const Trace trace = attend(make_problem(draft), seed % 2 == 0 ? Recipe{} : full_detail());
    derived += check_book(trace, explain_page(trace, {}).cells);
  }
  CHECK(derived > 1000);
}

TEST_CASE("pages: patterns give every gradient its own leaves") {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    CAPTURE(seed);
    const Trace trace = with_gradients(seed);
    CHECK(check_book(trace, explain_page(trace, {}).cells) > 0);
  }
}

TEST_CASE("pages: a step has few patterns") {
  const Trace trace = sample_trace(4);
  for (const CellOrigins& own : explain_page(trace, {}).cells) {
    CAPTURE(own.id);
    CHECK(own.patterns.size() <= static_cast<std::size_t>(2 * trace.at(own.id).value.rows()));
  }
}

TEST_CASE("pages: without masks nothing is hidden") {
  const Trace trace = sample_trace(4);
  const Document page = explain_page(trace, {});
  REQUIRE_FALSE(page.unmasked.empty());
  for (const CellOrigins& own : page.unmasked) {
    CAPTURE(own.id);
    CHECK(std::find(own.hidden.begin(), own.hidden.end(), true) == own.hidden.end());
  }
}

TEST_CASE("pages: a large problem has its weights alone, and a note says so") {
  std::vector<double> row(300, 0.5);
  ProblemDraft draft;
  Array x{{300, 2}, std::vector<double>(600, 0.5)};
  draft.q = draft.k = draft.v = x;
  const Trace trace = attend(make_problem(draft));
  const Document page = explain_page(trace, {});
  CHECK(page.cells.empty());
  const bool noted = std::any_of(page.blocks.begin(), page.blocks.end(), [](const Block& block) {
    const auto* paragraph = std::get_if<Paragraph>(&block);
    return paragraph != nullptr && paragraph->text.find("only the weights") != std::string::npos;
  });
  CHECK(noted);
  std::vector<std::string> shown;
  for (const Block& block : page.blocks)
    if (const auto* grid = std::get_if<Grid>(&block)) shown.push_back(grid->step);
  CHECK(shown == std::vector<std::string>{"weights"});
}

}  // namespace attn::testing
