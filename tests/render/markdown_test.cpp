// Documents as Markdown: escapes, tables that can be read as they are, formulas in three flavours.
#include <doctest/doctest.h>

#include "attn/check.hpp"
#include "attn/writers.hpp"
#include "render/writers/markdown_text.hpp"
#include "support/program.hpp"

using attn::markdown_code;
using attn::markdown_line;
using attn::markdown_words;
using attn::testing::has;
using attn::testing::lines_of;

TEST_CASE("markdown: whatever means something is escaped") {
  CHECK(markdown_words("a|b*c_d`e<f[g\\h") == "a\\|b\\*c\\_d\\`e&lt;f\\[g\\\\h");
  CHECK(markdown_words("# @ ~ ^ { &") == "\\# &#64; &#126; &#94; \\{ &amp;");
  CHECK(markdown_words("$x$") == "&#36;x&#36;");
  CHECK(markdown_words("--mask :tada: 2:the") == "\\-\\-mask &#58;tada: 2:the");
  CHECK(markdown_words("https://a.b www.a.b") == "https&#58;//a.b www\\.a.b");
  CHECK(markdown_words("-0.5 1. a") == "-0.5 1. a");
}

TEST_CASE("markdown: a line does not begin a list, a quote or a rule") {
  CHECK(markdown_line("- a") == "\\- a");
  CHECK(markdown_line("1. a") == "1\\. a");
  CHECK(markdown_line("(a) b") == "(a\\) b");
  CHECK(markdown_line("===") == "&#61;==");
  CHECK(markdown_line("> a") == "\\> a");
  CHECK(markdown_line("e.g. 1. a") == "e.g. 1. a");
}

TEST_CASE("markdown: code is between more backticks than it has in a row") {
  CHECK(markdown_code("a") == "`a`");
  CHECK(markdown_code("a``b") == "```a``b```");
  CHECK(markdown_code("`a") == "`` `a ``");
  CHECK(markdown_code(" a ") == "`  a  `");
  CHECK(markdown_code(" a") == "` a`");
}

TEST_CASE("markdown: the columns of a table are aligned, wide characters included") {
  const std::string table = attn::markdown_table({{"", "x"}, {{"猫", "1"}, {"the", "-0.25"}}}, {});
  CHECK(table ==
        "|     |     x |\n"
        "| :-- | ----: |\n"
        "| 猫  |     1 |\n"
        "| the | -0.25 |\n");
}

TEST_CASE("markdown: formulas for GitHub, for pandoc, and as plain text") {
  attn::StepHeading heading;
  heading.number = 6;
  heading.total = 8;
  heading.formula = "S′ = S / √d_k";
  const attn::Document document{{heading}};
  const auto with = [&](attn::Math math) {
    attn::TextStyle style;
    style.markup.math = math;
    return attn::write_markdown(document, style);
  };
  CHECK(has(with(attn::Math::Gfm), "\n$`S' = S / \\sqrt{d_{k}}`$\n"));
  CHECK(has(with(attn::Math::Pandoc), "\n$S' = S / \\sqrt{d_{k}}$\n"));
  CHECK(has(with(attn::Math::None), "\n`S′ = S / √d_k`\n"));
  CHECK(with(attn::Math::None).starts_with("## Step 6 of 8: S′ = S / √d\\_k\n"));
}

TEST_CASE("markdown: what is hidden and what differs shows without colours") {
  attn::Grid grid;
  grid.caption = "head 0";
  grid.row_labels = {"a"};
  grid.col_labels = {"b", "c", "d"};
  grid.numbers = {0.0, -1e9, 0.5};
  grid.kinds = {attn::CellKind::HiddenWeight, attn::CellKind::HiddenScore, attn::CellKind::Number};
  grid.gaps = {0.0, 0.0, 1.0};
  const std::string text = attn::write_markdown({{grid}});
  CHECK(has(text, "**head 0**\n\n"));
  CHECK(has(text, "|   · | (-1e+09) | 0.5\\* |"));
  CHECK(has(text, "( ) hidden by a mask, \\* differs"));
}

TEST_CASE("markdown: cells below cells are a list in a list") {
  const attn::Worked top{.cells = {{"s", {}, "S[a, b]"}}, .result = 2.0, .remark = "a_b"};
  attn::Worked below = top;
  below.lead = "before hiding:";
  below.depth = 1;
  CHECK(attn::write_markdown({{top}}) == "`S[a, b] = 2` (a\\_b)\n");
  CHECK(attn::write_markdown({{top, below}}) ==
        "- `S[a, b] = 2` (a\\_b)\n  - before hiding: `S[a, b] = 2` (a\\_b)\n");
}

TEST_CASE("markdown: checklists and maps of cells are tables") {
  using attn::CellVerdict;
  attn::Checklist list{{{CellVerdict::Wrong, 5, 8, "S", "scores", "1×2", "1 of 2", "", true}}};
  attn::Grid grid;
  grid.row_title = "query";
  grid.col_title = "key";
  grid.row_labels = {"a|b"};
  grid.col_labels = {"c", "d"};
  grid.marks = {CellVerdict::Right, CellVerdict::Wrong};
  const std::string text = attn::write_markdown({{list, grid}});
  CHECK(has(text, "| ✗   | \\[5/8] | S   | scores | 1×2   | 1 of 2 | ← first wrong step |"));
  CHECK(has(text, "| a\\|b       |   ✓ |   ✗ |"));
  CHECK(has(text, "✓ right, ✗ wrong"));
}
