// Multi-head latent attention: its weights, cut into the matrices that attn multiplies by.
#include <algorithm>
#include <cmath>
#include <utility>

#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "core/problem/build.hpp"

namespace attn {
namespace {

Index rows_of(const Array& a) { return a.rank() < 2 ? 1 : a.shape[0]; }
Index cols_of(const Array& a) { return a.rank() == 0 ? 0 : a.shape.back(); }

/// The weights by name, nullptr for those that are not given. w_ukv has w_uk and w_uv side by side
/// in each head; without w_qr and w_kr, w_uq (or w_q) and w_dkv have their columns, too.
struct LatentWeights {
  const Array *q, *dq, *uq, *qr, *dkv, *kr, *uk, *uv, *ukv;

  explicit LatentWeights(const Build& build)
      : q(weight(build, "w_q")),
        dq(weight(build, "w_dq")),
        uq(weight(build, "w_uq")),
        qr(weight(build, "w_qr")),
        dkv(weight(build, "w_dkv")),
        kr(weight(build, "w_kr")),
        uk(weight(build, "w_uk")),
        uv(weight(build, "w_uv")),
        ukv(weight(build, "w_ukv")) {}

  const Array& queries() const { return uq ? *uq : *q; }
  bool shared_keys() const { return kr == nullptr; }  ///< w_dkv has their columns, too
};

struct LatentWidths {
  Index heads, d_in, key_d_in, kv_rank, nope, rope, v;
};

void complain_latent(Build& build, const char* id, const std::string& name, const std::string& what,
                     const std::string& fix) {
  const std::string pointer = weight(build, name) ? weight_pointer(build, name) : "/weights";
  build.complaints.add(id, pointer, what, fix);
}

/// What belongs to ordinary attention, or is said twice.
void refuse_with_latents(Build& build, const LatentWeights& w) {
  const char* no_latent = "in latent attention, keys and values are made from a latent of a token";
  for (const char* name : {"w_k", "w_v", "b_k", "b_v"}) {
    if (weight(build, name))
      complain_latent(build, "two-inputs", name, filled("{} is given, but {}", name, no_latent),
                      "Leave it out, or leave out the weights of latent attention.");
  }
  if (w.q && (w.dq || w.uq))
    complain_latent(build, "two-inputs", "w_q",
                    "w_q makes queries from X, and w_dq and w_uq make them from a latent",
                    "Keep w_q alone, or the two others.");
  if (weight(build, "b_q") && !w.q)
    complain_latent(build, "missing-key", "b_q", "b_q is given, but w_q is not", "Leave it out.");
  if (w.ukv && (w.uk || w.uv))
    complain_latent(build, "two-inputs", "w_ukv",
                    "w_ukv has both w_uk and w_uv in it, which are given, too",
                    "Keep w_ukv, or the two others.");
  if ((w.qr && !w.kr) || (w.kr && !w.qr && w.uq && w.uk))
    complain_latent(build, "missing-key", w.qr ? "w_qr" : "w_kr",
                    "w_qr and w_kr make the columns of queries and keys for RoPE: both, or neither",
                    "Give both.");
  if (build.problem.memory_values)
    build.complaints.add("two-inputs", "/memory/values",
                         filled("{}: values have no rows of their own", no_latent),
                         "Leave out the values of the memory.");
  const ProblemDraft& d = build.draft;
  if (d.qk_norm.kind != QkNormKind::None || weight(build, "q_norm") || weight(build, "k_norm"))
    build.complaints.add("not-together", "/qk_norm",
                         "latent attention has norms of its latents, and none of queries and keys",
                         "Leave out qk_norm, q_norm and k_norm.");
  if (d.kv_heads && *d.kv_heads != d.heads.value_or(1))
    build.complaints.add("head-count", "/kv_heads",
                         "in latent attention, every head has keys and values of its own",
                         "Leave out kv_heads, or give the number of heads.");
}

/// Complains about what is missing or no matrix.
void check_matrices(Build& build, const LatentWeights& w) {
  std::vector<std::string> missing;
  if (!w.q && !w.dq) missing.emplace_back("w_dq and w_uq, or w_q");
  if (!w.q && w.dq && !w.uq) missing.emplace_back("w_uq");
  if (!w.q && !w.dq && w.uq) missing = {"w_dq"};
  if (!w.dkv) missing.emplace_back("w_dkv");
  if (!w.ukv && !w.uk) missing.emplace_back("w_uk");
  if (!w.ukv && !w.uv) missing.emplace_back("w_uv");
  if (!missing.empty())
    build.complaints.add(
        "missing-key", "/weights",
        filled("latent attention needs {}, which weights does not have", together(missing)),
        "Add them; the names of DeepSeek's checkpoints are known, too.");
  for (const char* name :
       {"w_q", "w_dq", "w_uq", "w_qr", "w_dkv", "w_kr", "w_uk", "w_uv", "w_ukv"}) {
    const Array* array = weight(build, name);
    if (array && (array->rank() != 2 || rows_of(*array) < 1 || cols_of(*array) < 1))
      complain_latent(build, "rank", name,
                      filled("{} should be a matrix, but it is {}", name, shape_text(array->shape)),
                      kCheckBrackets);
  }
}

/// The widths that the weights have.
LatentWidths widths_of(const Build& build, const LatentWeights& w) {
  const ProblemFacts& p = build.problem;
  const Index d_in = p.x ? p.x->cols() : p.d_model.value_or(0);
  LatentWidths n{build.draft.heads.value_or(1),
                 d_in,
                 p.memory ? p.memory->cols() : d_in,
                 rows_of(w.uk ? *w.uk : *w.ukv),
                 0,
                 0,
                 0};
  n.rope = w.kr ? cols_of(*w.kr) : std::max<Index>(cols_of(*w.dkv) - n.kv_rank, 0);
  n.nope = cols_of(w.queries()) / n.heads - (w.qr ? 0 : n.rope);
  n.v = w.uv ? cols_of(*w.uv) / n.heads : cols_of(*w.ukv) / n.heads - n.nope;
  return n;
}

/// Whether the weights leave columns for each part of a head, as many as `latent` says.
bool check_dims(Build& build, const LatentWidths& n) {
  const LatentDraft said = build.draft.latent.value_or(LatentDraft());
  bool fits = true;
  for (const auto& [key, stated, own] : {std::tuple{"nope_dim", said.nope_dim, n.nope},
                                         {"rope_dim", said.rope_dim, n.rope},
                                         {"v_dim", said.v_dim, n.v}}) {
    const bool some = own >= (std::string_view(key) == "rope_dim" ? 0 : 1);
    if (some && stated.value_or(own) == own) continue;
    fits = false;
    const std::string heads = counted(n.heads, "head");
    build.complaints.add("shape-mismatch", stated ? std::string("/latent/") + key : "/weights",
                         some ? filled("latent says {} {}, but with {} the weights have {}", key,
                                       *stated, heads, own)
                              : filled("with {}, the weights leave no columns for {}", heads, key),
                         "Check heads: heads times these columns are those of the weights.");
  }
  return fits;
}

/// Complains about sizes that do not fit each other.
void check_widths(Build& build, const LatentWeights& w, const LatentWidths& n) {
  if (!check_dims(build, n)) return;
  const auto demand = [&](const char* name, const char* what, Index wanted, const char* why) {
    const Array* array = weight(build, name);
    if (!array) return;
    const bool rows = std::string_view(what) == "row";
    const Index has = rows ? rows_of(*array) : cols_of(*array);
    if (has == wanted) return;
    build.complaints.add(
        "shape-mismatch", weight_pointer(build, name),
        filled("{} has {}, but it should have {}: {}", name, counted(has, what), wanted, why),
        "Check heads, and that all weights are of one layer.");
  };
  const char* q = w.uq ? "w_uq" : "w_q";
  const Index q_in = w.dq ? cols_of(*w.dq) : n.d_in;
  const bool joint = w.shared_keys();
  demand("w_dq", "row", n.d_in, "it multiplies rows of X");
  demand(q, "row", q_in,
         w.dq ? "it multiplies the latents that w_dq makes" : "it multiplies rows of X");
  demand("w_qr", "row", q_in, "it multiplies what w_uq multiplies");
  demand("w_qr", "column", n.heads * n.rope, "heads times the columns of w_kr");
  demand("w_dkv", "row", n.key_d_in, "it multiplies rows of X or of the memory");
  demand("w_kr", "row", n.key_d_in, "it multiplies rows of X or of the memory");
  demand("w_dkv", "column", n.kv_rank + (joint ? n.rope : 0), "one for each row of w_uk");
  demand("w_uv", "row", n.kv_rank, "it multiplies the latents that w_uk multiplies");
  demand("w_uk", "column", n.heads * n.nope, "as many as the queries have without positions");
  demand("w_uv", "column", n.heads * n.v, "a multiple of heads");
  demand("w_ukv", "column", n.heads * (n.nope + n.v), "heads times nope_dim + v_dim");
  demand(q, "column", n.heads * (n.nope + (w.qr ? 0 : n.rope)), "a multiple of heads");
  demand("q_latent_norm", "number", q_in, "one for each number of the latent");
  demand("kv_latent_norm", "number", n.kv_rank, "one for each number of the latent");
  demand("b_dq", "number", q_in, "it is added to rows of the latent");
  demand("b_dkv", "number", n.kv_rank + (joint ? n.rope : 0), "one for each column of w_dkv");
  demand("b_kr", "number", n.rope, "one for each column of w_kr");
  demand("b_q", "number", n.heads * (n.nope + n.rope), "one for each column of w_q");
  const bool interleaves = build.draft.latent && build.draft.latent->rope_interleave;
  if (interleaves && n.rope % 2 != 0)
    build.complaints.add("shape-mismatch", "/latent/rope_interleave",
                         filled("neighbours cannot be put into halves: rope_dim is {}", n.rope),
                         "Leave it out.");
}

/// Columns of several arrays, which become those of one matrix.
using PickedColumns = std::vector<std::pair<const Array*, Index>>;

Tensor side_by_side(const PickedColumns& columns) {
  const Array& one = *columns.front().first;
  const Shape shape{{}, {}, rows_of(one), std::ssize(columns)};
  if (one.data.empty()) return Tensor::outline(shape);
  Tensor made = Tensor::unset(shape);
  for (Index c = 0; c < shape.cols; ++c) {
    const auto& [array, col] = columns[static_cast<std::size_t>(c)];
    for (Index r = 0; r < shape.rows; ++r)
      made.at({0, 0, r, c}) = array->data[static_cast<std::size_t>(r * cols_of(*array) + col)];
  }
  return made;
}

/// Which columns of the weights become which: column c of `n`, from `first` on, in each head.
struct Picking {
  PickedColumns columns = {};

