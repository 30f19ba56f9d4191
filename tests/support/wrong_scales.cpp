// Ways to scale the scores wrongly.
#include <cmath>

#include "support/wrong_attention.hpp"

namespace attn::testing {
namespace {

double size(Index n) { return static_cast<double>(n); }

void scale_by(Spoiling& spoiling, double factor) {
  spoiling.draft().scale = {ScaleRule::Kind::Number, factor};
}

Index width(Spoiling& spoiling) { return facts_of(spoiling.draft()).d_k; }

void written_unscaled(Spoiling& spoiling) { scale_by(spoiling, 1); }
void scale_left_out(Spoiling& spoiling) { spoiling.draft().scale.kind = ScaleRule::Kind::None; }
void by_d_model(Spoiling& spoiling) {
  scale_by(spoiling, 1 / std::sqrt(size(spoiling.draft().embeddings->shape.back())));
}
void by_all_heads(Spoiling& spoiling) {
  const Facts facts = facts_of(spoiling.draft());
  scale_by(spoiling, 1 / std::sqrt(size(facts.heads * facts.d_k)));
}
void by_heads(Spoiling& spoiling) {
  scale_by(spoiling, 1 / std::sqrt(size(facts_of(spoiling.draft()).heads)));
}
void by_tokens(Spoiling& spoiling) {
  scale_by(spoiling, 1 / std::sqrt(size(facts_of(spoiling.draft()).n_keys)));
}
void no_root(Spoiling& spoiling) { scale_by(spoiling, 1 / size(width(spoiling))); }
void multiplied_by_scale(Spoiling& spoiling) {
  scale_by(spoiling, std::sqrt(size(width(spoiling))));
}

Block times(double factor, Block block) {
  for (double& x : block.data) x *= factor;
  return block;
}

void twice(Spoiling& spoiling) {
  const double factor = 1 / std::sqrt(size(width(spoiling)));
  spoiling.habits().hide = [factor](const Bench& bench, const Block& scores, const Block& mask) {
    return right_hide(bench, times(factor, scores), mask);
  };
}

void scaled_after_softmax(Spoiling& spoiling) {
  const double factor = 1 / std::sqrt(size(width(spoiling)));
  scale_left_out(spoiling);
  spoiling.habits().softmax = [factor](const Block& masked, const Block& mask) {
    return times(factor, right_softmax(masked, mask));
  };
}

}  // namespace

WrongWays wrong_scales() {
  return {
      {"scale.missing", "scaled scores = scores", causal_problem, written_unscaled},
      {"scale.missing", "step left out", causal_problem, scale_left_out},
      {"scale.missing", "cross", cross_problem, written_unscaled},
      {"scale.d_model", "", causal_problem, by_d_model},
      {"scale.d_model", "h·d_k ≠ d_model", wide_heads_problem, by_d_model},
      {"scale.width", "", wide_heads_problem, by_all_heads},
      {"scale.heads", "", causal_problem, by_heads},
      {"scale.tokens", "", causal_problem, by_tokens},
      {"scale.tokens", "cross", cross_problem, by_tokens},
      {"scale.d_k", "divided by d_k", causal_problem, no_root},
      {"scale.d_k", "scaled twice", causal_problem, twice},
      {"scale.multiplied", "", causal_problem, multiplied_by_scale},
      {"scale.after_softmax", "", causal_problem, scaled_after_softmax},
  };
}

}  // namespace attn::testing
