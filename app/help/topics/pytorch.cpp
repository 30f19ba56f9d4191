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

"attn explain layer.json" shows where these numbers come from. nn.Linear stores
out × in, attn in × out: weights under PyTorch's names are transposed (a note
says so), w_q, w_k, w_v and w_o are not. The names of Llama (q_proj.weight),
BERT (query.weight) and GPT-2 (c_attn.weight) work too.

A .safetensors file may hold many layers: "--layer 3" or "--prefix h.3.attn."
chooses one, "--embeddings x.npy" gives it an input. With the config.json of
GPT-2, BERT or Llama, attn computes the whole model: attn help models.

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

nn.Transformer and its layers take two masks for each kind of attention; a
whole model in a problem file has one entry, which may list several masks:

  src_mask, src_key_padding_mask         "source_mask": the encoder
  tgt_mask, tgt_key_padding_mask         "mask": self-attention of the decoder;
                                         tgt_mask is usually "causal"
  memory_mask, memory_key_padding_mask   "memory_mask": cross attention;
                                         usually None and src_key_padding_mask

PyTorch computes in float32, attn in float64 by default. Where a query sees no
key at all, the weights of nn.MultiheadAttention are NaN:

  attn explain --dtype float32 --mask causal --json
  attn explain --empty-row nan --mask keys:0-4 --steps weights
)page";
}

}  // namespace attn::app