  void add(const Array& from, Index first, Index n, bool into_halves = false) {
    for (Index c = 0; c < n; ++c) {
      const Index own = !into_halves ? c : c < n / 2 ? 2 * c : 2 * (c - n / 2) + 1;
      columns.emplace_back(&from, first + own);
    }
  }
};

Projection plain(const Build& build, const Array& w, const char* bias, Index first, Index n,
                 bool into_halves = false) {
  const auto picked = [&](const Array& from) {
    Picking picking;
    picking.add(from, first, n, into_halves);
    return side_by_side(picking.columns);
  };
  Projection made{picked(w), std::nullopt};
  if (const Array* b = weight(build, bias)) made.b = picked(*b);
  return made;
}

/// [nope | rope] in each head.
Tensor queries_of(const LatentWidths& n, const Array& up, const Array* rope, bool into_halves) {
  Picking picking;
  const Index width = n.nope + (rope ? 0 : n.rope);
  for (Index h = 0; h < n.heads; ++h) {
    picking.add(up, h * width, n.nope);
    if (rope)
      picking.add(*rope, h * n.rope, n.rope, into_halves);
    else
      picking.add(up, h * width + n.nope, n.rope, into_halves);
  }
  return side_by_side(picking.columns);
}

/// `n` columns of each head, from `first` of `width` on.
Projection of_heads(const LatentWidths& n, const Array& w, Index width, Index first, Index cols) {
  Picking picking;
  for (Index h = 0; h < n.heads; ++h) picking.add(w, h * width + first, cols);
  return {side_by_side(picking.columns), std::nullopt};
}

std::optional<Tensor> gain(const Build& build, const char* name) {
  const Array* given = weight(build, name);
  if (!given) return std::nullopt;
  Picking picking;
  picking.add(*given, 0, cols_of(*given));
  return side_by_side(picking.columns);
}

/// DeepSeek-V2: where YaRN stretches positions, the scale grows by (0.1·mscale_all_dim·ln factor +
/// 1)².
void stretch_scale(Build& build) {
  ProblemFacts& p = build.problem;
  if (!is_rotary(p.positions.kind) || !p.positions.scaling) return;
  if (p.scale.kind != ScaleRule::Kind::InverseSqrtDk) return;
  const RopeScaling& scaling = *p.positions.scaling;
  double factor = scaling.factor.value_or(1.0);
  if (!scaling.factor && scaling.max_position_embeddings &&
      scaling.original_max_position_embeddings)
    factor = static_cast<double>(*scaling.max_position_embeddings) /
             static_cast<double>(*scaling.original_max_position_embeddings);
  const double all = scaling.mscale_all_dim.value_or(0.0);
  if (all == 0.0 || factor <= 1.0) return;
  const double mscale = 0.1 * all * std::log(factor) + 1.0;
  p.scale = {ScaleRule::Kind::Number, p.scale.number * mscale * mscale};
  p.notes.push_back(filled("the scale is (0.1·{}·ln {} + 1)² / √{}, as mscale_all_dim says",
                           format_exact(all), format_exact(factor), p.d_k));
}

}  // namespace

void build_latent(Build& build) {
  ProblemFacts& p = build.problem;
  if (!is_latent(build.weights)) {
    build.complaints.add("missing-key", "/latent",
                         "latent describes latent attention, but the weights have no w_dkv",
                         "Leave it out, or give the weights of latent attention.");
    build.complaints.throw_if_any();
  }
  const LatentWeights w(build);
  refuse_with_latents(build, w);
  check_matrices(build, w);
  build.complaints.throw_if_any();
  const LatentWidths n = widths_of(build, w);
  check_widths(build, w, n);
  build.complaints.throw_if_any();

  const LatentDraft said = build.draft.latent.value_or(LatentDraft());
  Latent latent;
  const Index joint = w.shared_keys() ? n.kv_rank : 0;  // where the keys for RoPE begin
  if (w.dq) latent.to_q_latent = plain(build, *w.dq, "b_dq", 0, cols_of(*w.dq));
  latent.to_kv_latent = plain(build, *w.dkv, "b_dkv", 0, n.kv_rank);
  if (n.rope > 0)
    latent.to_k_rope = plain(build, w.kr ? *w.kr : *w.dkv, w.kr ? "b_kr" : "b_dkv", joint, n.rope,
                             said.rope_interleave);
  const Index kv_width = w.ukv ? n.nope + n.v : n.nope, v_width = w.ukv ? kv_width : n.v;
  latent.to_k_nope = of_heads(n, w.ukv ? *w.ukv : *w.uk, kv_width, 0, n.nope);
  latent.q_norm = gain(build, "q_latent_norm");
  latent.kv_norm = gain(build, "kv_latent_norm");
  latent.epsilon = said.eps.value_or(1e-6);
  latent.nope_dim = n.nope;
  latent.rope_dim = n.rope;
  p.to_q = Projection{queries_of(n, w.queries(), w.qr, said.rope_interleave), std::nullopt};
  if (const Array* b = weight(build, "b_q"))
    p.to_q->b = queries_of(n, *b, nullptr, said.rope_interleave);
  p.to_v = of_heads(n, w.ukv ? *w.ukv : *w.uv, v_width, w.ukv ? n.nope : 0, n.v);
  if (said.eps && !latent.q_norm && !latent.kv_norm)
    p.notes.emplace_back("latent.eps has no effect: the latents have no norm");
  p.latent = std::move(latent);
  p.heads = build.draft.heads;
  p.kv_heads = n.heads;
  p.d_k = n.nope + n.rope;
  p.d_v = n.v;
  if (said.rope_interleave)
    p.notes.emplace_back(
        n.rope > 2 ? "rope_interleave: columns for RoPE are put into halves, even ones first"
                   : "latent.rope_interleave has no effect: RoPE turns no more than two columns");
}

void default_settings(Build& build) {
  ProblemFacts& p = build.problem;
  const std::optional<Index> rotated = p.latent ? std::optional(p.latent->rope_dim) : std::nullopt;
  static_cast<AttentionSettings&>(p) =
      with_defaults(build.draft, p.d_k, p.heads.value_or(1), rotated);
  if (p.latent) stretch_scale(build);
}

}  // namespace attn
