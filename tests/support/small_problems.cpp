// Makes small random problems on which mistakes show.
#include "support/small_problems.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "support/oracle.hpp"

namespace attn::testing {
namespace {

/// Either whole numbers from −2 to 2, `percent` of them not 0, or any from −size to size with two
/// decimals.
struct Numbers {
  bool whole;
  Index percent;
  double size;

  Array operator()(Dice& dice, const std::vector<Index>& shape) const {
    Array array = dice.numbers(shape);
    for (double& x : array.data) {
      x = std::round(x * size * 100) / 100;
      if (whole) x = dice.chance(percent) ? std::copysign(dice.chance(70) ? 1.0 : 2.0, x) : 0.0;
    }
    return array;
  }
};

ProblemDraft drawn(Dice& dice, const SmallSizes& sizes) {
  const bool whole = dice.chance(50);
  const Numbers inputs{whole, 60, 1.5}, weights{whole, 30, 0.8}, biases{whole, 80, 1.0};
  const Index tokens = sizes.tokens > 0 ? sizes.tokens : dice.between(4, 6);
  const auto rows = [&](Index count) {
    return sizes.batch > 0 ? std::vector<Index>{sizes.batch, count, sizes.d_model}
                           : std::vector<Index>{count, sizes.d_model};
  };
  ProblemDraft draft;
  draft.embeddings = inputs(dice, rows(tokens));
  if (sizes.memory > 0) draft.memory = MemoryDraft{{}, inputs(dice, rows(sizes.memory))};
  draft.heads = sizes.heads;
  if (sizes.kv_heads != sizes.heads) draft.kv_heads = sizes.kv_heads;
  const Index wide = sizes.heads * sizes.d_k, narrow = sizes.kv_heads * sizes.d_k;
  for (const auto& [letter, width] : {std::pair("q", wide), {"k", narrow}, {"v", narrow}}) {
    draft.weights[std::string("w_") + letter] = weights(dice, {sizes.d_model, width});
    draft.weights[std::string("b_") + letter] = biases(dice, {width});
  }
  draft.weights["w_o"] = weights(dice, {wide, sizes.d_model});
  draft.weights["b_o"] = biases(dice, {sizes.d_model});
  return draft;
}

/// Whether every scaled score is from −3 to 3, and those of each query span at least 0.5.
bool is_good(const ProblemDraft& draft) {
  Steps steps = oracle(draft, false);
  const Array& scores = steps.at("scaled_scores");
  const auto width = static_cast<std::size_t>(scores.shape.back());
  for (std::size_t start = 0; start < scores.data.size(); start += width) {
    const auto first = scores.data.begin() + static_cast<std::ptrdiff_t>(start);
    const auto [low, high] = std::minmax_element(first, first + scores.shape.back());
    if (*low < -3 || *high > 3 || *high - *low < 0.5) return false;
  }
  return true;
}

/// A draw whose scores are good, with `finish` setting the rest of it; the last draw of 2000 if
/// none is.
template <typename Finish>
ProblemDraft good(Dice& dice, const SmallSizes& sizes, Finish finish) {
  ProblemDraft draft;
  for (int tries = 0; tries < 2000; ++tries) {
    draft = drawn(dice, sizes);
    finish(draft);
    if (is_good(draft)) break;
  }
  return draft;
}

ProblemDraft masked(Dice& dice, const SmallSizes& sizes, const std::string& mask) {
  return good(dice, sizes, [&](ProblemDraft& draft) { draft.masks = {parse_mask(mask)}; });
}

/// Causal, with positions of that kind.
ProblemDraft placed(Dice& dice, const SmallSizes& sizes, PositionKind kind,
                    std::optional<double> base = std::nullopt) {
  return good(dice, sizes, [&](ProblemDraft& draft) {
    draft.masks = {parse_mask("causal")};
    draft.positions.kind = kind;
    draft.positions.base = base;
  });
}

}  // namespace

ProblemDraft causal_problem(Dice& dice) { return masked(dice, {}, "causal"); }

ProblemDraft unmasked_problem(Dice& dice) {
  return good(dice, {}, [](ProblemDraft&) {});
}

ProblemDraft wide_heads_problem(Dice& dice) { return masked(dice, {.d_k = 4}, "causal"); }

ProblemDraft square_keys_problem(Dice& dice) {
  return masked(dice, {.tokens = 4, .d_k = 4}, dice.chance(50) ? "causal" : "none");
}

ProblemDraft cross_problem(Dice& dice) {
  const Index tokens = dice.between(4, 6);
  const Index memory = tokens == 4 ? dice.between(5, 6) : tokens - 1;
  return masked(dice, {.tokens = tokens, .memory = memory}, "none");
}

ProblemDraft equal_cross_problem(Dice& dice) {
  const Index tokens = dice.between(4, 6);
  return masked(dice, {.tokens = tokens, .memory = tokens}, "none");
}

ProblemDraft aligned_problem(Dice& dice) {
  const Index tokens = dice.between(3, 4);
  const Align align = dice.chance(70) ? Align::End : Align::Start;
  return good(dice, {.tokens = tokens, .memory = tokens + dice.between(1, 2)},
              [&](ProblemDraft& draft) {
                draft.masks = {parse_mask("causal")};
                draft.align = align;
              });
}

ProblemDraft grouped_problem(Dice& dice) {
  return masked(dice, {.heads = 4, .kv_heads = 2}, "causal");
}

ProblemDraft rope_problem(Dice& dice) {
  const PositionKind kind = dice.chance(50) ? PositionKind::Rope : PositionKind::RopeInterleaved;
  return placed(dice, {.d_k = 4}, kind);
}

ProblemDraft wide_rope_problem(Dice& dice) { return placed(dice, {.d_k = 8}, PositionKind::Rope); }

ProblemDraft slow_rope_problem(Dice& dice) {
  return placed(dice, {.d_k = 8}, PositionKind::Rope, 5e5);
}

ProblemDraft partial_rope_problem(Dice& dice) {
  const bool halves = dice.chance(50);
  return good(dice, {.d_k = 8}, [&](ProblemDraft& draft) {
    draft.masks = {parse_mask("causal")};
    draft.positions.kind = halves ? PositionKind::Rope : PositionKind::RopeInterleaved;
    draft.positions.rotary_dim = halves ? 4 : 6;
  });
}

ProblemDraft cached_rope_problem(Dice& dice) {
  const SmallSizes sizes{.tokens = 3, .d_k = 4};
  return good(dice, sizes, [&](ProblemDraft& draft) {
    const std::vector<Index> shape{sizes.heads, dice.between(2, 4), sizes.d_k};
    draft.masks = {parse_mask("causal")};
    draft.positions.kind = PositionKind::Rope;
    draft.past = ProblemDraft::Past{{}, dice.numbers(shape), dice.numbers(shape)};
  });
}

ProblemDraft scaled_rope_problem(Dice& dice) {
  const bool yarn = dice.chance(50);
  return good(dice, {.d_k = 8}, [&](ProblemDraft& draft) {
    draft.masks = {parse_mask("causal")};
    draft.positions.kind = PositionKind::Rope;
    RopeScaling& scaling = draft.positions.scaling.emplace();
    scaling.kind = yarn ? RopeScalingKind::Yarn : RopeScalingKind::LongRope;
    scaling.factor = 4;
    scaling.rope_theta = 100;
    scaling.original_max_position_embeddings = 16;
    if (yarn) return;
    scaling.short_factor = {1, 1.5, 2, 3};
    scaling.long_factor = {1, 2, 3, 4};
  });
}

ProblemDraft far_rope_problem(Dice& dice) {
  const Index offset = 2 * dice.between(150, 400) + 1;
  return good(dice, {.d_k = 8}, [&](ProblemDraft& draft) {
    draft.masks = {parse_mask("causal")};
    draft.positions.kind = PositionKind::Rope;
    draft.positions.offset = offset;
  });
}

ProblemDraft sinusoidal_problem(Dice& dice) { return placed(dice, {}, PositionKind::Sinusoidal); }

ProblemDraft alibi_problem(Dice& dice) {
  return placed(dice, {.heads = 4, .kv_heads = 4}, PositionKind::Alibi);
}

ProblemDraft three_slopes_problem(Dice& dice) {
  return placed(dice, {.heads = 3, .kv_heads = 3}, PositionKind::Alibi);
}

ProblemDraft window_problem(Dice& dice) {
  const std::string left = std::to_string(dice.between(1, 2));
  return masked(dice, {.tokens = dice.between(5, 6)},
                "window:" + left + (dice.chance(50) ? ",1" : ""));
}

ProblemDraft padded_problem(Dice& dice) {
  const Index tokens = dice.between(4, 6), words = tokens - dice.between(1, 2);
  std::vector<std::string> labels;
  for (Index i = 0; i < tokens; ++i) {
    labels.push_back(i < words ? "t" + std::to_string(i) : "<pad>");
  }
  return good(dice, {.tokens = tokens}, [&](ProblemDraft& draft) {
    draft.tokens = {labels};
    draft.masks = {parse_mask("padding")};
  });
}

ProblemDraft capped_problem(Dice& dice) {
  const double cap = dice.chance(50) ? 1.0 : 2.0;
  return good(dice, {}, [&](ProblemDraft& draft) {
    draft.masks = {parse_mask("causal")};
    draft.softcap = cap;
  });
}

ProblemDraft blind_problem(Dice& dice) {
  return good(dice, {}, [](ProblemDraft& draft) {
    draft.masks = {parse_mask("causal"), parse_mask("keys:0")};
  });
}

ProblemDraft batch_problem(Dice& dice) {
  return masked(dice, {.tokens = dice.between(4, 5), .batch = dice.between(2, 3)}, "causal");
}

ProblemDraft unmasked_batch_problem(Dice& dice) {
  return masked(dice, {.tokens = dice.between(4, 5), .batch = dice.between(2, 3)}, "none");
}

ProblemDraft batch_padded_problem(Dice& dice) {
  const Index tokens = dice.between(5, 6);
  return good(dice, {.tokens = tokens, .batch = 2}, [&](ProblemDraft& draft) {
    draft.key_lengths = {tokens - 2, tokens};
  });
}

ProblemDraft loud_problem(Dice& dice) {
  ProblemDraft draft = causal_problem(dice);
  for (double& x : draft.embeddings->data) x *= 40;
  return draft;
}

ProblemDraft huge_problem(Dice& dice) {
  ProblemDraft draft = causal_problem(dice);
  for (double& x : draft.embeddings->data) x *= 300;
  return draft;
}

ProblemDraft huge_output_problem(Dice& dice) {
  ProblemDraft draft = causal_problem(dice);
  for (double& x : draft.weights.at("w_o").data) x *= 1e5;
  return draft;
}

ProblemDraft other_scale_problem(Dice& dice) {
  const double scale = dice.one_of<double>({1.0 / 3, 0.25, 0.8});
  return good(dice, {}, [&](ProblemDraft& draft) {
    draft.masks = {parse_mask("causal")};
    draft.scale = {ScaleRule::Kind::Number, scale};
  });
}

ProblemDraft unscaled_problem(Dice& dice) {
  ProblemDraft draft = causal_problem(dice);
  draft.scale.kind = ScaleRule::Kind::None;
  return draft;
}

ProblemDraft biased_problem(Dice& dice) {
  ProblemDraft draft = causal_problem(dice);
  const Index tokens = draft.embeddings->shape[0];
  draft.bias = dice.numbers({*draft.heads, tokens, tokens});
  return draft;
}

ProblemDraft two_masks_problem(Dice& dice) {
  const Index tokens = dice.between(5, 6), hidden = dice.between(1, 2);
  ProblemDraft draft = masked(dice, {.tokens = tokens}, "causal");
  const std::string last = std::to_string(tokens - 1);
  draft.masks.push_back(
      parse_mask("keys:" + (hidden > 1 ? std::to_string(tokens - 2) + "-" : std::string()) + last));
  return draft;
}

ProblemDraft grouped_batch_problem(Dice& dice) {
  const Index tokens = dice.between(5, 6);
  return good(dice, {.tokens = tokens, .batch = 2, .heads = 4}, [&](ProblemDraft& draft) {
    draft.key_lengths = {tokens - 2, tokens};
  });
}

ProblemDraft cached_problem(Dice& dice) {
  ProblemDraft draft = good(dice, {.tokens = 2}, [](ProblemDraft&) {});
  const Index past = dice.between(3, 4);
  const std::vector<Index> shape{*draft.heads, past, 3};
  draft.past = ProblemDraft::Past{{}, dice.numbers(shape), dice.numbers(shape)};
  return draft;
}

ProblemDraft no_w_o_problem(Dice& dice) {
  ProblemDraft draft = causal_problem(dice);
  draft.weights.erase("w_o");
  draft.weights.erase("b_o");
  return draft;
}

namespace {

/// Gains between 0.5 and 1.5.
Array gains(Dice& dice, Index count) {
  Array made = dice.numbers({count});
  for (double& x : made.data) x = 1 + x / 2;
  return made;
}

/// A norm over groups of `width` columns.
void add_norm(Dice& dice, ProblemDraft& draft, QkNormKind kind, Index width) {
  draft.masks = {parse_mask("causal")};
  draft.qk_norm.kind = kind;
  draft.qk_norm.is_given = true;
  draft.weights["q_norm"] = gains(dice, width);
  draft.weights["k_norm"] = gains(dice, width);
}

/// Sinks that are neither negligible nor alike.
void add_sinks(Dice& dice, ProblemDraft& draft) {
  draft.masks = {parse_mask("causal")};
  draft.sinks = Array{{2}, {0.6 + dice.number() / 4, 1.4 + dice.number() / 4}};
}

}  // namespace

ProblemDraft normed_problem(Dice& dice) {
  const QkNormKind kind = dice.chance(50) ? QkNormKind::Rms : QkNormKind::Layer;
  return good(dice, {.d_k = 4}, [&](ProblemDraft& draft) {
    add_norm(dice, draft, kind, 4);
    draft.positions.kind = PositionKind::Rope;
    draft.positions.base = 10;
  });
}

ProblemDraft wide_norm_problem(Dice& dice) {
  return good(dice, {.d_k = 4},
              [&](ProblemDraft& draft) { add_norm(dice, draft, QkNormKind::Rms, 8); });
}

ProblemDraft sink_problem(Dice& dice) {
  return good(dice, {}, [&](ProblemDraft& draft) { add_sinks(dice, draft); });
}

ProblemDraft capped_sink_problem(Dice& dice) {
  return good(dice, {}, [&](ProblemDraft& draft) {
    add_sinks(dice, draft);
    draft.softcap = 2;
  });
}

ProblemDraft gated_problem(Dice& dice) {
  const GateOn on = dice.chance(50) ? GateOn::Context : GateOn::Concat;
  return good(dice, {}, [&](ProblemDraft& draft) {
    draft.masks = {parse_mask("causal")};
    draft.weights["w_gate"] = dice.numbers({6, 6});
    draft.weights["b_gate"] = dice.numbers({6});
    draft.attention_gate = AttentionGate{"sigmoid", on};
  });
}

}  // namespace attn::testing
