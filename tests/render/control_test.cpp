// Whatever is in a document, no writer passes on what acts on a terminal or cannot be seen.
#include <doctest/doctest.h>

#include "attn/check.hpp"
#include "attn/core/format.hpp"
#include "attn/document.hpp"
#include "attn/render/text.hpp"
#include "attn/writers.hpp"
#include "support/program.hpp"

namespace attn::testing {
namespace {

const std::string kHostile = "a\x1b[31m\x07\x7f\r\t\u202e\u200b\u009bz";

/// Every text of every kind of block.
Document hostile_document() {
  const std::string& h = kHostile;
  Grid grid;
  grid.caption = grid.name = grid.side = h;
  grid.row_labels = grid.col_labels = {h};
  grid.row_tokens = grid.col_tokens = true;
  grid.numbers = {1.0};
  grid.kinds = {CellKind::Number};
  StepHeading heading{1, 2, h, "S = Q·Kᵀ", h, "1×1"};  // formulas and shapes are ours
  Worked worked{.lead = h, .cells = {{"s", {}, h}}, .result = 2.0, .remark = h, .side = h};
  Worked row{.terms = {{{"s", {}, h}, 1.0, h, {1.0}}}, .row = {1.0}};
  Checklist checks{{{CellVerdict::Wrong, 5, 8, h, h, h, h, h, true}}};
  Document document{{Title{h, "", {h, h}}, Title{h, "", {h}, 2}}};
  for (const Role role : {Role::Plain, Role::Facts, Role::Aside, Role::Note, Role::Footer})
    document.blocks.emplace_back(Paragraph{h, role});
  document.blocks.emplace_back(Paragraph{h, Role::Labelled, h});
  document.blocks.emplace_back(Code{{h}});
  document.blocks.emplace_back(List{{{h, h}, {"", h}}});
  for (const bool commands : {false, true})
    document.blocks.emplace_back(Table{{h, h}, {{h, h}}, 2, commands, false, !commands});
  for (const Block& block : std::vector<Block>{Table{{h, h}, {{h, h}}, 1}, heading, grid, heading,
                                               heading, worked, worked, row, checks})
    document.blocks.push_back(block);
  return document;
}

}  // namespace

TEST_CASE("writers: no text of any block controls a terminal") {
  const Document document = hostile_document();
  for (const Format& format : document_formats()) {
    if (format.document == nullptr) continue;
    for (const Fit fit : {Fit::Whole, Fit::Screen}) {
      for (const Layout layout : {Layout::Grid, Layout::Lines}) {
        CAPTURE(format.name);
        TextStyle style;
        style.fit = fit;
        style.layout = layout;
        for (const std::string& line : lines_of(format.document(document, style)))
          CHECK(visible(line) == line);
      }
    }
  }
}

}  // namespace attn::testing
