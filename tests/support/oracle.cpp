// The oracle: from scores to output, in plain loops.
#include "support/oracle.hpp"
#include "support/infinity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/narrow.hpp"
#include "support/oracle_bench.hpp"

namespace attn::testing {
namespace {

Block merge(const Block& x) {
  return filled(x.batch, 1, x.rows, x.heads * x.cols, [&](Index b, Index, Index i, Index j) {
    return x.at(b, j / x.cols, i, j % x.cols);
  });
}

/// Times the scale, unless there is none.
Block scaled(Bench& bench, Block s) {
  const ProblemDraft& draft = bench.draft;
  const bool usual = draft.scale.kind == ScaleRule::Kind::Usual;
  const bool plain = draft.score != ScoreKind::Dot || draft.positions.kind == PositionKind::T5;
  if (draft.scale.kind == ScaleRule::Kind::None || (usual && plain)) return s;
  const double factor =
      draft.scale.kind == ScaleRule::Kind::Number
          ? draft.scale.number
          : latent_stretch(draft) / std::sqrt(static_cast<double>(bench.facts.d_k));
  for (double& x : s.data) x *= factor;
  return published(bench, "scaled_scores", s, bench.facts.heads);
}

/// One number of v_score: the same for all heads, or each its own.
double score_weight(const Bench& bench, Index h, Index c) {
  const std::vector<double>& all = bench.draft.weights.at("v_score").data;
  const bool own = std::ssize(all) > bench.facts.d_k;
  return all[static_cast<std::size_t>((own ? h * bench.facts.d_k : 0) + c)];
}

/// What one column of a query and a key adds to their score.
double score_term(const Bench& bench, double q, double k, Index h, Index c) {
  if (bench.draft.score == ScoreKind::Dot) return q * k;
  if (bench.draft.score == ScoreKind::Distance) return -(q - k) * (q - k) / 2;
  const double v = narrowed(score_weight(bench, h, c), bench.draft.dtype);
  return v * std::tanh(q + k);
}

/// The scores, capped, and scaled unless that comes later.
Block score(Bench& bench, const Heads& qkv) {
  const ProblemDraft& draft = bench.draft;
  const Facts& facts = bench.facts;
  const Index group = facts.heads / facts.kv_heads;
  Block s =
      filled(facts.batch, facts.heads, facts.n_queries, facts.n_keys,
             [&](Index b, Index h, Index i, Index j) {
               double sum = 0;
               for (Index c = 0; c < facts.d_k; ++c) {
                 sum += score_term(bench, qkv.q.at(b, h, i, c), qkv.k.at(b, h / group, j, c), h, c);
               }
               return sum;
             });
  s = published(bench, "scores", s, facts.heads);
  if (!draft.mask_before_scale) s = scaled(bench, s);
  if (draft.softcap) {
    for (double& x : s.data) x = *draft.softcap * std::tanh(x / *draft.softcap);
    s = published(bench, "capped_scores", s, facts.heads);
  }
  return s;
}

bool masks_afterwards(const ProblemDraft& draft) {
  return draft.masking == MaskingMode::Multiply || draft.masking == MaskingMode::Renormalize;
}

/// The scores after bias and, unless it acts after softmax, the mask.
Block hide(Bench& bench, const Block& scores, const Block& mask) {
  const ProblemDraft& draft = bench.draft;
  const Index heads = bench.facts.heads;
  Block bias = zeros(1, 1, 1, 1);
  if (has_bias(draft)) bias = published(bench, "bias", bias_of(draft, bench.facts), heads);
  if (has_mask(draft)) published(bench, "mask", mask, heads);
  const bool mask_now = has_mask(draft) && !masks_afterwards(draft);
  if (!has_bias(draft) && !mask_now) return scores;

  const double fill = draft.fill.value_or(-kInfinity);
  const bool adds = draft.masking == MaskingMode::Add;
  Block added = like(scores, [&](Index b, Index h, Index i, Index j) {
    return mask_now && adds && mask.at(b, h, i, j) == 0 ? fill : 0.0;
  });
  if (mask_now && adds) added = published(bench, "added_mask", added, heads);
  const Block hidden = like(scores, [&](Index b, Index h, Index i, Index j) {
    if (mask_now && !adds && mask.at(b, h, i, j) == 0) return fill;
    return scores.at(b, h, i, j) + bias.at(b, h, i, j) + added.at(b, h, i, j);
  });
  return published(bench, "masked_scores", hidden, heads);
}

double empty_weight(const Bench& bench) {
  if (bench.draft.empty_row == EmptyRow::Nan) return kNan;
  const EmptyRow policy = bench.draft.empty_row;  // a sum of 0 without softmax is no error
  if (policy == EmptyRow::Zero || policy == EmptyRow::Error) return 0;
  return 1 / static_cast<double>(bench.facts.n_keys);
}

/// Each row divided by its sum; rows whose sum is 0 by the policy for empty rows.
Block normalized(const Bench& bench, const Block& x, const Block& sums) {
  return like(x, [&](Index b, Index h, Index i, Index j) {
    const double sum = sums.at(b, h, i, 0);
    return sum == 0 ? empty_weight(bench) : x.at(b, h, i, j) / sum;
  });
}

Block softmax(Bench& bench, const Block& scores, bool open) {
  const Dtype dtype = bench.draft.dtype;
  const Index heads = bench.facts.heads;
  Block largest = row_max(scores);
  const auto has_sink = sink_of(bench.draft, 0).has_value();
  const auto sink = [&](Index h) { return sink_of(bench.draft, h).value_or(-kInfinity); };
  largest = like(largest, [&](Index b, Index h, Index i, Index) {
    return std::isnan(largest.at(b, h, i, 0)) ? kNan : std::fmax(largest.at(b, h, i, 0), sink(h));
  });
  Block raised = like(scores, [&](Index b, Index h, Index i, Index j) {
    const double top = largest.at(b, h, i, 0);
    return top == -kInfinity ? 0.0 : std::exp(scores.at(b, h, i, j) - top);
  });
  raised = all_narrowed(raised, dtype);
  Block sums = row_sum(raised);
  const Block rest = all_narrowed(like(sums,
                                       [&](Index b, Index h, Index i, Index) {
                                         const double top = largest.at(b, h, i, 0);
                                         return has_sink ? std::exp(sink(h) - top) : 0.0;
                                       }),
                                  dtype);
  sums = all_narrowed(like(sums, [&](Index b, Index h, Index i,
                                     Index) { return sums.at(b, h, i, 0) + rest.at(b, h, i, 0); }),
                      dtype);
  if (has_sink) {
    published(bench, "sink_weights",
              like(sums, [&](Index b, Index h, Index i,
                             Index) { return rest.at(b, h, i, 0) / sums.at(b, h, i, 0); }),
              heads);
  }
  if (open) {
    if (has_sink) published(bench, "exp_sink", rest, heads);
    published(bench, "row_max", largest, heads);
    published(bench, "exp_scores", raised, heads);
    published(bench, "row_sum", sums, heads);
  }
  return published(bench, "weights", normalized(bench, raised, sums), heads);
}

/// The scores without e^x: divided by the sum of those that are visible, or each by its sigmoid.
Block other_weights(Bench& bench, const Block& scores) {
  Block raised = like(scores, [&](Index b, Index h, Index i, Index j) {
    const double x = scores.at(b, h, i, j);
    if (x == -kInfinity) return 0.0;
    return bench.draft.normalize == NormalizeKind::Sum ? x : std::exp(x) / (std::exp(x) + 1);
  });
  if (bench.draft.normalize == NormalizeKind::Sum)
    raised = normalized(bench, raised, row_sum(raised));
  return published(bench, "weights", raised, bench.facts.heads);
}

/// What happens to the weights after softmax.
Block adjust(Bench& bench, Block weights, const Block& mask) {
  const ProblemDraft& draft = bench.draft;
  const Index heads = bench.facts.heads;
  if (has_mask(draft) && masks_afterwards(draft)) {
    for (std::size_t n = 0; n < weights.data.size(); ++n) weights.data[n] *= mask.data[n];
    weights = published(bench, "masked_weights", weights, heads);
    if (draft.masking == MaskingMode::Renormalize) {
      weights = published(bench, "renormalized_weights",
                          normalized(bench, weights, row_sum(weights)), heads);
    }
  }
  const bool drops_queries =
      std::any_of(draft.masks.begin(), draft.masks.end(),
                  [](const MaskSpec& spec) { return spec.text.rfind("queries", 0) == 0; });
  if (drops_queries) {
    weights = like(weights, [&](Index b, Index h, Index i, Index j) {
      return is_padding_query(draft, bench.facts, b, i) ? 0.0 : weights.at(b, h, i, j);
    });
    weights = published(bench, "query_masked_weights", weights, heads);
  }
  return weights;
}

Block times(const Block& x, const Block& y) {
  return like(
      x, [&](Index b, Index h, Index i, Index j) { return x.at(b, h, i, j) * y.at(b, h, i, j); });
}

/// The gate with the columns of each head.
Block gate_heads(Bench& bench) {
  const Facts& facts = bench.facts;
  if (!facts.has_heads) return *bench.gate;
  return published(bench, "attention_gate_heads",
                   filled(bench.gate->batch, facts.heads, facts.n_queries, facts.d_v,
                          [&](Index b, Index h, Index i, Index j) {
                            return bench.gate->at(b, 0, i, h * facts.d_v + j);
                          }),
                   facts.heads);
}

/// From the weights to the output.
void mix(Bench& bench, const Block& weights, const Block& v) {
  const Facts& facts = bench.facts;
  const Index group = facts.heads / facts.kv_heads;
  Block z = filled(facts.batch, facts.heads, facts.n_queries, facts.d_v,
                   [&](Index b, Index h, Index i, Index c) {
                     double sum = 0;
                     for (Index j = 0; j < facts.n_keys; ++j) {
                       sum += weights.at(b, h, i, j) * v.at(b, h / group, j, c);
                     }
                     return sum;
                   });
  const auto w_o = bench.draft.weights.find("w_o");
  const bool projected = w_o != bench.draft.weights.end();
  const std::string gated = gate_place(bench.draft);
  if (facts.has_heads || projected || !gated.empty())
    z = published(bench, "context", z, facts.heads);
  if (gated == "context")
    z = published(bench, "gated_context", times(z, gate_heads(bench)), facts.heads);
  if (facts.has_heads) z = published(bench, "concat", merge(z), 0);
  if (gated == "concat") z = published(bench, "gated_concat", times(z, *bench.gate), 0);
  if (projected) z = linear(bench.draft, z, "o", w_o->second.shape.back());
  if (gated == "output") {
    if (projected) z = published(bench, "ungated_output", z, 0);
    z = published(bench, "gated_output", times(z, *bench.gate), 0);
  }
  published(bench, "output", z, 0);
}

}  // namespace

Steps oracle(const ProblemDraft& draft, bool open_softmax) {
  Bench bench{draft, facts_of(draft)};
  const Heads qkv = project(bench);
  const Block mask = oracle_mask(draft, bench.facts);
  Block scores = hide(bench, score(bench, qkv), mask);
  if (draft.mask_before_scale) scores = scaled(bench, scores);
  const bool soft = draft.normalize == NormalizeKind::Softmax;
  const Block made = soft ? softmax(bench, scores, open_softmax) : other_weights(bench, scores);
  const Block weights = adjust(bench, made, mask);
  mix(bench, weights, qkv.v);
  return bench.steps;
}

bool has_empty_row(const ProblemDraft& draft) {
  if (sink_of(draft, 0)) return false;  // every query sees at least that
  const Facts facts = facts_of(draft);
  Block visible = oracle_mask(draft, facts);
  const Block bias = bias_of(draft, facts);
  visible = like(visible, [&](Index b, Index h, Index i, Index j) {
    return bias.at(b, h, i, j) == -kInfinity ? 0.0 : visible.at(b, h, i, j);
  });
  const Block counts = row_sum(visible);
  return std::count(counts.data.begin(), counts.data.end(), 0.0) > 0;
}

}  // namespace attn::testing
