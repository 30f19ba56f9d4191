// What the parts of the oracle share: the draft, the sizes, the steps so far.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/oracle.hpp"
#include "support/oracle_parts.hpp"

namespace attn::testing {

/// What the oracle reads, and where it puts its results.
struct Bench {
  const ProblemDraft& draft;
  Facts facts;
  Steps steps = {};
  std::optional<Block> gate = {};
};

/// Rounds a block to the problem's number type and puts it among the steps, repeated along the
/// batch and, if `heads` is not 0, for each head. Returns what later steps are computed from.
Block published(Bench& bench, const std::string& id, const Block& block, Index heads);

/// X · W + b, with `letter` choosing w_q and b_q, …
Block linear(const ProblemDraft& draft, const Block& x, const std::string& letter, Index width);

/// Queries, keys and values per head.
struct Heads {
  Block q, k, v;
};

/// Those of latent attention, before positions; publishes their steps but those per head.
Heads latent_heads(Bench& bench, const Block& x, const Block& source);

/// What multiplies its scale where YaRN stretches positions: 1 unless mscale_all_dim is given.
double latent_stretch(const ProblemDraft& draft);

/// Which norm of queries and keys a draft has.
QkNormKind norm_of(const ProblemDraft& draft);

/// Whether it is over all heads together.
bool spans_heads(const ProblemDraft& draft, const Facts& facts);

/// Queries ("q") or keys ("k") normalised; over all columns of `x`.
Block qk_normed(const ProblemDraft& draft, const Block& x, const std::string& side);

/// The sink of a head; nothing without sinks.
std::optional<double> sink_of(const ProblemDraft& draft, Index head);

/// The activation of X·W_gate + b_gate, published; nothing without a gate.
std::optional<Block> gate_of(Bench& bench, const Block& x);

/// What the gate multiplies: "context", "concat", "output", or "" without one.
std::string gate_place(const ProblemDraft& draft);

/// From the inputs to Q, K and V per head: positions, past and added keys included.
Heads project(Bench& bench);

/// The sines and cosines that are added to X.
Block position_signal(const ProblemDraft& draft, const Block& x);

/// How scaled rotary positions turn `columns` columns at positions below `length`: by how much each
/// pair from one position to the next, and what multiplies cosines and sines.
struct Stretched {
  std::vector<double> each;
  double factor = 1;
};
Stretched stretched(const Positions& positions, Index columns, Index length);

/// How many of `columns` columns are turned.
Index turned_columns(const Positions& positions, Index columns);

/// Queries or keys rotated by their positions; row 0 of batch entry b is at `first[b]`.
Block turned(const ProblemDraft& draft, const Block& x, const std::vector<Index>& first);

/// The bucket of key − query, as transformers' T5Attention._relative_position_bucket computes it.
Index t5_bucket(Index relative, bool bidirectional, Index buckets, Index max_distance);

/// What is added to the scores, for all keys: the given bias, and ALiBi's or T5's.
Block bias_of(const ProblemDraft& draft, const Facts& facts);

/// Whether the problem has a `bias` step.
bool has_bias(const ProblemDraft& draft);

}  // namespace attn::testing
