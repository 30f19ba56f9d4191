// attn help why.
#include "help/topics.hpp"

namespace attn::app {

std::string why_page() {
  return R"page(attn help why - questions that students ask, each with a command

Why √d_k?
  A dot product is a sum of d_k products, so scores grow with d_k, roughly like
  its square root. Large scores make softmax give nearly all weight to one key,
  and then the model learns little. Dividing by √d_k undoes the growth.

  attn new --sample 02-why-scale -o scale.json
  attn explain scale.json --scale none --steps scores,weights

Why a mask at all?
  A model that predicts the next word must not see that word during training,
  and padding at the end of a short sentence is not part of the sentence.

  attn explain --mask causal --steps scores,weights

Why −∞, and not 0?
  The mask acts before softmax. e^0 = 1, so a score of 0 would still get
  weight; e^−∞ = 0. The other weights of the row still add up to 1. And −∞
  stays −∞ if the mask is added before the division by √d_k; −10 would shrink.

  attn explain --mask causal --fill 0 --steps weights

Why not set the weights to 0 after softmax?
  Then the rows no longer add up to 1, and the hidden scores still count in the
  sum that the others are divided by.

  attn explain --mask causal --masking multiply

Why softmax, and why over rows?
  A row holds the scores of one query. Softmax turns them into shares above 0
  that add up to 1, so each row of the output is an average of rows of V.
  Without a mask no share is exactly 0: what prints as <.001 is small, not
  hidden.

  attn explain --scale 3 --steps weights

Why several heads?
  One softmax gives each token one pattern of attention. Two heads can look at
  two places at once, without extra parameters: each has its own columns of Q,
  K and V.

  attn heatmap --heads 2

Why three matrices, W_q, W_k and W_v?
  What a token looks for, what it can be found by and what it passes on may
  differ. With Q = K, S would be symmetric: the score of "cat" for "the" would
  equal that of "the" for "cat".

  attn explain --steps q,k,v

attn lesson lists experiments on these questions, step by step.
)page";
}

}  // namespace attn::app
