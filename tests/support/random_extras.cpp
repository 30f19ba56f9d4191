// Random norms of queries and keys, sinks and gates for a random draft.
#include <string>

#include "support/random_workshop.hpp"

namespace attn::testing {
namespace {

/// Gains for a head, for each of them, or for all together.
Array gains(Workshop& shop, Index heads, Index over) {
  if (over == 0) return shop.dice.numbers({shop.d_k});
  if (over == 1) return shop.dice.numbers({heads, shop.d_k});
  return shop.dice.numbers({heads * shop.d_k});
}

}  // namespace

void choose_qk_norm(Workshop& shop) {
  Dice& dice = shop.dice;
  ProblemDraft& draft = shop.draft;
  if (shop.rope_dim || !dice.chance(40)) return;  // latents have norms of their own
  QkNorm& norm = draft.qk_norm;
  norm.is_given = dice.chance(80);
  norm.kind =
      norm.is_given ? static_cast<QkNormKind>(dice.between(1, 3)) : QkNormKind::None;  // or rms
  if (dice.chance(50)) norm.eps = dice.one_of<double>({1e-5, 0.25, 1.5});
  if (dice.chance(30)) norm.offset = 1;
  const bool rope = draft.positions.kind == PositionKind::Rope ||
                    draft.positions.kind == PositionKind::RopeInterleaved;
  const bool is_cut = draft.q && draft.q->rank() == 4;
  Index over = dice.between(0, is_cut ? 1 : 2);
  if (rope && over < 2 && dice.chance(40)) norm.after = QkNormAfter::Rope;
  const bool as_usual = !norm.eps && !norm.offset && norm.after == QkNormAfter::Projection;
  if (!norm.is_given && !as_usual) norm.kind = QkNormKind::Rms;
  norm.is_given = norm.is_given || !as_usual;
  for (const auto& [name, heads] : {std::pair{"q_norm", shop.heads}, {"k_norm", shop.kv_heads}}) {
    if (over < 2) over = dice.between(0, 1);
    if (over < 2 && norm.is_given && dice.chance(15)) continue;  // a norm without gains
    draft.weights[name] = gains(shop, heads, over);
    if (norm.kind == QkNormKind::Layer && dice.chance(60))
      draft.weights[std::string(name) + "_bias"] = gains(shop, heads, over);
  }
}

void choose_sinks(Workshop& shop) {
  Dice& dice = shop.dice;
  ProblemDraft& draft = shop.draft;
  if (draft.masking == MaskingMode::Renormalize || !dice.chance(35)) return;
  const Array sinks = dice.numbers({dice.chance(50) ? shop.heads : 1});
  if (dice.chance(50) || !draft.weights.contains("w_q")) {
    draft.sinks = sinks;
  } else {
    draft.weights["sinks"] = sinks;
  }
}

void choose_gate(Workshop& shop) {
  Dice& dice = shop.dice;
  ProblemDraft& draft = shop.draft;
  if (draft.q || !dice.chance(30)) return;
  AttentionGate gate;
  gate.activation = dice.one_of<std::string>({"sigmoid", "sigmoid", "silu", "relu", "gelu"});
  gate.on = static_cast<GateOn>(dice.between(0, 2));
  const auto w_o = draft.weights.find("w_o");
  const bool whole = gate.on == GateOn::Output && w_o != draft.weights.end();
  const Index width = whole ? w_o->second.shape.back() : shop.heads * shop.d_v;
  draft.weights["w_gate"] = dice.numbers({shop.d_model, width});
  if (dice.chance(50)) draft.weights["b_gate"] = dice.numbers({width});
  if (gate.on != GateOn::Context || gate.activation != "sigmoid" || dice.chance(50))
    draft.attention_gate = gate;
}

}  // namespace attn::testing
