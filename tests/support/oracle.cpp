#include "support/oracle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/oracle_parts.hpp"

namespace attn::testing {
namespace {

const double kInfinity = std::numeric_limits<double>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();

/// What the computation reads and where it puts its results.
struct Bench {
  const ProblemDraft& draft;
  Facts facts;
  Steps steps;
};

/// Puts a block among the steps, repeated along the batch and, if `heads` is not 0, for each head.
void publish(Bench& bench, const std::string& id, const Block& block, Index heads) {
  const Facts& facts = bench.facts;
  const bool headed = facts.has_heads && heads > 0;
  Array array;
  if (facts.has_batch) array.shape.push_back(facts.batch);
  if (headed) array.shape.push_back(heads);
  const Index rows = id == "bias" ? facts.n_queries : block.rows;
  const Index cols = id == "bias" ? facts.n_keys : block.cols;
  array.shape.push_back(rows);
  array.shape.push_back(cols);
  for_each(facts.batch, headed ? heads : 1, rows, cols,
           [&](Index b, Index h, Index i, Index j) { array.data.push_back(block.at(b, h, i, j)); });
  bench.steps[id] = array;
}

/// Entry (row, col) of a projection; given per head, head i has columns i·d … of the whole.
double entry(const Array& w, Index row, Index col) {
  const Index cols = w.shape.back();
  const Index rows = w.shape[w.rank() - 2];
  const Index head = col / cols;
  return w.data[static_cast<std::size_t>((head * rows + row) * cols + col % cols)];
}

/// X · W + b, with `letter` choosing w_q and b_q, …
Block linear(const ProblemDraft& draft, const Block& x, const std::string& letter, Index width) {
  const Array& w = draft.weights.at("w_" + letter);
  const auto b = draft.weights.find("b_" + letter);
  return filled(x.batch, 1, x.rows, width, [&](Index n, Index, Index i, Index j) {
    double sum = b == draft.weights.end() ? 0.0 : b->second.data.at(static_cast<std::size_t>(j));
    for (Index c = 0; c < x.cols; ++c) sum += x.at(n, 0, i, c) * entry(w, c, j);
    return sum;
  });
}

Block split(const Block& x, Index heads) {
  const Index d = x.cols / heads;
  return filled(x.batch, heads, x.rows, d,
                [&](Index b, Index h, Index i, Index j) { return x.at(b, 0, i, h * d + j); });
}

Block merge(const Block& x) {
  return filled(x.batch, 1, x.rows, x.heads * x.cols, [&](Index b, Index, Index i, Index j) {
    return x.at(b, j / x.cols, i, j % x.cols);
  });
}

Block append(const Block& past, const Block& x) {
  return filled(std::max(past.batch, x.batch), x.heads, past.rows + x.rows, x.cols,
                [&](Index b, Index h, Index i, Index j) {
                  return i < past.rows ? past.at(b, h, i, j) : x.at(b, h, i - past.rows, j);
                });
}

struct Heads {
  Block q, k, v;
};

/// From the inputs to Q, K and V per head, past included.
Heads project(Bench& bench) {
  const ProblemDraft& draft = bench.draft;
  const Facts& facts = bench.facts;
  Heads heads;
  if (draft.q) {
    heads = {block_of(*draft.q, true), block_of(*draft.k, true), block_of(*draft.v, true)};
  } else {
    const Block x = block_of(embeddings_of(draft), true);
    const Block source = draft.memory ? block_of(draft.memory->embeddings, true) : x;
    publish(bench, "x", x, 0);
    if (draft.memory) publish(bench, "memory", source, 0);
    heads.q = linear(draft, x, "q", facts.heads * facts.d_k);
    heads.k = linear(draft, source, "k", facts.kv_heads * facts.d_k);
    heads.v = linear(draft, source, "v", facts.kv_heads * facts.d_v);
  }
  if (!draft.q || draft.q->rank() < 4) {
    publish(bench, "q", heads.q, 0);
    publish(bench, "k", heads.k, 0);
    publish(bench, "v", heads.v, 0);
    heads = {split(heads.q, facts.heads), split(heads.k, facts.kv_heads),
             split(heads.v, facts.kv_heads)};
  }
  if (facts.has_heads) {
    publish(bench, "q_heads", heads.q, facts.heads);
    publish(bench, "k_heads", heads.k, facts.kv_heads);
    publish(bench, "v_heads", heads.v, facts.kv_heads);
  }
  if (!draft.past) return heads;
  heads.k = append(block_of(draft.past->k, !facts.has_heads), heads.k);
  heads.v = append(block_of(draft.past->v, !facts.has_heads), heads.v);
  publish(bench, "k_all", heads.k, facts.kv_heads);
  publish(bench, "v_all", heads.v, facts.kv_heads);
  return heads;
}

/// Q·Kᵀ, scaled and capped.
Block score(Bench& bench, const Heads& qkv) {
  const ProblemDraft& draft = bench.draft;
  const Facts& facts = bench.facts;
  const Index group = facts.heads / facts.kv_heads;
  Block s = filled(facts.batch, facts.heads, facts.n_queries, facts.n_keys,
                   [&](Index b, Index h, Index i, Index j) {
                     double sum = 0;
                     for (Index c = 0; c < facts.d_k; ++c) {
                       sum += qkv.q.at(b, h, i, c) * qkv.k.at(b, h / group, j, c);
                     }
                     return sum;
                   });
  publish(bench, "scores", s, facts.heads);
  if (draft.scale.kind != ScaleRule::Kind::None) {
    const double factor = draft.scale.kind == ScaleRule::Kind::Number
                              ? draft.scale.number
                              : 1 / std::sqrt(static_cast<double>(facts.d_k));
    for (double& x : s.data) x *= factor;
    publish(bench, "scaled_scores", s, facts.heads);
  }
  if (draft.softcap) {
    for (double& x : s.data) x = *draft.softcap * std::tanh(x / *draft.softcap);
    publish(bench, "capped_scores", s, facts.heads);
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
  const bool bias_given = draft.bias.has_value();
  const Block bias = bias_given ? broadcast_of(*draft.bias, bench.facts) : zeros(1, 1, 1, 1);
  if (bias_given) publish(bench, "bias", bias, heads);
  if (has_mask(draft)) publish(bench, "mask", mask, heads);
  const bool mask_now = has_mask(draft) && !masks_afterwards(draft);
  if (!bias_given && !mask_now) return scores;

  const double fill = draft.fill.value_or(-kInfinity);
  const Block hidden = like(scores, [&](Index b, Index h, Index i, Index j) {
    const double score = scores.at(b, h, i, j) + bias.at(b, h, i, j);
    if (!mask_now || mask.at(b, h, i, j) == 1) return score;
    return draft.masking == MaskingMode::Add ? score + fill : fill;
  });
  publish(bench, "masked_scores", hidden, heads);
  return hidden;
}

double empty_weight(const Bench& bench) {
  if (bench.draft.empty_row == EmptyRow::Nan) return kNan;
  if (bench.draft.empty_row == EmptyRow::Zero) return 0;
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
  const Block largest = row_max(scores);
  const Block raised = like(scores, [&](Index b, Index h, Index i, Index j) {
    const double top = largest.at(b, h, i, 0);
    return top == -kInfinity ? 0.0 : std::exp(scores.at(b, h, i, j) - top);
  });
  const Block sums = row_sum(raised);
  const Index heads = bench.facts.heads;
  if (open) {
    publish(bench, "row_max", largest, heads);
    publish(bench, "exp_scores", raised, heads);
    publish(bench, "row_sum", sums, heads);
  }
  const Block weights = normalized(bench, raised, sums);
  publish(bench, "weights", weights, heads);
  return weights;
}

/// What happens to the weights after softmax.
Block adjust(Bench& bench, Block weights, const Block& mask) {
  const ProblemDraft& draft = bench.draft;
  const Index heads = bench.facts.heads;
  if (has_mask(draft) && masks_afterwards(draft)) {
    for (std::size_t n = 0; n < weights.data.size(); ++n) weights.data[n] *= mask.data[n];
    publish(bench, "masked_weights", weights, heads);
    if (draft.masking == MaskingMode::Renormalize) {
      weights = normalized(bench, weights, row_sum(weights));
      publish(bench, "renormalized_weights", weights, heads);
    }
  }
  const bool drops_queries =
      std::any_of(draft.masks.begin(), draft.masks.end(),
                  [](const MaskSpec& spec) { return spec.text.rfind("queries", 0) == 0; });
  if (drops_queries) {
    weights = like(weights, [&](Index b, Index h, Index i, Index j) {
      return is_padding_query(draft, b, i) ? 0.0 : weights.at(b, h, i, j);
    });
    publish(bench, "query_masked_weights", weights, heads);
  }
  return weights;
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
  if (facts.has_heads || projected) publish(bench, "context", z, facts.heads);
  if (facts.has_heads) {
    z = merge(z);
    publish(bench, "concat", z, 0);
  }
  if (projected) z = linear(bench.draft, z, "o", w_o->second.shape.back());
  publish(bench, "output", z, 0);
}

}  // namespace

Steps oracle(const ProblemDraft& draft, bool open_softmax) {
  Bench bench{draft, facts_of(draft), {}};
  const Heads qkv = project(bench);
  const Block mask = oracle_mask(draft, bench.facts);
  const Block scores = hide(bench, score(bench, qkv), mask);
  const Block weights = adjust(bench, softmax(bench, scores, open_softmax), mask);
  mix(bench, weights, qkv.v);
  return bench.steps;
}

bool has_empty_row(const ProblemDraft& draft) {
  const Facts facts = facts_of(draft);
  Block visible = oracle_mask(draft, facts);
  if (draft.bias) {
    const Block bias = broadcast_of(*draft.bias, facts);
    visible = like(visible, [&](Index b, Index h, Index i, Index j) {
      return bias.at(b, h, i, j) == -kInfinity ? 0.0 : visible.at(b, h, i, j);
    });
  }
  const Block counts = row_sum(visible);
  return std::count(counts.data.begin(), counts.data.end(), 0.0) > 0;
}

}  // namespace attn::testing
