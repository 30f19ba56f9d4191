// attn help colors.
#include "attn/tool/text.hpp"
#include "help/help.hpp"
#include "help/topics.hpp"

namespace attn::app {
namespace {

std::string variable_lines() {
  constexpr std::ptrdiff_t kLineWidth = 79, kIndent = 23;
  std::string lines;
  for (const Variable& each : variables()) {
    std::string left = "  " + std::string(each.name);
    for (const std::string& says : wrapped(each.says, kLineWidth - kIndent, kLineWidth - kIndent)) {
      lines += pad_right(left, kIndent) + says + "\n";
      left.clear();
    }
  }
  return lines;
}

}  // namespace

std::string colors_page() {
  return std::string(R"page(attn help colors - when colours are used, and which

Colour alone never carries meaning. Without it the output is the same, except
for pictures in half blocks (attn heatmap --compact and --overview, and what
attn explain shows on a terminal in place of many lines): they become shades.
Terminals get colours, files and pipes do not.

  --color always, never, auto     with always, files and pipes too
  --no-color                      the same as --color never
  --color-depth 16, 256, truecolor
  --palette NAME                  cividis, viridis, gray or blue-orange

Environment variables, which options override:

)page") + variable_lines() +
         R"page(
Cells of a heat map have their own background, and black or white digits,
whichever is easier to read. The contrast is at least 4.5, except with 16
colours, which your terminal chooses. All other text is in your terminal's own
colours, so light and dark screens both work. The palettes get brighter from
the lowest value to the highest, also in print and for people who are
colour-blind; blue-orange is for numbers of both signs and is brightest at 0.
Cells that a mask hides have no colour.

  attn heatmap --mask causal
)page";
}

}  // namespace attn::app
