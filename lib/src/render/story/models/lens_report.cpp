// The logit lens as tables: a line for each layer, and the words that it would predict.
#include "attn/language.hpp"
#include "attn/render/inside.hpp"
#include "render/story/models/lens_panels.hpp"
#include "render/story/steps/opening.hpp"
#include "render/terminal/word_table.hpp"

namespace attn {

Document show_lens(const Trace& trace, const View& view) {
  Document document = opened(trace, view);
  document.blocks.emplace_back(Paragraph{translated(
      "The logit lens: what comes after the last layer is applied to what goes into each layer. So "
      "each line shows what the model would predict if it stopped there, with its probability; the "
      "last line is what it does predict.")});
  const NumberFormat format{view.precision, view.notation == Notation::Scientific};
  for (const HeatPanel& panel : lens_panels(trace, view))
    document.blocks.emplace_back(word_table(panel, format));
  return document;
}

}  // namespace attn
