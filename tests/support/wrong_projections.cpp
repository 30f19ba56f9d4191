// Ways to project wrongly: weights transposed, exchanged or left out.
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "support/wrong_attention.hpp"

namespace attn::testing {
namespace {

void transpose(ProblemDraft& draft, const char* letter) {
  Array& w = draft.weights.at(std::string("w_") + letter);
  Array turned{{w.shape[1], w.shape[0]}, {}};
  for (Index j = 0; j < w.shape[1]; ++j) {
    for (Index i = 0; i < w.shape[0]; ++i) {
      turned.data.push_back(w.data[static_cast<std::size_t>(i * w.shape[1] + j)]);
    }
  }
  w = turned;
}

template <char letter>
void transposed(Spoiling& spoiling) {
  const char name[] = {letter, '\0'};
  transpose(spoiling.draft(), name);
}

void all_transposed(Spoiling& spoiling) {
  for (const char* letter : {"q", "k", "v"}) transpose(spoiling.draft(), letter);
}

template <char letter>
void no_bias(Spoiling& spoiling) {
  spoiling.draft().weights.erase(std::string("b_") + letter);
}

void no_biases(Spoiling& spoiling) {
  for (const char* name : {"b_q", "b_k", "b_v", "b_o"}) spoiling.draft().weights.erase(name);
}

template <char one, char other>
void exchanged_without_biases(Spoiling& spoiling) {
  WeightArrays& weights = spoiling.draft().weights;
  std::swap(weights.at(std::string("w_") + one), weights.at(std::string("w_") + other));
}

template <char one, char other>
void exchanged(Spoiling& spoiling) {
  exchanged_without_biases<one, other>(spoiling);
  WeightArrays& weights = spoiling.draft().weights;
  std::swap(weights.at(std::string("b_") + one), weights.at(std::string("b_") + other));
}

/// One letter made with the weights of another.
template <char letter, char other>
void made_by_other_weights(Spoiling& spoiling) {
  WeightArrays& weights = spoiling.draft().weights;
  weights.at(std::string("w_") + letter) = weights.at(std::string("w_") + other);
}

template <char letter, char other>
void made_like_other(Spoiling& spoiling) {
  made_by_other_weights<letter, other>(spoiling);
  WeightArrays& weights = spoiling.draft().weights;
  weights.at(std::string("b_") + letter) = weights.at(std::string("b_") + other);
}

void no_w_o(Spoiling& spoiling) {
  spoiling.draft().weights.erase("w_o");
  spoiling.draft().weights.erase("b_o");
}

void w_o_transposed(Spoiling& spoiling) { transpose(spoiling.draft(), "o"); }

/// V is X itself.
void unprojected(Spoiling& spoiling) {
  WeightArrays& weights = spoiling.draft().weights;
  Array& w = weights.at("w_v");
  for (std::size_t n = 0; n < w.data.size(); ++n) {
    const auto cols = static_cast<std::size_t>(w.shape[1]);
    w.data[n] = n / cols == n % cols ? 1 : 0;
  }
  weights.erase("b_v");
}

void roles_swapped(Spoiling& spoiling) {
  ProblemDraft& draft = spoiling.draft();
  std::swap(*draft.embeddings, draft.memory->embeddings);
  spoiling.habits().unwritten = {"x", "memory"};
}

void memory_ignored(Spoiling& spoiling) { spoiling.draft().memory.reset(); }

void no_positions(Spoiling& spoiling) { spoiling.draft().positions = {}; }

void other_pairs(Spoiling& spoiling) {
  PositionKind& kind = spoiling.draft().positions.kind;
  kind = kind == PositionKind::Rope ? PositionKind::RopeInterleaved : PositionKind::Rope;
}

/// As if the base (theta) in the code differed from that in the model's configuration.
template <int base>
void other_base(Spoiling& spoiling) {
  spoiling.draft().positions.base = base;
}

/// Queries or keys stay as they were before rotating.
template <char letter>
void not_rotated(Spoiling& spoiling) {
  spoiling.habits().touch = [plain = Block{}](const std::string& id, Block& block) mutable {
    if (id == std::string(1, letter) + "_heads") plain = block;
    if (id == std::string(1, letter) + "_rotated") block = plain;
  };
}

/// np.concatenate([sin, cos], axis=-1)
void sines_first(Spoiling& spoiling) {
  spoiling.habits().touch = [](const std::string& id, Block& block) {
    if (id != "positions") return;
    const Block right = block;
    block = like(right, [&](Index b, Index h, Index i, Index j) {
      const Index half = right.cols / 2;
      return right.at(b, h, i, j < half ? 2 * j : 2 * (j - half) + 1);
    });
  };
}

/// 2^(−8h/heads) from h = `first` on.
template <int first>
void one_rule(Spoiling& spoiling) {
  const auto heads = static_cast<double>(*spoiling.draft().heads);
  std::vector<double>& slopes = spoiling.draft().positions.slopes;
  for (int h = first; h < first + heads; ++h) slopes.push_back(std::exp2(-8 * h / heads));
}

/// 1/2, 1/4, 1/8 …, which is right for eight heads.
void slopes_of_eight(Spoiling& spoiling) {
  double slope = 1;
  for (Index h = 0; h < *spoiling.draft().heads; ++h)
    spoiling.draft().positions.slopes.push_back(slope /= 2);
}

/// The right slopes for 3 heads, from the largest to the smallest.
void slopes_in_order(Spoiling& spoiling) {
  spoiling.draft().positions.slopes = {1.0 / 4, 1.0 / 16, 1.0 / 256};
}

/// The right slopes for 4 heads, the last one first.
void slopes_reversed(Spoiling& spoiling) {
  spoiling.draft().positions.slopes = {1.0 / 256, 1.0 / 64, 1.0 / 16, 1.0 / 4};
}

/// The right slopes for 4 heads, each negated.
void slopes_negated(Spoiling& spoiling) {
  spoiling.draft().positions.slopes = {-1.0 / 4, -1.0 / 16, -1.0 / 64, -1.0 / 256};
}

/// A column of Q, K or V.
struct FusedColumn {
  std::string letter;
  Index col;
};

/// All columns in the order of a fused matrix: `order` for each group, or once.
std::vector<FusedColumn> fused(const Facts& facts, Index groups, const char* order) {
  std::vector<FusedColumn> columns;
  for (Index g = 0; g < groups; ++g) {
    for (const char* letter = order; *letter != '\0'; ++letter) {
      const Index heads = (*letter == 'q' ? facts.heads : facts.kv_heads) / groups;
      for (Index c = 0; c < heads * facts.d_k; ++c)
        columns.push_back({std::string(1, *letter), g * heads * facts.d_k + c});
    }
  }
  return columns;
}

/// Fused in one order, cut in another.
void cut(Spoiling& spoiling, const std::vector<FusedColumn>& made,
         const std::vector<FusedColumn>& cut) {
  WeightArrays& weights = spoiling.draft().weights;
  for (const std::string part : {"w_", "b_"}) {
    const WeightArrays right = weights;
    for (std::size_t n = 0; n < made.size(); ++n) {
      const Array& from = right.at(part + made[n].letter);
      Array& to = weights.at(part + cut[n].letter);
      const auto rows = part == "w_" ? static_cast<std::size_t>(to.shape[0]) : 1;
      const auto width = static_cast<std::size_t>(to.shape.back());
      const auto source = static_cast<std::size_t>(from.shape.back());
      for (std::size_t r = 0; r < rows; ++r) {
        to.data[r * width + static_cast<std::size_t>(cut[n].col)] =
            from.data[r * source + static_cast<std::size_t>(made[n].col)];
      }
    }
  }
}

void groups_in_thirds(Spoiling& spoiling) {
  const Facts facts = facts_of(spoiling.draft());
  cut(spoiling, fused(facts, facts.kv_heads, "qkv"), fused(facts, 1, "qkv"));
}

void thirds_in_groups(Spoiling& spoiling) {
  const Facts facts = facts_of(spoiling.draft());
  cut(spoiling, fused(facts, 1, "qkv"), fused(facts, facts.kv_heads, "qkv"));
}

void values_first(Spoiling& spoiling) {
  const Facts facts = facts_of(spoiling.draft());
  cut(spoiling, fused(facts, 1, "vqk"), fused(facts, 1, "qkv"));
}

void keys_first(Spoiling& spoiling) {
  const Facts facts = facts_of(spoiling.draft());
  cut(spoiling, fused(facts, 1, "kqv"), fused(facts, 1, "qkv"));
}

void fresh_first(Spoiling& spoiling) {
  spoiling.habits().join = [](const Block& past, const Block& fresh) {
    return right_join(fresh, past);
  };
}

/// The new ones are not stored.
void stale(Spoiling& spoiling) {
  spoiling.habits().join = [](const Block& past, const Block&) { return past; };
}

/// The new ones in the place of the last cached ones.
void overwriting(Spoiling& spoiling) {
  spoiling.habits().join = [](const Block& past, const Block& fresh) {
    return like(past, [&](Index b, Index h, Index i, Index j) {
      const Index from = i - (past.rows - fresh.rows);
      return from < 0 ? past.at(b, h, i, j) : fresh.at(b, h, from, j);
    });
  };
}

}  // namespace

WrongWays wrong_projections() {
  return {
      {"projection.q_transposed", "", causal_problem, transposed<'q'>},
      {"projection.k_transposed", "", causal_problem, transposed<'k'>},
      {"projection.v_transposed", "", causal_problem, transposed<'v'>},
      {"projection.transposed", "", causal_problem, all_transposed},
      {"queries_keys.swapped", "biases too", causal_problem, exchanged<'q', 'k'>},
      {"queries_keys.swapped", "biases not", causal_problem, exchanged_without_biases<'q', 'k'>},
      {"keys_values.swapped", "biases too", causal_problem, exchanged<'k', 'v'>},
      {"keys_values.swapped", "biases not", causal_problem, exchanged_without_biases<'k', 'v'>},
      {"projection.fused_cut", "in thirds", causal_problem, groups_in_thirds},
      {"projection.fused_cut", "head by head", causal_problem, thirds_in_groups},
      {"projection.fused_cut", "groups in thirds", grouped_problem, groups_in_thirds},
      {"projection.fused_cut", "thirds in groups", grouped_problem, thirds_in_groups},
      {"projection.fused_cut", "values first", unmasked_problem, values_first},
      {"projection.fused_cut", "keys first", unmasked_problem, keys_first},
      {"cache.order", "the new ones first", cached_problem, fresh_first},
      {"cache.order", "the new ones nowhere", cached_problem, stale},
      {"cache.order", "overwritten", cached_problem, overwriting},
      {"keys.from_w_q", "biases too", causal_problem, made_like_other<'k', 'q'>},
      {"keys.from_w_q", "biases not", causal_problem, made_by_other_weights<'k', 'q'>},
      {"values.from_w_k", "biases too", causal_problem, made_like_other<'v', 'k'>},
      {"values.from_w_k", "biases not", causal_problem, made_by_other_weights<'v', 'k'>},
      {"values.unprojected", "", causal_problem, unprojected},
      {"bias.missing_q", "", causal_problem, no_bias<'q'>},
      {"bias.missing_k", "", causal_problem, no_bias<'k'>},
      {"bias.missing_v", "", causal_problem, no_bias<'v'>},
      {"bias.missing_o", "", causal_problem, no_bias<'o'>},
      {"bias.missing", "", causal_problem, no_biases},
      {"output.w_o_missing", "", causal_problem, no_w_o},
      {"output.w_o_transposed", "", causal_problem, w_o_transposed},
      {"cross.swapped", "", cross_problem, roles_swapped},
      {"cross.swapped", "as many tokens", equal_cross_problem, roles_swapped},
      {"cross.self", "", cross_problem, memory_ignored},
      {"cross.self", "as many tokens", equal_cross_problem, memory_ignored},
      {"rope.pairs", "", rope_problem, other_pairs},
      {"rope.base", "10000", slow_rope_problem, other_base<10000>},
      {"rope.base", "500000", wide_rope_problem, other_base<500000>},
      {"rope.base", "1000000", wide_rope_problem, other_base<1000000>},
      {"rope.base", "160000", wide_rope_problem, other_base<160000>},
      {"rope.base", "10", wide_rope_problem, other_base<10>},
      {"rope.one_side", "queries", rope_problem, not_rotated<'k'>},
      {"rope.one_side", "keys", rope_problem, not_rotated<'q'>},
      {"rope.missing", "", rope_problem, no_positions},
      {"positions.missing", "", sinusoidal_problem, no_positions},
      {"positions.missing", "ALiBi", alibi_problem, no_positions},
      {"positions.halves", "", sinusoidal_problem, sines_first},
      {"alibi.slopes", "one rule", three_slopes_problem, one_rule<1>},
      {"alibi.slopes", "from 0", alibi_problem, one_rule<0>},
      {"alibi.slopes", "of eight", alibi_problem, slopes_of_eight},
      {"alibi.slopes", "in order", three_slopes_problem, slopes_in_order},
      {"alibi.slopes", "reversed", alibi_problem, slopes_reversed},
      {"alibi.sign", "", alibi_problem, slopes_negated},
  };
}

}  // namespace attn::testing
