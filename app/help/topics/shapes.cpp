// attn help shapes.
#include "help/topics.hpp"

namespace attn::app {

std::string shapes_page() {
  return R"page(attn help shapes - which sizes must match

Tokens are rows. In A·B, A must have as many columns as B has rows: the two
inner sizes are equal, and disappear.

  X   T × d_model       ·  w_q   d_model × h·d_k     =  Q   T × h·d_k
  X   T × d_model       ·  w_k   d_model × h·d_k     =  K   T × h·d_k
  X   T × d_model       ·  w_v   d_model × h·d_v     =  V   T × h·d_v

then, in each of the h heads:

  Q   T_q × d_k         ·  Kᵀ    d_k × T_k           =  S   T_q × T_k
  A   T_q × T_k         ·  V     T_k × d_v           =  Z   T_q × d_v

and with the heads side by side again:

  C   T_q × h·d_v       ·  w_o   h·d_v × d_out       =  O   T_q × d_out

  T_q, T_k   how many queries and keys. One sequence: both are its length T.
             With a memory or a past, T_k differs from T_q.
  d_model    how many numbers describe a token: the columns of X (and memory)
  d_k        columns of Q and of K, in one head: the two must be equal
  d_v        columns of V, in one head: any number
  h          heads. w_q has h·d_k columns; head i gets those from i·d_k on

So heads must divide the columns of w_q, w_k and w_v. With kv_heads, several
heads share keys and values: w_k has kv_heads·d_k columns, w_v kv_heads·d_v,
and heads is a multiple of kv_heads.

b_q, b_k, b_v and b_o have one number per column of their matrix. "allowed" and
"bias", which hide or shift scores, are T_q × T_k. An axis for batch entries or
heads comes first: 2×5×4 is two matrices of 5 rows. PyTorch stores weights the
other way round, out × in: see attn help pytorch.

  attn explain --heads 2 --steps q_heads,k_heads,scores    columns per head
  attn new --sample 07-per-head-weights -o per-head.json
  attn explain per-head.json --steps scores,context,concat,output
)page";
}

}  // namespace attn::app
