// The oracle: from the inputs to Q, K and V per head.
#include "support/oracle_bench.hpp"

#include <algorithm>

#include "support/narrow.hpp"

namespace attn::testing {
namespace {

/// Entry (row, col) of a projection; given per head, head i has columns i·d … of the whole.
double entry(const Array& w, Index row, Index col) {
  const Index cols = w.shape.back();
  const Index rows = w.shape[w.rank() - 2];
  const Index head = col / cols;
  return w.data[static_cast<std::size_t>((head * rows + row) * cols + col % cols)];
}

Block split(const Block& x, Index heads) {
  const Index d = x.cols / heads;
  return filled(x.batch, heads, x.rows, d,
                [&](Index b, Index h, Index i, Index j) { return x.at(b, 0, i, h * d + j); });
}

/// The rows of `above`, then those of `x`.
Block append(const Block& above, const Block& x) {
  return filled(std::max(above.batch, x.batch), x.heads, above.rows + x.rows, x.cols,
                [&](Index b, Index h, Index i, Index j) {
                  return i < above.rows ? above.at(b, h, i, j) : x.at(b, h, i - above.rows, j);
                });
}

/// Q, K and V as they are given, or from X and the memory.
Heads projected(Bench& bench) {
  const ProblemDraft& draft = bench.draft;
  const Facts& facts = bench.facts;
  const auto given = [&](const Array& array) {
    return all_narrowed(block_of(array, true), draft.dtype);
  };
  if (draft.q) return {given(*draft.q), given(*draft.k), given(*draft.v)};
  Block x = published(bench, "x", block_of(embeddings_of(draft), true), 0);
  Block source = x;
  if (draft.memory) {
    source = published(bench, "memory", block_of(draft.memory->embeddings, true), 0);
  }
  Block values = source;
  const bool own_values = draft.memory && draft.memory->values;
  if (own_values) {
    values = published(bench, "memory_values", block_of(*draft.memory->values, true), 0);
  }
  if (is_added(draft.positions.kind)) {
    const Block wave = published(bench, "positions", position_signal(draft, x), 0);
    x = published(bench, "x_positioned",
                  like(x, [&](Index b, Index, Index i,
                              Index j) { return x.at(b, 0, i, j) + wave.at(b, 0, i, j); }),
                  0);
    if (!draft.memory) source = values = x;
  }
  bench.gate = gate_of(bench, x);
  if (draft.latent) return latent_heads(bench, x, source);
  return {linear(draft, x, "q", facts.heads * facts.d_k),
          linear(draft, source, "k", facts.kv_heads * facts.d_k),
          linear(draft, values, "v", facts.kv_heads * facts.d_v)};
}

/// Turns queries and new keys, if the positions are rotary.
void turn(Bench& bench, Heads& heads) {
  const PositionKind kind = bench.draft.positions.kind;
  if (kind != PositionKind::Rope && kind != PositionKind::RopeInterleaved) return;
  const Facts& facts = bench.facts;
  const std::vector<Index> after_past(static_cast<std::size_t>(facts.batch), facts.n_past);
  const Block q = turned(bench.draft, heads.q, first_positions(bench.draft, facts));
  const Block k = turned(bench.draft, heads.k, after_past);
  heads.q = published(bench, "q_rotated", q, facts.heads);
  heads.k = published(bench, "k_rotated", k, facts.kv_heads);
}

/// Normalises queries and new keys, if there is a norm.
void set_norms(Bench& bench, Heads& heads, Index q_heads, Index k_heads) {
  if (norm_of(bench.draft) == QkNormKind::None) return;
  heads.q = published(bench, "q_normed", qk_normed(bench.draft, heads.q, "q"), q_heads);
  heads.k = published(bench, "k_normed", qk_normed(bench.draft, heads.k, "k"), k_heads);
}

/// `fresh` with the past above it, and below it the rows of bias_k or bias_v and of zeros.
Block completed(const Bench& bench, const Block& fresh, const std::string& letter) {
  const ProblemDraft& draft = bench.draft;
  Block all = fresh;
  if (draft.past) {
    const Array& past = letter == "k" ? draft.past->k : draft.past->v;
    all = append(block_of(past, !bench.facts.has_heads), all);
  }
  const auto row = draft.weights.find("bias_" + letter);
  if (row != draft.weights.end()) {
    all =
        append(all, split(Block{1, 1, 1, fresh.heads * fresh.cols, row->second.data}, fresh.heads));
  }
  return draft.add_zero_attn ? append(all, zeros(1, fresh.heads, 1, fresh.cols)) : all;
}

}  // namespace

Block published(Bench& bench, const std::string& id, const Block& block, Index heads) {
  const Facts& facts = bench.facts;
  Block rounded = all_narrowed(block, bench.draft.dtype);
  const bool headed = facts.has_heads && heads > 0;
  Array array;
  if (facts.has_batch) array.shape.push_back(facts.batch);
  if (headed) array.shape.push_back(heads);
  array.shape.push_back(block.rows);
  array.shape.push_back(block.cols);
  for_each(
      facts.batch, headed ? heads : 1, block.rows, block.cols,
      [&](Index b, Index h, Index i, Index j) { array.data.push_back(rounded.at(b, h, i, j)); });
  bench.steps[id] = array;
  return rounded;
}

Block linear(const ProblemDraft& draft, const Block& x, const std::string& letter, Index width) {
  const Array w = all_narrowed(draft.weights.at("w_" + letter), draft.dtype);
  const auto found = draft.weights.find("b_" + letter);
  const bool has_b = found != draft.weights.end();
  const Array b = has_b ? all_narrowed(found->second, draft.dtype) : Array{};
  return filled(x.batch, 1, x.rows, width, [&](Index n, Index, Index i, Index j) {
    double sum = 0;
    for (Index c = 0; c < x.cols; ++c) sum += x.at(n, 0, i, c) * entry(w, c, j);
    return has_b ? sum + b.data.at(static_cast<std::size_t>(j)) : sum;
  });
}

Heads project(Bench& bench) {
  const ProblemDraft& draft = bench.draft;
  const Facts& facts = bench.facts;
  Heads heads = projected(bench);
  if (!draft.latent && (!draft.q || draft.q->rank() < 4)) {
    heads.q = published(bench, "q", heads.q, 0);
    heads.k = published(bench, "k", heads.k, 0);
    heads.v = published(bench, "v", heads.v, 0);
    if (spans_heads(draft, facts)) set_norms(bench, heads, 0, 0);
    heads = {split(heads.q, facts.heads), split(heads.k, facts.kv_heads),
             split(heads.v, facts.kv_heads)};
  }
  if (facts.has_heads) {
    heads.q = published(bench, "q_heads", heads.q, facts.heads);
    heads.k = published(bench, "k_heads", heads.k, facts.kv_heads);
    heads.v = published(bench, "v_heads", heads.v, facts.kv_heads);
  }
  const bool late = draft.qk_norm.after == QkNormAfter::Rope;
  const auto norm_heads = [&](bool now) {
    if (now && !spans_heads(draft, facts)) set_norms(bench, heads, facts.heads, facts.kv_heads);
  };
  norm_heads(!late);
  turn(bench, heads);
  norm_heads(late);
  if (facts.n_keys == facts.n_new) return heads;
  heads.k = published(bench, "k_all", completed(bench, heads.k, "k"), facts.kv_heads);
  heads.v = published(bench, "v_all", completed(bench, heads.v, "v"), facts.kv_heads);
  return heads;
}

}  // namespace attn::testing
