// Random positions for a random draft.
#include <utility>

#include "support/oracle_bench.hpp"
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
  const Index all = shop.rope_dim.value_or(shop.d_k);
  if (all % 2 == 0 && shop.dice.chance(50)) return std::nullopt;
  return 2 * shop.dice.between(1, all / 2);
}

/// A scaling of any kind, with lengths around that of the text.
RopeScaling scaling(Dice& dice, Index pairs) {
  RopeScaling s;
  s.kind = static_cast<RopeScalingKind>(dice.between(0, 5));
  const auto maybe = [&](double number) {
    return dice.chance(50) ? std::optional(number) : std::nullopt;
  };
  if (dice.chance(50)) s.rope_theta = 300;
  if (s.kind == RopeScalingKind::Default) return s;
  s.factor = 1.5 + static_cast<double>(dice.between(0, 6));
  s.max_position_embeddings = dice.between(2, 40);
  if (s.kind == RopeScalingKind::Dynamic) return s;
  if (dice.chance(70)) s.original_max_position_embeddings = dice.between(2, 12);
  if (s.kind == RopeScalingKind::Yarn) {
    if (dice.chance(50)) s.truncate = dice.chance(50);
    s.beta_fast = maybe(4);
    s.beta_slow = maybe(0.5);
    s.mscale = maybe(0.7);
    s.mscale_all_dim = maybe(1.3);
  }
  if (s.kind == RopeScalingKind::Llama3) {
    s.low_freq_factor = 0.5;
    s.high_freq_factor = 3;
  }
  if (s.kind != RopeScalingKind::LongRope) return s;
  s.attention_factor = maybe(1.25);
  for (Index i = 0; i < pairs; ++i) {
    s.short_factor.push_back(1 + static_cast<double>(dice.between(0, 3)) / 4);
    s.long_factor.push_back(2.0 + static_cast<double>(dice.between(0, 5)));
  }
  return s;
}

/// Positions of the new tokens, where queries and keys are the same tokens.
void choose_ids(Workshop& shop) {
  Dice& dice = shop.dice;
  if (shop.draft.memory || shop.draft.q || shop.n_queries != shop.n_new || !dice.chance(30)) return;
  shop.draft.positions.offset.reset();
  const Index lists = shop.has_batch && dice.chance(70) ? shop.batch : 1;
  for (Index b = 0; b < lists; ++b) {
    auto& ids = shop.draft.positions.ids.emplace_back();
    for (Index i = 0; i < shop.n_new; ++i) ids.push_back(dice.between(0, 12));
  }
}

}  // namespace

void choose_positions(Workshop& shop) {
  Dice& dice = shop.dice;
  Positions& positions = shop.draft.positions;
  std::vector<PositionKind> kinds = {PositionKind::None, PositionKind::Alibi};
  if (!shop.draft.q) kinds.push_back(PositionKind::Sinusoidal);
  const Index d_k = shop.rope_dim.value_or(shop.d_k);
  if (d_k > 1) {
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
  choose_ids(shop);
  if (positions.kind == PositionKind::Sinusoidal) return;
  positions.rotary_dim = rotary_dim(shop);
  if (!positions.rotary_dim && d_k % 4 == 0 && dice.chance(70))
    positions.partial_rotary_factor = 0.5;
  if (!dice.chance(40)) return;
  positions.scaling = scaling(dice, turned_columns(positions, d_k) / 2);
  if (positions.scaling->rope_theta) positions.base.reset();
  std::swap(positions.partial_rotary_factor, positions.scaling->partial_rotary_factor);
}

namespace {

/// A bias for each bucket, with far distances in the last one.
void choose_buckets(Workshop& shop, Dice& dice) {
  Positions& own = shop.draft.positions;
  own.kind = PositionKind::T5;
  const bool both = dice.chance(50);
  const Index buckets = both ? 2 * dice.between(2, 5) : dice.between(2, 7);
  if (!both || dice.chance(50)) own.bidirectional = both;
  if (dice.chance(50)) own.num_buckets = buckets;
  if (dice.chance(70)) own.max_distance = (both ? buckets / 2 : buckets) / 2 + dice.between(1, 9);
  own.table = dice.numbers({buckets, shop.heads});
}

/// A row for every position that `choose_positions` may have said.
void choose_learned(Workshop& shop, Dice& dice) {
  Positions& own = shop.draft.positions;
  own.kind = PositionKind::Learned;
  own.base.reset();
  own.table = dice.numbers({16, shop.d_model});
}

}  // namespace

void choose_other_kinds(Workshop& shop, Dice& dice) {
  Positions& own = shop.draft.positions;
  if (own.kind == PositionKind::None && dice.chance(45)) return choose_buckets(shop, dice);
  if (own.kind != PositionKind::Sinusoidal || dice.chance(30)) return;
  if (dice.chance(35)) return choose_learned(shop, dice);
  const bool even = shop.d_model % 2 == 0 && dice.chance(90);
  own.kind = even ? PositionKind::SinusoidalT2t : PositionKind::SinusoidalHalves;
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
