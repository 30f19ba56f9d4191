// attn help accessibility.
#include "help/topics.hpp"

namespace attn::app {

std::string accessibility_page() {
  return R"page(attn help accessibility - screen readers, braille, large print

Screen readers and braille: every row as a line that can be read aloud, without
columns, and without runs of spaces.

  attn explain --mask causal --layout lines --steps weights

    query cat: the 0.182, cat 0.818, dreams masked, it masked, flies masked

To always get them on your terminal, set ATTN_LAYOUT=lines in the environment.
Such lines are easy to search, too. One number and where it comes from:

  attn explain --mask causal --cell weights:cat,the --layout lines

Large print and projectors: short labels, two decimals, space between rows, one
step at a time.

  attn explain --big --step 7
  attn explain --big --step 8

Colour alone never carries meaning: shades and numbers say the same. Palettes
for values from low to high get steadily brighter, also for people who are
colour-blind: attn help colors.

  attn explain --no-color

For fonts and readers that lack some characters, 7-bit output:

  attn explain --ascii

A hidden cell is the word masked in lines; in columns it is a dot, or -inf
before softmax. 0.000 is exactly zero; <.001 is close to zero.
Errors are sentences, the most important first, and make sense line by line.
)page";
}

}  // namespace attn::app
