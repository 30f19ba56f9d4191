// Documents as LaTeX: escapes, arithmetic, arrays, and what goes around them.
#include <doctest/doctest.h>

#include <cmath>

#include "attn/operation.hpp"
#include "attn/render/formula.hpp"
#include "attn/trace.hpp"
#include "attn/writers.hpp"
#include "render/writers/latex_text.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"

using namespace attn;
using attn::testing::has;

namespace {

Grid small_grid() {
  Grid grid;
  grid.step = "weights";
  grid.row_title = "query";
  grid.col_title = "key";
  grid.row_labels = {"a_b", "c"};
  grid.col_labels = {"d", "e"};
  grid.numbers = {1.0, 0.0, -INFINITY, 2.5e-7};
  grid.kinds = {CellKind::Number, CellKind::HiddenWeight, CellKind::HiddenScore, CellKind::Number};
  return grid;
}

StepHeading heading_with(const std::string& formula) {
  StepHeading heading;
  heading.number = 8;
  heading.total = 9;
  heading.id = "weights";
  heading.phrase = "shares";
  heading.formula = formula;
  heading.shape = "2×2";
  return heading;
}

}  // namespace

TEST_CASE("latex: every engine has the letters of all symbols and formulas") {
  for (const std::string& id : step_ids()) {
    CAPTURE(id);
    CHECK(foreign_letters(formula_latex(find_step_info(id)->symbol)).empty());
  }
  for (const Operation* operation : operations()) {
    CAPTURE(operation->name);
    CHECK(foreign_letters(latex_text(operation->formula == nullptr ? "" : operation->formula))
              .empty());
  }
}

TEST_CASE("latex: whatever means something in text is escaped") {
  CHECK(latex_text("# $ % & _ { } ~ ^ \\") ==
        "\\# \\$ \\% \\& \\_ \\{ \\} \\textasciitilde{} \\textasciicircum{} \\textbackslash{}");
  CHECK(latex_text("\\input{x}") == "\\textbackslash{}input\\{x\\}");
  CHECK(latex_text("<a|b>") == "\\textless{}a\\textbar{}b\\textgreater{}");
  CHECK(latex_text("--mask '' `a") == "-{}-mask '{}' {`}a");
  CHECK(latex_text("a  b") == "a \\ b");
}

TEST_CASE("latex: our own symbols are mathematics") {
  CHECK(latex_text("divided by √d_k.") == "divided by $\\sqrt{d_{k}}$.");
  CHECK(latex_text("S′ → ≈ −∞") == "S$'$ $\\to$ $\\approx$ $-$$\\infty$");
  CHECK(latex_math("(5×4)·(4×5) → 5×5") == "(5\\times 4)\\cdot (4\\times 5) \\to 5\\times 5");
  CHECK(latex_math("∂L/∂W_q") == "\\partial L/\\partial W_{q}");
  CHECK(latex_math("X_tok") == "X_{\\text{tok}}");
}

TEST_CASE("latex: arithmetic keeps its powers, roots and numbers") {
  CHECK(latex_math("e^-0.5 / (e^(1·2 - 3) + e^-inf)") ==
        "e^{-0.5} / (e^{1\\cdot 2 - 3} + e^{-\\infty})");
  CHECK(latex_math("2 / √4 ≈ √(2/π)") == "2 / \\sqrt{4} \\approx \\sqrt{2/\\pi}");
  CHECK(latex_math("1.5e-05·max(0, (-1))²") == "1.5\\cdot 10^{-5}\\cdot \\max(0, (-1))^{2}");
  CHECK(latex_math("sin(1 / 10000^(2/6))") == "\\sin(1 / 10000^{2/6})");
  CHECK(latex_number("-1e+09") == "-10^{9}");
  CHECK(latex_number("<.001") == "{<}.001");
  CHECK(latex_number("nan") == "\\mathrm{NaN}");
}

TEST_CASE("latex: labels in the name of a cell are text, whatever they hold") {
  CHECK(latex_name("S′[the, a_b]") == "S'[\\text{the, a\\_b}]");
  CHECK(latex_name("Z[$x], z1] of head 0") == "Z[\\text{\\$x], z1}]\\text{ of head 0}");
}

