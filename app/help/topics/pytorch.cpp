// attn help pytorch.
#include "help/topics.hpp"

namespace attn::app {

std::string pytorch_page() {
  return R"page(attn help pytorch - weights and masks from PyTorch

A problem file takes the weights of a layer under PyTorch's own names:

  import json, torch

  layer = torch.nn.MultiheadAttention(4, 2, batch_first=True)
  x = torch.randn(3, 4)
  problem = {
      "embeddings": x.tolist(),
      "heads": 2,
      "weights": {name: p.tolist() for name, p in layer.named_parameters()},
  }
  with open("layer.json", "w") as file:
      json.dump(problem, file)
  print(layer(x, x, x, average_attn_weights=False))

Now "attn explain layer.json" shows how these numbers came about. PyTorch's
Linear stores out × in; attn writes in × out and transposes what comes under
PyTorch's names (it says so). Under w_q, w_k, w_v, w_o nothing is transposed:
there, write layer.q_proj.weight.T. Llama's q_proj.weight, BERT's query.weight
and GPT-2's c_attn.weight are known, too.

A .safetensors file may be a whole model. Without --prefix its attention layers
are listed; "--prefix h.3.attn." or "--layer 3" takes one of them, and
"--embeddings x.npy" gives it its input.

Masks: 1 means "may attend" here, as it does in scaled_dot_product_attention.
nn.MultiheadAttention says the opposite.

  in PyTorch                             in the problem file

  F.scaled_dot_product_attention
    attn_mask of True and False          "allowed": mask.int().tolist()
    is_causal=True                       "mask": "causal"
  nn.MultiheadAttention
    attn_mask of True and False          "allowed": (~mask).int().tolist()
    key_padding_mask, True at the end    "key_lengths": (~mask).sum(1).tolist()
  both
    attn_mask of numbers                 "bias", with "-Infinity" for -inf

PyTorch computes in float32, attn in float64 unless it is told otherwise. And
where a query sees no key at all, the weights of nn.MultiheadAttention are NaN:

  attn explain --dtype float32 --mask causal --json
  attn explain --empty-row nan --mask keys:0-4 --steps weights
)page";
}

}  // namespace attn::app
