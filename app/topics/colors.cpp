#include "topics.hpp"

namespace attn::app {

std::string colors_page() {
  return R"page(attn help colors - when there are colours, and which

Colour adds, it never carries a meaning alone: without it the output is the
same letter by letter. On a terminal there is colour, in a file or a pipe not.

  --color always, never, auto     always also colours what goes to a pipe
  --no-color                      the same as --color never
  --color-depth 16, 256, truecolor
  --palette NAME                  cividis, viridis, gray or blue-orange

The environment, if the command line is silent:

  NO_COLOR             set to anything: no colours
  FORCE_COLOR          colours also in a pipe; 1, 2, 3: 16, 256, all colours
  CLICOLOR_FORCE       colours also in a pipe, unless it is 0
  TERM                 dumb: no colours; with 256color in it: 256 colours
  COLORTERM            truecolor or 24bit: all colours
  ATTN_THEME           the palette, if --palette does not name one

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
