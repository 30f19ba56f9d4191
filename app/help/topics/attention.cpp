// attn help attention.
#include "help/topics.hpp"

namespace attn::app {

std::string attention_page() {
  return R"page(attn help attention - the computation, equation by equation

Every token has a question, a label, and something to say. Attention lets each
token listen to all tokens, most of all to those whose label fits its question.

  X                              one row of numbers per token: its embedding

  Q = X·W_q   K = X·W_k   V = X·W_v
      Three views of the same rows. The query is what a token looks for, the
      key is what it is found by, the value is what it passes on.

  S = Q·Kᵀ
      Every query meets every key. A dot product is large where the two point
      the same way: row i says how well each key answers query i.

  S′ = S / √d_k
      A sum of d_k products grows with d_k. Dividing by √d_k keeps scores in
      a range where softmax shares its weights among several keys.

  M = S′, −∞ where hidden
      Optional: a mask hides keys, such as later tokens, or the padding of a
      short sentence. See attn help masks.

  A = softmax(M)
      e to the power of every score, divided by the sum of its row: shares
      above 0 that add up to 1. A hidden score gets e^−∞ = 0, no share.

  O = A·V
      Each query gets an average of the values, weighted by its shares.

Several heads do this side by side, each with its own columns of Q, K and V,
and so each with its own idea of what fits. Their results are put side by side
in C, and W_o mixes them: O = C·W_o + b_o.

In cross attention, queries come from one sequence, keys and values from
another (the memory): a French word looks for its English counterpart.
attn help kinds shows all kinds side by side, attn help why gives reasons.

  attn explain                                 all of it, with numbers
  attn explain --detail full                   and why each step is there
  attn explain --cell weights:cat,the          where a single number comes from
  attn explain --scale none --steps weights    without √d_k: less even
  attn explain --heads 2                       two heads, two opinions
  attn new --list                              samples, in teaching order

Source: Vaswani et al., Attention Is All You Need (2017), section 3.2.
)page";
}

}  // namespace attn::app
