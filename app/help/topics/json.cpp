#include "help/topics.hpp"

namespace attn::app {

std::string json_page() {
  return R"page(attn help json - the problem file, key by key

A problem is a JSON object with "embeddings" and "weights", or with "q", "k"
and "v". All else is optional. Keys that begin with _ are comments; any other
key that is not listed here is an error: no typing mistake goes unseen.

  "title": "two tokens"                      shown on top
  "description": "What to look for."         and below the title
  "tokens": ["the", "cat"]                   names of the rows, else t0, t1 …
  "embeddings": [[1, 0], [0, 1]]             X, one row of numbers per token
  "embedding_table": {"the": [1, 0]}         rows for the tokens to look up
  "weights": {"w_q": [[1], [0]]}             w_q w_k w_v w_o, b_q b_k b_v b_o
  "memory": {"embeddings": [[1, 1]]}         K and V are made from this instead
  "q": [[1, 0]], "k": [[1, 0]], "v": [[2]]   instead of embeddings and weights
  "key_tokens": ["the"]                      names of the rows of k
  "past": {"k": [[1, 0]], "v": [[2]]}        cached rows, before k and v

  "heads": 2                                 cut Q, K and V into 2 heads
  "kv_heads": 1                              K and V into fewer
  "scale": "1/sqrt(d_k)"                     or "none", or a number
  "softcap": 30                              scores become 30·tanh(score / 30)
  "positions": "rope"                        sinusoidal rope-interleaved alibi
  "dtype": "float64"                         float32 bfloat16 float16

  "mask": ["causal", "keys:1"]               one mask or several: help masks
  "allowed": [[1, 0], [1, 1]]                1 = may attend, query × key
  "bias": [[0, "-Infinity"], [0.5, 0]]       added to the scaled scores
  "key_lengths": [2]                         real keys of each batch entry
  "align": "start"                           end key-lengths: help masks
  "masking": {"mode": "add", "fill": -1e9}   replace multiply renormalize
  "empty_row": "zero"                        nan uniform error: no visible key

  "format": "attn.problem"                   these two are optional, too
  "format_version": "1.0"
  "_note": "anything"                        a comment

A matrix is a list of rows. One level of brackets more, and it is a batch
(embeddings, q, k, v) or one matrix per head (weights). JSON knows no infinity:
"-Infinity" is written in quotation marks. A matrix may be described, too:

  "bias": {"zeros": [2, 2]}                  likewise "ones"; {"eye": 2}
  "q": {"randn": [2, 4], "seed": 42}         torch.randn after manual_seed(42)

or read from {"file": "q.npy"} in the folder of the problem.

  attn new --list                            samples to begin with
  attn new --sample 01-one-head -o one.json
  attn explain one.json
)page";
}

}  // namespace attn::app
