// Routes that differ from the usual one and lead to the right answer.
#include <cmath>
#include <string>

#include "support/wrong_attention.hpp"

namespace attn::testing {
namespace {

double root_d_k(Spoiling& spoiling) {
  return std::sqrt(static_cast<double>(facts_of(spoiling.draft()).d_k));
}

/// The projection of that letter, divided.
void divide(Spoiling& spoiling, const std::string& letter, double divisor) {
  for (const char* part : {"w_", "b_"}) {
    for (double& x : spoiling.draft().weights.at(part + letter).data) x /= divisor;
  }
}

void scaled_queries(Spoiling& spoiling) {
  divide(spoiling, "q", root_d_k(spoiling));
  spoiling.draft().scale.kind = ScaleRule::Kind::None;
}

void scaled_both(Spoiling& spoiling) {
  for (const char* letter : {"q", "k"}) divide(spoiling, letter, std::sqrt(root_d_k(spoiling)));
  spoiling.draft().scale.kind = ScaleRule::Kind::None;
}

void finite_fill(Spoiling& spoiling) {
  spoiling.draft().fill = spoiling.dice.one_of<double>({-1e4, -1e9, -1e20, -3.4028234663852886e38});
}

void finite_addend(Spoiling& spoiling) {
  spoiling.habits().hide = [](const Bench&, const Block& scores, const Block& mask) {
    return like(scores, [&](Index b, Index h, Index i, Index j) {
      return scores.at(b, h, i, j) + (mask.at(b, h, i, j) == 0 ? -1e9 : 0);
    });
  };
}

/// The largest score of each row goes to 0 before softmax sees it.
void shifted_rows(Spoiling& spoiling) {
  spoiling.habits().hide = [](const Bench& bench, const Block& scores, const Block& mask) {
    const Block masked = right_hide(bench, scores, mask);
    const Block top = row_max(masked);
    return like(masked, [&](Index b, Index h, Index i, Index j) {
      return masked.at(b, h, i, j) - top.at(b, h, i, 0);
    });
  };
}

/// The columns (or rows) of an array in the order of reversed heads.
void reverse(Array& w, Index heads, bool rows) {
  const Block old = block_of(w, false);
  const Index d = (rows ? old.rows : old.cols) / heads;
  const auto from = [&](Index n) { return (heads - 1 - n / d) * d + n % d; };
  w.data = like(old, [&](Index, Index, Index i, Index j) {
             return old.at(0, 0, rows ? from(i) : i, rows ? j : from(j));
           }).data;
}

/// Heads in reverse order all along, and the rows of W_o with them.
void heads_reversed(Spoiling& spoiling) {
  const Index heads = facts_of(spoiling.draft()).heads;
  for (auto& [name, w] : spoiling.draft().weights) {
    if (name != "b_o") reverse(w, heads, name == "w_o");
  }
}

/// Heads in reverse order from where they are split to where they are put side by side again.
void heads_reversed_between(Spoiling& spoiling) {
  spoiling.habits().afterwards.push_back([](Steps& steps) {
    for (auto& [id, array] : steps) {
      if (array.rank() < 3) continue;
      const Block block = block_of(array, false);
      array.data = like(block, [&](Index b, Index h, Index i, Index j) {
                     return block.at(b, block.heads - 1 - h, i, j);
                   }).data;
    }
  });
}

/// The same, put side by side in that order, and the rows of W_o with them.
void heads_reversed_to_the_end(Spoiling& spoiling) {
  heads_reversed_between(spoiling);
  const Index heads = facts_of(spoiling.draft()).heads;
  spoiling.habits().afterwards.push_back([heads](Steps& steps) {
    for (auto& [id, array] : steps) {
      if (id == "concat") reverse(array, heads, false);
    }
  });
}

void rope_from_1(Spoiling& spoiling) { spoiling.draft().positions.offset = 1; }
void rope_from_0(Spoiling& spoiling) { spoiling.draft().positions.offset = 0; }

/// Every matrix the other way round.
void columns(Spoiling& spoiling) {
  spoiling.habits().afterwards.push_back([](Steps& steps) {
    for (auto& [id, array] : steps) {
      const Block block = block_of(array, false);
      const Block turned =
          filled(block.batch, block.heads, block.cols, block.rows,
                 [&](Index b, Index h, Index i, Index j) { return block.at(b, h, j, i); });
      std::swap(array.shape[array.rank() - 1], array.shape[array.rank() - 2]);
      array.data = turned.data;
    }
  });
}

/// Σ concat_h · W_o,h: there is no concatenation to write down.
void added_heads(Spoiling& spoiling) { spoiling.habits().unwritten = {"concat"}; }

}  // namespace

WrongWays other_roads() {
  return {
      {"scale folded into Q", "", causal_problem, scaled_queries},
      {"d_k^(1/4) in Q and in K", "", causal_problem, scaled_both},
      {"finite fill", "", causal_problem, finite_fill},
      {"finite fill, added", "", causal_problem, finite_addend},
      {"row maximum subtracted", "", causal_problem, shifted_rows},
      {"heads in another order, W_o too", "", causal_problem, heads_reversed},
      {"heads in another order once they are split", "", causal_problem, heads_reversed_between},
      {"the same up to W_o", "", causal_problem, heads_reversed_to_the_end},
      {"RoPE from position 1", "", rope_problem, rope_from_1},
      {"RoPE from position 0 instead of a later one", "", far_rope_problem, rope_from_0},
      {"tokens in columns", "", causal_problem, columns},
      {"heads added up after W_o", "", causal_problem, added_heads},
  };
}

WrongWays wrong_ways() {
  WrongWays all;
  for (const WrongWays& some :
       {wrong_scales(), wrong_softmax(), wrong_masks(), wrong_projections(), wrong_products(),
        wrong_heads(), wrong_positions(), wrong_extras(), wrong_gradients(), slips()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace attn::testing
