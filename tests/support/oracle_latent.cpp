// The oracle: queries, keys and values of multi-head latent attention.
// From DeepSeek-V2, section 2.1, with the names of the paper or those of Hugging Face's
// DeepseekV3Attention.
#include <cmath>

#include "support/narrow.hpp"
#include "support/oracle_bench.hpp"

namespace attn::testing {
namespace {

/// The numbers of the weights, whatever they are called: column `c` of head `h`.
struct LatentNumbers {
  const ProblemDraft& draft;
  Index nope, rope, v;

  explicit LatentNumbers(const ProblemDraft& problem)
      : draft(problem),
        nope(*problem.latent->nope_dim),
        rope(problem.latent->rope_dim.value_or(0)),
        v(*problem.latent->v_dim) {}

  bool has(const std::string& name) const { return draft.weights.count(name) > 0; }
  /// in × out
  double own(const std::string& name, Index in, Index out) const {
    const Array& w = draft.weights.at(name);
    return narrowed(w.data[static_cast<std::size_t>(in * w.shape[1] + out)], draft.dtype);
  }
  /// out × in
  double theirs(const std::string& name, Index in, Index out) const { return own(name, out, in); }

  double down_q(Index in, Index c) const {
    return has("w_dq") ? own("w_dq", in, c) : theirs("q_a_proj.weight", in, c);
  }
  double up_q(Index in, Index h, Index c) const {
    const Index whole = h * (nope + rope) + c;
    if (has("q_b_proj.weight")) return theirs("q_b_proj.weight", in, whole);
    if (has("w_q")) return own("w_q", in, whole);
    if (!has("w_qr")) return own("w_uq", in, whole);
    return c < nope ? own("w_uq", in, h * nope + c) : own("w_qr", in, h * rope + c - nope);
  }
  double down_kv(Index in, Index c) const {
    return has("w_dkv") ? own("w_dkv", in, c) : theirs("kv_a_proj_with_mqa.weight", in, c);
  }
  double key_rope(Index in, Index c) const {
    return has("w_kr") ? own("w_kr", in, c) : down_kv(in, kv_rank() + c);
  }
  double up_k(Index in, Index h, Index c) const {
    return has("w_uk") ? own("w_uk", in, h * nope + c)
                       : theirs("kv_b_proj.weight", in, h * (nope + v) + c);
  }
  double up_v(Index in, Index h, Index c) const {
    return has("w_uv") ? own("w_uv", in, h * v + c)
                       : theirs("kv_b_proj.weight", in, h * (nope + v) + nope + c);
  }
  Index kv_rank() const {
    return has("w_uk") ? draft.weights.at("w_uk").shape[0]
                       : draft.weights.at("kv_b_proj.weight").shape[1];
  }
  /// 0: there is no latent of queries.
  Index q_rank() const {
    if (has("w_dq")) return draft.weights.at("w_dq").shape[1];
    return has("q_a_proj.weight") ? draft.weights.at("q_a_proj.weight").shape[0] : 0;
  }
  double bias(const std::string& own_name, const std::string& their_name, Index c) const {
    for (const std::string& name : {own_name, their_name}) {
      if (has(name))
        return narrowed(draft.weights.at(name).data[static_cast<std::size_t>(c)], draft.dtype);
    }
    return 0;
  }
};

/// X times the numbers of `entry`, plus those of `bias`.
template <typename Entry, typename Bias>
Block times(const Block& x, Index cols, Entry entry, Bias bias) {
  return filled(x.batch, 1, x.rows, cols, [&](Index b, Index, Index i, Index j) {
    double sum = 0;
    for (Index c = 0; c < x.cols; ++c) sum += x.at(b, 0, i, c) * entry(c, j);
    return sum + bias(j);
  });
}

double no_bias(Index) { return 0; }

/// The latent, divided by the root of the mean of its squares, if it has a norm.
Block normed(Bench& bench, const std::string& id, const Block& x, const std::string& theirs) {
  const auto& weights = bench.draft.weights;
  auto gain = weights.find(id + "_norm");
  if (gain == weights.end()) gain = weights.find(theirs);
  if (gain == weights.end()) return x;
  const double eps = bench.draft.latent->eps.value_or(1e-6);
  return published(
      bench, id + "_normed",
      like(x,
           [&](Index b, Index, Index i, Index j) {
             double squares = 0;
             for (Index c = 0; c < x.cols; ++c) squares += x.at(b, 0, i, c) * x.at(b, 0, i, c);
             const double size = std::sqrt(squares / static_cast<double>(x.cols) + eps);
             return x.at(b, 0, i, j) / size *
                    narrowed(gain->second.data[static_cast<std::size_t>(j)], bench.draft.dtype);
           }),
      0);
}

/// From where a column for RoPE comes: Hugging Face views them as pairs and transposes that.
Index before_rope(const ProblemDraft& draft, Index c, Index rope) {
  if (!draft.latent->rope_interleave) return c;
  return c < rope / 2 ? 2 * c : 2 * (c - rope / 2) + 1;
}

}  // namespace

Heads latent_heads(Bench& bench, const Block& x, const Block& source) {
  const ProblemDraft& draft = bench.draft;
  const LatentNumbers w(draft);
  const Index heads = bench.facts.heads, d = w.nope + w.rope;
  const auto column = [&](Index c) {
    return c < w.nope ? c : w.nope + before_rope(draft, c - w.nope, w.rope);
  };
  Block from = x;
  if (w.q_rank() > 0) {
    from = published(bench, "q_latent",
                     times(
                         x, w.q_rank(), [&](Index in, Index c) { return w.down_q(in, c); },
                         [&](Index c) { return w.bias("b_dq", "q_a_proj.bias", c); }),
                     0);
    from = normed(bench, "q_latent", from, "q_a_layernorm.weight");
  }
  Heads made;
  made.q = published(
      bench, "q",
      times(
          from, heads * d, [&](Index in, Index c) { return w.up_q(in, c / d, column(c % d)); },
          [&](Index c) { return w.bias("b_q", "", c / d * d + column(c % d)); }),
      0);
  Block latent =
      published(bench, "kv_latent",
                times(
                    source, w.kv_rank(), [&](Index in, Index c) { return w.down_kv(in, c); },
                    [&](Index c) { return w.bias("b_dkv", "kv_a_proj_with_mqa.bias", c); }),
                0);
  latent = normed(bench, "kv_latent", latent, "kv_a_layernorm.weight");
  const Block nope =
      published(bench, "k_nope",
                times(
                    latent, heads * w.nope,
                    [&](Index in, Index c) { return w.up_k(in, c / w.nope, c % w.nope); }, no_bias),
                0);
  const auto per_head = [&](const Block& all, Index cols) {
    return filled(all.batch, heads, all.rows, cols, [&](Index b, Index h, Index i, Index j) {
      return all.at(b, 0, i, h * cols + j);
    });
  };
  const Block nope_heads = per_head(nope, w.nope);
  if (bench.facts.has_heads) published(bench, "k_nope_heads", nope_heads, heads);
  made.k = nope_heads;
  if (w.rope > 0) {
    const bool own = w.has("w_kr");
    const Block rope = published(
        bench, "k_rope",
        times(
            source, w.rope,
            [&](Index in, Index c) { return w.key_rope(in, before_rope(draft, c, w.rope)); },
            [&](Index c) {
              const Index from_col = before_rope(draft, c, w.rope);
              return own ? w.bias("b_kr", "", from_col)
                         : w.bias("b_dkv", "kv_a_proj_with_mqa.bias", w.kv_rank() + from_col);
            }),
        0);
    made.k = filled(nope.batch, heads, nope.rows, d, [&](Index b, Index h, Index i, Index j) {
      return j < w.nope ? nope_heads.at(b, h, i, j) : rope.at(b, 0, i, j - w.nope);
    });
  }
  made.v = published(bench, "v",
                     times(
                         latent, heads * w.v,
                         [&](Index in, Index c) { return w.up_v(in, c / w.v, c % w.v); }, no_bias),
                     0);
  if (!bench.facts.has_heads) made.k = published(bench, "k", made.k, 0);
  made.q = per_head(made.q, d);
  made.v = per_head(made.v, w.v);
  return made;
}

double latent_stretch(const ProblemDraft& draft) {
  const auto& scaling = draft.positions.scaling;
  if (!draft.latent || !scaling || !scaling->mscale_all_dim || *scaling->mscale_all_dim == 0)
    return 1;
  const double mscale = 0.1 * *scaling->mscale_all_dim * std::log(*scaling->factor) + 1;
  return mscale * mscale;
}

}  // namespace attn::testing
