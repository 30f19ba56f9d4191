// attn help gradients.
#include "help/topics.hpp"

namespace attn::app {

std::string gradients_page() {
  return R"page(attn help gradients - how the loss changes with each number

Training changes each number of a model a little, in the direction that makes
the loss L smaller. The gradient ∂L/∂A says how much L changes when A does. It
has the shape of A, and is found backwards: from L to what L was made from.

  attn explain --gradient                      the steps forward, then backward
  attn explain --gradient --steps weights.grad,scores.grad
  attn explain --gradient --cell x.grad:the,0  where a single number comes from
  attn explain --gradient --detail full        why, and each path by itself
  attn explain --steps output -o o.npy         L = ½·(sum of all O²) has the
  attn explain --upstream o.npy                gradient O: go back from there

Where it starts: with labels, L is mean_loss. Otherwise L is the sum of the
output, or whatever has the gradient in the file of --upstream (.npy or JSON,
in the shape of the output). A whole model, or a single attention layer with a
vocabulary, needs labels or --upstream: the loss of a prediction needs the
right words, and the sum of what softmax or LayerNorm made would hardly change.

A gradient is a step like any other, called <id>.grad. It has a formula, its
numbers can be traced back, and every format holds it.

  ∂L/∂V = Aᵀ·∂L/∂O
      A value gets the gradient of every output that it is mixed into.

  ∂L/∂A = ∂L/∂O·Vᵀ
      More weight on a key adds more of its value.

  ∂L/∂M = A ∘ (∂L/∂A − rowsum(∂L/∂A ∘ A))
      The weights of a row add up to 1, so what counts is how far the gradient
      of a weight is above the average of its row, weighted by the attention
      weights. Each row adds up to 0. A hidden key has weight 0 and gets
      exactly 0; a weight close to 1 leaves almost no gradient for its row:
      scores that are too large learn nothing.

  ∂L/∂S′ = ∂L/∂M ∘ mask
      Where the mask put its fill, the score that was there has no effect.

  ∂L/∂W_q = Xᵀ·∂L/∂Q
      W_q multiplies every row of X, so its gradient is a sum over all rows.

  ∂L/∂X = ∂L/∂Q·W_qᵀ + ∂L/∂K·W_kᵀ + ∂L/∂V·W_vᵀ
      What is used several times gets the sum of all paths.

Masks and position signals have no gradient. --fault together with --gradient
is refused if the mistake makes a step that has no gradient, such as a wrong
softmax, or leaves no output.
)page";
}

}  // namespace attn::app