TEST_CASE("latex: the formula of a step leads to its only matrix") {
  const std::string text = write_latex({{heading_with("A = softmax(M)"), small_grid()}, 2});
  CHECK(has(text, "\\textbf{Step 8 of 9: shares} ($2\\times 2$)\n"));
  CHECK(has(text,
            "\\[\nA = \\operatorname{softmax}(M) = \\left[\\begin{array}{rrr}\n"
            "\\text{query}\\backslash\\text{key} & \\text{d} & \\text{e} \\\\\n"
            "\\hline\n"
            "\\text{a\\_b} & 1.00 & \\cdot \\\\\n"
            "\\text{c} & -\\infty & {<}.01 \\\\\n"
            "\\end{array}\\right]\n\\]\n"));
}

TEST_CASE("latex: a formula that ends in words, or has several matrices, is on its own") {
  const std::string words =
      write_latex({{heading_with(std::string("A = M, 0") + testing::kWhereHidden), small_grid()}});
  CHECK(has(words, "\\[\nA = M,\\; 0\\text{ where mask} = 0\n\\]\n\n\\[\nA = \\left["));
  Grid head = small_grid();
  head.caption = "head 0";
  const std::string heads = write_latex({{heading_with("A = x"), head, head}});
  CHECK(has(heads, "\\[\nA = x\n\\]\n\n\\[\n\\text{head 0:}\\quad \\left["));
  CHECK(has(write_latex({{heading_with("A = x")}}), "\\[\nA = x\n\\]\n"));
}

TEST_CASE("latex: a part says what it needs, a whole document has it") {
  const Document document{{Paragraph{"plain"}}};
  CHECK(write_latex(document) == "% Needs \\usepackage{amsmath}.\n\nplain\n");
  TextStyle style;
  style.markup.standalone = true;
  const std::string page = write_latex(document, style);
  CHECK(page.starts_with("\\documentclass{article}\n"));
  CHECK(has(page, "\\begin{document}\n\nplain\n\n\\end{document}\n"));
}

TEST_CASE("latex: letters that pdflatex lacks are named, and the engine that has them") {
  const std::string ctex = "\\ifdefined\\Umathcode\n\\usepackage[scheme=plain]{ctex}\n\\fi\n";
  TextStyle style;
  style.markup.standalone = true;
  const Document document{{Paragraph{"Ж é ſ"}}};
  CHECK(has(write_latex(document),
            "% pdflatex lacks some of the letters here: compile with lualatex"));
  const std::string page = write_latex(document, style);
  CHECK(has(page, "\\DeclareUnicodeCharacter{0416}{\\texttt{[0416]}}\n"));
  CHECK(!has(page, "ctex"));
  for (const auto& [letter, code] : {std::pair("猫", "732B"), {"ね", "306D"}}) {
    const Document chinese{{Paragraph{letter}}};
    CHECK(write_latex(chinese).find("% Compile with xelatex") != std::string::npos);
    const std::string whole = write_latex(chinese, style);
    CHECK(has(whole, "\\DeclareUnicodeCharacter{" + std::string(code) + "}"));
    CHECK(has(whole, ctex));
  }
  CHECK(!has(page, "{00E9}"));
}

TEST_CASE("latex: a wide or tall matrix gets paper that is large enough") {
  Grid grid = small_grid();
  const auto page = [&] {
    TextStyle style;
    style.markup.standalone = true;
    return write_latex({{grid}}, style);
  };
  CHECK(has(page(), "paperwidth=210mm,paperheight=297mm"));
  grid.row_labels.clear();
  for (int i = 0; i < 64; ++i) grid.row_labels.push_back(std::to_string(i));
  grid.col_labels = grid.row_labels;
  grid.numbers.assign(64 * 64, 0.125);
  grid.kinds.assign(64 * 64, CellKind::Number);
  CHECK(!has(page(), "paperwidth=210mm"));
  CHECK(!has(page(), "paperheight=297mm"));
}
