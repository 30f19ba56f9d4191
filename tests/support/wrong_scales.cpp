// Ways to scale the scores wrongly.
#include <cmath>

#include "support/narrow.hpp"
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
void by_share(Spoiling& spoiling) {
  const Index width = spoiling.draft().embeddings->shape.back();
  scale_by(spoiling, 1 / std::sqrt(size(width) / size(facts_of(spoiling.draft()).heads)));
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

void usual(Spoiling& spoiling) {
  spoiling.draft().scale = {ScaleRule::Kind::Number, 1 / std::sqrt(size(width(spoiling)))};
}

void squared(Spoiling& spoiling) {
  const double scale = spoiling.draft().scale.number;
  scale_by(spoiling, scale * scale);
}

/// The queries are written down scaled; then the scores are scaled as ever. Where nobody sees the
/// queries, it is `scale.d_k`.
void shown_scaled(Spoiling& spoiling) {
  if (!spoiling.given.empty()) return;
  const double factor = 1 / std::sqrt(size(width(spoiling)));
  spoiling.habits().touch = [factor](const std::string& id, Block& block) {
    if (id == "q") block = times(factor, block);
  };
}

/// Of a head that is padded to 4 columns, or any other number.
void of_padded_head(Spoiling& spoiling) { scale_by(spoiling, 0.5); }
void some_factor(Spoiling& spoiling) {
  scale_by(spoiling, spoiling.dice.one_of<double>({0.21, 0.46, 0.9, 1.15}));
}

void bias_with_scores(Spoiling& spoiling) {
  const double factor = 1 / std::sqrt(size(width(spoiling)));
  spoiling.habits().unwritten = {"bias"};
  spoiling.habits().touch = [factor](const std::string& id, Block& block) {
    if (id == "bias") block = times(factor, block);
  };
}

void scores_in_half(Spoiling& spoiling) {
  spoiling.habits().touch = [](const std::string& id, Block& block) {
    if (id == "scores") block = all_narrowed(block, Dtype::Float16);
  };
}

void output_in_half(Spoiling& spoiling) {
  spoiling.habits().touch = [](const std::string& id, Block& block) {
    if (id == "output") block = all_narrowed(block, Dtype::Float16);
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
      {"scale.share", "", wide_heads_problem, by_share},
      {"scale.heads", "", causal_problem, by_heads},
      {"scale.tokens", "", causal_problem, by_tokens},
      {"scale.tokens", "cross", cross_problem, by_tokens},
      {"scale.d_k", "divided by d_k", causal_problem, no_root},
      {"scale.d_k", "scaled twice", causal_problem, twice},
      {"scale.multiplied", "", causal_problem, multiplied_by_scale},
      {"scale.after_softmax", "", causal_problem, scaled_after_softmax},
      {"scale.default", "", other_scale_problem, usual},
      {"scale.default", "none is right", unscaled_problem, usual},
      {"scale.twice", "squared", other_scale_problem, squared},
      {"scale.twice", "q shows it", unmasked_problem, shown_scaled},
      {"scale.other", "padded head", unmasked_problem, of_padded_head},
      {"scale.other", "any", unmasked_problem, some_factor},
      {"bias.scaled", "", biased_problem, bias_with_scores},
      {"overflow.float16", "", huge_problem, scores_in_half},
      {"overflow.float16", "output", huge_output_problem, output_in_half},
  };
}

}  // namespace attn::testing
