// attn help steps.
#include "attn/tool/text.hpp"
#include "attn/trace.hpp"
#include "help/topics.hpp"

namespace attn::app {

std::string steps_page() {
  std::string text = R"page(attn help steps - ids and symbols of all steps

In the order of the computation; a problem has only those that it needs. Files
use the id, text shows the symbol, and options take either. In a whole model
the place comes before the id, and a number may follow: h.0.norm1.

)page";
  for (const std::string& id : step_ids()) {
    const StepInfo& info = *find_step_info(id);
    text += "  " + pad_right(id, 22) + pad_right(info.symbol, 10) + info.phrase + "\n";
  }
  return text + R"page(
Type S' and S'' for S′ and S″. A cell is STEP:ROW,COL, with rows and columns by
token or by index from 0, or as the output prints it.
With --gradient, weights.grad is the gradient of weights; w_q has one, too.

  attn explain --steps scores,weights
  attn explain --steps S,A
  attn explain --cell A:cat,the           the same as --cell "A[cat, the]"
  attn explain --detail full              row_max, exp_scores and row_sum, too
)page";
}

}  // namespace attn::app
