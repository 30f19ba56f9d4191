// attn help kinds.
#include "help/topics.hpp"

namespace attn::app {

std::string kinds_page() {
  return R"page(attn help kinds - kinds of attention, side by side

All of them compute softmax(Q·Kᵀ / √d_k)·V. They differ in where Q, K and V
come from, in what a mask hides, and in how many heads work side by side.

  self-attention            Q, K and V are made from the same sequence X: every
                            token looks at every token, itself included.

  attn explain

  cross attention           Q comes from X; K and V come from another sequence,
                            the memory. A translator's decoder looks at the
                            source sentence this way.

  attn new --sample 06-translation -o cross.json
  attn explain cross.json

  masked self-attention     A mask hides some keys. With the causal mask a
                            token sees itself and what comes before: a decoder
                            must not look at the words that it is to predict.

  attn explain --mask causal

  multi-head attention      Q, K and V are cut into h parts; each head attends
                            with its own part. The results are put side by side
                            and mixed by W_o.

  attn new --sample 03-multi-head -o multi.json
  attn explain multi.json --mask none

  masked multi-head         Both: every head gets the same mask. Decoders begin
                            each layer with it; GPT has no other attention.

  attn explain --heads 2 --mask causal

  grouped heads             Several query heads share one head of keys and
  (GQA, MQA)                values: less to cache during generation (Llama).

  attn new --sample 12-grouped-heads -o grouped.json
  attn explain grouped.json

           Q from    K and V from    hidden           heads
  self     X         X               -                1
  cross    X         the memory      padding          1
  masked   X         X               later tokens     1
  multi    X         X               -                h
  both     X         X               later tokens     h
  grouped  X         X               any mask         h, kv_heads for K, V

Encoders use self-attention, decoders masked self-attention and then cross
attention. In a Transformer each of the three has several heads.
"attn help models" shows how to compute a whole one.
)page";
}

}  // namespace attn::app
