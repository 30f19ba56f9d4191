// The simulated student at work: attention once more in plain loops, one habit at a time.
#include "support/wrong_attention.hpp"
#include "support/infinity.hpp"

#include <cmath>

namespace attn::testing {
namespace {

/// Writes a matrix down, after whatever the student does to it.
Block written(Bench& bench, const Habits& habits, const std::string& id, Block block, Index heads) {
  if (habits.touch) habits.touch(id, block);
  if (habits.unwritten.count(id) > 0) return block;
  return published(bench, id, block, heads);
}

Heads projected(Bench& bench, const Habits& habits) {
  const ProblemDraft& draft = bench.draft;
  const Facts& facts = bench.facts;
  const auto write = [&](const char* id, const Block& block, Index heads) {
    return written(bench, habits, id, block, heads);
  };
  Block x = write("x", block_of(embeddings_of(draft), true), 0);
  Block source = x;
  if (draft.memory) source = write("memory", block_of(draft.memory->embeddings, true), 0);
  if (draft.positions.kind == PositionKind::Sinusoidal) {
    const Block wave = write("positions", position_signal(draft, x), 0);
    x = write("x_positioned",
              like(x, [&](Index b, Index, Index i,
                          Index j) { return x.at(b, 0, i, j) + wave.at(b, 0, i, j); }),
              0);
    if (!draft.memory) source = x;
  }
  bench.gate = gate_of(bench, x);
  if (bench.gate && habits.unwritten.contains("attention_gate")) {
    bench.steps.erase("attention_gate");
    bench.steps.erase("gate_logits");
  }
  Block q = write("q", linear(draft, x, "q", facts.heads * facts.d_k), 0);
  Block k = write("k", linear(draft, source, "k", facts.kv_heads * facts.d_k), 0);
  const Block v = write("v", linear(draft, source, "v", facts.kv_heads * facts.d_v), 0);
  if (!facts.has_heads) return {q, k, v};
  const bool normalises = norm_of(draft) != QkNormKind::None, whole = spans_heads(draft, facts);
  if (normalises && whole) {
    q = write("q_normed", habits.norm(draft, q, "q"), 0);
    k = write("k_normed", habits.norm(draft, k, "k"), 0);
  }
  Heads heads{write("q_heads", habits.split(q, facts.heads), facts.heads),
              write("k_heads", habits.split(k, facts.kv_heads), facts.kv_heads),
              write("v_heads", habits.split(v, facts.kv_heads), facts.kv_heads)};
  const bool late = (draft.qk_norm.after == QkNormAfter::Rope) != habits.norm_and_rope_exchanged;
  const auto normalise = [&](bool now) {
    if (!normalises || whole || !now) return;
    heads.q = write("q_normed", habits.norm(draft, heads.q, "q"), facts.heads);
    heads.k = write("k_normed", habits.norm(draft, heads.k, "k"), facts.kv_heads);
  };
  normalise(!late);
  const PositionKind kind = draft.positions.kind;
  if (kind == PositionKind::Rope || kind == PositionKind::RopeInterleaved) {
    const std::vector<Index> start(static_cast<std::size_t>(facts.batch), facts.n_past);
    heads.q = write("q_rotated", turned(draft, heads.q, start), facts.heads);
    heads.k = write("k_rotated", turned(draft, heads.k, start), facts.kv_heads);
  }
  normalise(late);
  if (draft.past) {
    heads.k = write("k_all", habits.join(block_of(draft.past->k, false), heads.k), facts.kv_heads);
    heads.v = write("v_all", habits.join(block_of(draft.past->v, false), heads.v), facts.kv_heads);
  }
  return heads;
}

Block times_scale(const Bench& bench, Block scores) {
  const ScaleRule& rule = bench.draft.scale;
  const double factor = rule.kind == ScaleRule::Kind::Number
                            ? rule.number
                            : 1 / std::sqrt(static_cast<double>(bench.facts.d_k));
  for (double& x : scores.data) x *= factor;
  return scores;
}

/// What is left of weights that add up to 1 where a sink takes its share: it is weighed against the
/// logarithm of the sum of e^score.
Block drained(Bench& bench, const Habits& habits, const Block& scores, const Block& weights) {
  if (!habits.sink(bench, 0)) return weights;
  const Block top = row_max(scores);
  const Block sums = row_sum(like(scores, [&](Index b, Index h, Index i, Index j) {
    return std::exp(scores.at(b, h, i, j) - top.at(b, h, i, 0));
  }));
  const Block kept = like(sums, [&](Index b, Index h, Index i, Index) {
    const double all = top.at(b, h, i, 0) + std::log(sums.at(b, h, i, 0));
    return 1 / (1 + std::exp(*habits.sink(bench, h) - all));
  });
  written(bench, habits, "sink_weights",
          like(kept, [&](Index b, Index h, Index i, Index) { return 1 - kept.at(b, h, i, 0); }),
          bench.facts.heads);
  return like(weights, [&](Index b, Index h, Index i, Index j) {
    return weights.at(b, h, i, j) * kept.at(b, h, i, 0);
  });
}

/// From Q, K, V to the weights.
Block weighed(Bench& bench, const Habits& habits, const Heads& qkv) {
  const ProblemDraft& draft = bench.draft;
  const Index heads = bench.facts.heads;
  const auto write = [&](const char* id, const Block& block) {
    return written(bench, habits, id, block, heads);
  };
  const auto capped = [&](Block block) {
    for (double& x : block.data) x = *draft.softcap * std::tanh(x / *draft.softcap);
    return write("capped_scores", block);
  };
  Block scores = write("scores", habits.score(bench.facts, habits, qkv));
  if (draft.scale.kind != ScaleRule::Kind::None) {
    scores = write("scaled_scores", times_scale(bench, scores));
  }
  if (draft.softcap && !habits.caps_after_mask) scores = capped(scores);
  if (has_bias(draft)) {
    const Block bias = write("bias", bias_of(draft, bench.facts));
    scores = like(scores, [&](Index b, Index h, Index i, Index j) {
      return scores.at(b, h, i, j) + bias.at(b, h, i, j);
    });
  }
  const Block mask = habits.mask(bench);
  if (has_mask(draft)) {
    write("mask", mask);
    scores = write("masked_scores", habits.hide(bench, scores, mask));
  }
  if (draft.softcap && habits.caps_after_mask) scores = capped(scores);
  return write("weights", drained(bench, habits, scores, habits.softmax(scores, mask)));
}

}  // namespace

Steps worked(const Attempt& attempt) {
  Bench bench{attempt.draft, facts_of(attempt.draft)};
  const Habits& habits = attempt.habits;
  const Facts& facts = bench.facts;
  const Heads qkv = projected(bench, habits);
  const Block weights = weighed(bench, habits, qkv);
  Block z =
      written(bench, habits, "context", habits.mix(facts, habits, weights, qkv.v), facts.heads);
  const std::string gated = gate_place(attempt.draft);
  if (gated == "context") {
    const Block gate = habits.split(*bench.gate, facts.heads);
    if (habits.unwritten.count("attention_gate") == 0)
      published(bench, "attention_gate_heads", gate, facts.heads);
    z = written(bench, habits, "gated_context", habits.let_through(z, gate), facts.heads);
  }
  if (facts.has_heads) z = written(bench, habits, "concat", habits.merge(z), 0);
  if (gated == "concat")
    z = written(bench, habits, "gated_concat", habits.let_through(z, *bench.gate), 0);
  const auto w_o = attempt.draft.weights.find("w_o");
  if (w_o == attempt.draft.weights.end()) {
    written(bench, habits, "output", z, 0);
  } else if (w_o->second.shape[0] == z.cols) {
    written(bench, habits, "output", linear(attempt.draft, z, "o", w_o->second.shape[1]), 0);
  }
  for (const auto& change : habits.afterwards) change(bench.steps);
  return bench.steps;
}

Block right_split(const Block& x, Index heads) {
  const Index d = x.cols / heads;
  return filled(x.batch, heads, x.rows, d,
                [&](Index b, Index h, Index i, Index j) { return x.at(b, 0, i, h * d + j); });
}

Block right_merge(const Block& z) {
  return filled(z.batch, 1, z.rows, z.heads * z.cols, [&](Index b, Index, Index i, Index j) {
    return z.at(b, j / z.cols, i, j % z.cols);
  });
}

Block right_join(const Block& past, const Block& fresh) {
  return filled(fresh.batch, fresh.heads, past.rows + fresh.rows, fresh.cols,
                [&](Index b, Index h, Index i, Index j) {
                  return i < past.rows ? past.at(b, h, i, j) : fresh.at(b, h, i - past.rows, j);
                });
}

Block right_score(const Facts& facts, const Habits& habits, const Heads& qkv) {
  return filled(qkv.q.batch, facts.heads, qkv.q.rows, qkv.k.rows,
                [&](Index b, Index h, Index i, Index j) {
                  const Index from = habits.kv_head(facts, h);
                  double sum = 0;
                  for (Index c = 0; c < qkv.q.cols; ++c) {
                    sum += qkv.q.at(b, h, i, c) * qkv.k.at(b, from, j, c);
                  }
                  return sum;
                });
}

Block right_hide(const Bench& bench, const Block& scores, const Block& mask) {
  const double fill = bench.draft.fill.value_or(-kInfinity);
  return like(scores, [&](Index b, Index h, Index i, Index j) {
    return mask.at(b, h, i, j) == 0 ? fill : scores.at(b, h, i, j);
  });
}

Block right_softmax(const Block& masked, const Block&) {
  const Block top = row_max(masked);
  const Block raised = like(masked, [&](Index b, Index h, Index i, Index j) {
    const double largest = top.at(b, h, i, 0);
    return largest == -kInfinity ? 0.0 : std::exp(masked.at(b, h, i, j) - largest);
  });
  const Block sums = row_sum(raised);
  return like(raised, [&](Index b, Index h, Index i, Index j) {
    const double sum = sums.at(b, h, i, 0);
    return sum == 0 ? 0.0 : raised.at(b, h, i, j) / sum;
  });
}

Block right_mix(const Facts& facts, const Habits& habits, const Block& weights, const Block& v) {
  return filled(weights.batch, facts.heads, weights.rows, v.cols,
                [&](Index b, Index h, Index i, Index c) {
                  const Index from = habits.kv_head(facts, h);
                  double sum = 0;
                  for (Index j = 0; j < weights.cols; ++j) {
                    sum += weights.at(b, h, i, j) * v.at(b, from, j, c);
                  }
                  return sum;
                });
}

Habits right_habits() {
  Habits habits;
  habits.split = right_split;
  habits.merge = right_merge;
  habits.join = right_join;
  habits.kv_head = [](const Facts& facts, Index head) {
    return head / (facts.heads / facts.kv_heads);
  };
  habits.score = right_score;
  habits.mask = [](const Bench& bench) { return oracle_mask(bench.draft, bench.facts); };
  habits.hide = right_hide;
  habits.softmax = right_softmax;
  habits.mix = right_mix;
  habits.norm = qk_normed;
  habits.sink = [](const Bench& bench, Index head) { return sink_of(bench.draft, head); };
  habits.let_through = [](const Block& x, const Block& gate) {
    return like(x, [&](Index b, Index h, Index i, Index j) {
      return x.at(b, h, i, j) * gate.at(b, h, i, j);
    });
  };
  return habits;
}

}  // namespace attn::testing
