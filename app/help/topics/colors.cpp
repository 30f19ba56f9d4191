// attn help colors.
#include "attn/tool/text.hpp"
#include "help/help.hpp"
#include "help/topics.hpp"

namespace attn::app {
namespace {

std::string variable_lines() {
  constexpr std::ptrdiff_t kWidth = 79, kColumn = 23;
  std::string lines;
  for (const Variable& each : variables()) {
    std::string left = "  " + std::string(each.name);
    for (const std::string& says : wrapped(each.says, kWidth - kColumn, kWidth - kColumn)) {
      lines += pad_right(left, kColumn) + says + "\n";
      left.clear();
    }
  }
  return lines;
}

}  // namespace

std::string colors_page() {
  return std::string(R"page(attn help colors - when there are colours, and which

Colour adds, it never carries a meaning alone: without it the output is the
same letter by letter, but for the half blocks of attn heatmap --compact. On
a terminal there is colour, in a file or a pipe not.

  --color always, never, auto     always also colours what goes to a pipe
  --no-color                      the same as --color never
  --color-depth 16, 256, truecolor
  --palette NAME                  cividis, viridis, gray or blue-orange

The environment, if the command line is silent:

)page") + variable_lines() +
         R"page(
Cells of a heat map bring their own background, dark or light, and black or
white letters, whichever can be read better (contrast at least 4.5). All other
text is in your terminal's own colours, so light and dark screens both work.
The palettes get brighter from the lowest value to the highest, also for eyes
that do not tell colours apart and on a printer; blue-orange is for numbers
of both signs and is brightest at 0. Cells that a mask hides have no colour.

  attn heatmap --mask causal
)page";
}

}  // namespace attn::app
