// attn help documents.
#include "help/topics.hpp"

namespace attn::app {

std::string documents_page() {
  return R"page(attn help documents - pages, slides, papers and handouts

The extension of -o chooses the format, or --format does. explain, compare,
check, lesson and generate write .html, .md and .tex; explain and heatmap .svg.

  .html   one page for a browser, without a network. Point at a number, and a
          panel shows its arithmetic; what it was made from is outlined.

  attn explain --mask causal -o page.html
  attn lesson masks -o masks.html

  .md     Markdown. --math says how formulas are written: gfm, pandoc or none.

  attn explain --mask causal -o page.md --math pandoc

  .tex    LaTeX, a part to paste; with --standalone a whole document.

  attn explain --mask causal --steps scores,weights -o part.tex
  attn explain --mask causal -o paper.tex --standalone

  .svg    one step as a picture.

  attn heatmap --mask causal -o weights.svg

Handouts: --blank leaves the numbers of steps empty, --answers writes the key.

  attn explain --blank scaled_scores,weights -o sheet.md --answers key.md

Sheets that attn check grades, one for each student, also to print or to fill
in with a browser:

  attn exercise make --preset causal --format json,html -o week1

No matrix is cut; --precision decides how many decimals there are. For a whole
model, --full writes every step instead of a summary.
)page";
}

}  // namespace attn::app
