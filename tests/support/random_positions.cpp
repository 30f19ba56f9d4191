// Random positions for a random draft.
#include "support/random_workshop.hpp"

namespace attn::testing {
namespace {

std::optional<double> base(Dice& dice) {
  if (dice.chance(50)) return std::nullopt;
  return dice.one_of<double>({10, 100, 1.5, 500000});
}

std::optional<Index> offset(Dice& dice) {
  return dice.chance(50) ? std::nullopt : std::optional(dice.between(0, 9));
}

/// Absent, which means d_k, only if d_k is even; otherwise some of the columns.
std::optional<Index> rotary_dim(Workshop& shop) {
  if (shop.d_k % 2 == 0 && shop.dice.chance(50)) return std::nullopt;
  return 2 * shop.dice.between(1, shop.d_k / 2);
}

}  // namespace

void choose_positions(Workshop& shop) {
  Dice& dice = shop.dice;
  Positions& positions = shop.draft.positions;
  std::vector<PositionKind> kinds = {PositionKind::None, PositionKind::Alibi};
  if (!shop.draft.q) kinds.push_back(PositionKind::Sinusoidal);
  if (shop.d_k > 1) {
    kinds.insert(kinds.end(), {PositionKind::Rope, PositionKind::RopeInterleaved});
  }
  positions.kind = dice.one_of(kinds);
  if (positions.kind == PositionKind::None) return;
  if (positions.kind == PositionKind::Alibi) {
    if (dice.chance(30)) positions.slopes = dice.numbers({shop.heads}).data;
    return;
  }
  positions.base = base(dice);
  positions.offset = offset(dice);
  if (positions.kind != PositionKind::Sinusoidal) positions.rotary_dim = rotary_dim(shop);
}

void choose_extra_keys(Workshop& shop) {
  Dice& dice = shop.dice;
  shop.draft.add_zero_attn = dice.chance(20);
  if (!dice.chance(20)) return;
  const bool as_torch = dice.chance(50);  // 1 × 1 × h·d
  for (const auto& [name, d] : {std::pair{"bias_k", shop.d_k}, std::pair{"bias_v", shop.d_v}}) {
    const Index width = shop.kv_heads * d;
    shop.draft.weights[name] =
        dice.numbers(as_torch ? std::vector<Index>{1, 1, width} : std::vector<Index>{width});
  }
}

}  // namespace attn::testing
