// Random weights of latent attention for a random draft.
#include "support/random_workshop.hpp"

namespace attn::testing {
namespace {

struct Ranks {
  Index q, kv, nope, rope, v;
};

/// The paper's names: in × out; now and then with columns for RoPE beside the others.
void name_as_paper(Workshop& shop, const Ranks& n, Dice& dice) {
  auto& weights = shop.draft.weights;
  const Index d = shop.d_model, h = shop.heads;
  const bool joint = n.rope == 0 || n.q == 0 || dice.chance(30);
  if (n.q > 0) weights["w_dq"] = dice.numbers({d, n.q});
  if (n.q > 0 && dice.chance(30)) weights["b_dq"] = dice.numbers({n.q});
  const std::string up = n.q > 0 ? "w_uq" : "w_q";
  weights[up] = dice.numbers({n.q > 0 ? n.q : d, h * (n.nope + (joint ? n.rope : 0))});
  if (!joint) weights["w_qr"] = dice.numbers({n.q, h * n.rope});
  if (n.q == 0 && dice.chance(30)) weights["b_q"] = dice.numbers({h * (n.nope + n.rope)});
  const bool own_keys = n.rope > 0 && (!joint || n.q == 0);
  weights["w_dkv"] = dice.numbers({d, n.kv + (own_keys ? 0 : n.rope)});
  if (own_keys) weights["w_kr"] = dice.numbers({d, n.rope});
  if (own_keys && dice.chance(30)) weights["b_kr"] = dice.numbers({n.rope});
  if (dice.chance(30)) weights["b_dkv"] = dice.numbers({n.kv + (own_keys ? 0 : n.rope)});
  weights["w_uk"] = dice.numbers({n.kv, h * n.nope});
  weights["w_uv"] = dice.numbers({n.kv, h * n.v});
  if (n.q > 0 && dice.chance(50)) weights["q_latent_norm"] = dice.numbers({n.q});
  if (dice.chance(50)) weights["kv_latent_norm"] = dice.numbers({n.kv});
}

/// Hugging Face's names: out × in.
void name_as_checkpoint(Workshop& shop, const Ranks& n, Dice& dice) {
  auto& weights = shop.draft.weights;
  const Index d = shop.d_model, h = shop.heads, width = h * (n.nope + n.rope);
  if (n.q > 0) {
    weights["q_a_proj.weight"] = dice.numbers({n.q, d});
    weights["q_a_layernorm.weight"] = dice.numbers({n.q});
    weights["q_b_proj.weight"] = dice.numbers({width, n.q});
    if (dice.chance(30)) weights["q_a_proj.bias"] = dice.numbers({n.q});
  } else {
    weights["w_q"] = dice.numbers({d, width});
  }
  weights["kv_a_proj_with_mqa.weight"] = dice.numbers({n.kv + n.rope, d});
  if (dice.chance(30)) weights["kv_a_proj_with_mqa.bias"] = dice.numbers({n.kv + n.rope});
  weights["kv_a_layernorm.weight"] = dice.numbers({n.kv});
  weights["kv_b_proj.weight"] = dice.numbers({h * (n.nope + n.v), n.kv});
}

}  // namespace

void choose_latent(Workshop& shop, Dice dice) {
  if (!dice.chance(15)) return;
  const Ranks n{dice.chance(70) ? dice.between(2, 4) : 0, dice.between(2, 4), dice.between(1, 3),
                dice.between(0, 4), dice.between(1, 4)};
  for (const char* name : {"w_q", "w_k", "w_v", "b_q", "b_k", "b_v"})
    shop.draft.weights.erase(name);
  shop.kv_heads = shop.heads;
  shop.d_k = n.nope + n.rope;
  shop.d_v = n.v;
  shop.rope_dim = n.rope;
  const auto w_o = shop.draft.weights.find("w_o");
  if (w_o != shop.draft.weights.end())
    w_o->second = dice.numbers({shop.heads * n.v, w_o->second.shape.back()});
  LatentDraft& latent = shop.draft.latent.emplace();
  latent.nope_dim = n.nope;
  if (n.rope > 0) latent.rope_dim = n.rope;
  latent.v_dim = n.v;
  latent.rope_interleave = n.rope % 2 == 0 && n.rope > 0 && dice.chance(40);
  if (dice.chance(30)) latent.eps = 0.01;
  (dice.chance(50) || !shop.has_heads ? name_as_paper : name_as_checkpoint)(shop, n, dice);
}

}  // namespace attn::testing
