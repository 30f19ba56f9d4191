#include "attn/attend.hpp"

#include "core/attention/recorder.hpp"
#include "core/operations/parameters.hpp"

namespace attn {
namespace {

using Ids = std::vector<std::string>;

/// X·W + b, or the matrix that was given in its place.                     T × d_in → T × h·d
std::string projected(Recorder& record, const std::string& id, const std::string& source,
                      const std::optional<Projection>& projection,
                      const std::optional<Tensor>& given) {
  if (given) return record.input(given->shape().heads ? id + "_heads" : id, *given);
  Ids inputs{source, record.input("w_" + id, projection->w)};
  if (projection->b) inputs.push_back(record.input("b_" + id, *projection->b));
  return record(id, Op::Linear, inputs);
}

/// Cuts T × h·d into h matrices of T × d, if there are heads and they are not cut yet.
std::string split(Recorder& record, const std::string& x, std::optional<Index> heads, HeadCut cut) {
  if (!heads || x.ends_with("_heads")) return x;
  return record(x + "_heads", Op::SplitHeads, {x}, split_parameters(*heads, cut));
}

/// X + P, if the positions are a signal that is added.                              T × d_model
std::string positioned(Recorder& record, const Problem& p, const std::string& x) {
  if (p.positions.kind != PositionKind::Sinusoidal) return x;
  return record("x_positioned", Op::Add,
                {x, record("positions", Op::Sinusoid, {}, sinusoid_parameters(p))});
}

/// Queries or keys turned by their positions, if the positions are rotary.               T × d
std::string rotated(Recorder& record, const Problem& p, const std::string& id, const std::string& x,
                    const std::vector<Index>& offsets) {
  if (!is_rotary(p.positions.kind)) return x;
  return record(id, Op::Rotate, {x}, rotate_parameters(p, offsets));
}

/// The past above the new rows, and what is added at the end.                     T_k × d
std::string joined(Recorder& record, const std::string& id, const std::string& fresh,
                   const std::optional<Tensor>& past, const std::optional<Tensor>& extra) {
  if (!past && !extra) return fresh;
  Ids parts;
  if (past) parts.push_back(record.input("past_" + id, *past));
  parts.push_back(fresh);
  if (extra) parts.push_back(record.input("extra_" + id, *extra));
  return record(id + "_all", Op::AppendRows, parts);
}

/// Hides scores before softmax, and adds the bias.                                   T_q × T_k
std::string masked(Recorder& record, const Problem& p, const std::string& scores) {
  std::string bias, mask;
  if (p.positions.kind == PositionKind::Alibi) {
    bias = record("bias", Op::AlibiBias, p.bias ? Ids{record.input("given_bias", *p.bias)} : Ids{},
                  alibi_parameters(p));
  } else if (p.bias) {
    bias = record.input("bias", *p.bias);
  }
  if (p.visibility) mask = record.input("mask", p.visibility->allowed);
  const bool hides = p.visibility && acts_before_softmax(p.masking);
  if (!hides) return bias.empty() ? scores : record("masked_scores", Op::Add, {scores, bias});
  Ids inputs{scores, mask};
  if (!bias.empty()) inputs.push_back(bias);
  return record("masked_scores", Op::Hide, inputs, hide_parameters(p));
}

/// Softmax over each row of scores, in one step or opened up into four.              T_q × T_k
std::string softmaxed(Recorder& record, const Problem& p, const Recipe& recipe,
                      const std::string& scores) {
  const Parameters parameters = softmax_parameters(p, recipe.softmax_over);
  const bool by_rows = recipe.softmax_over == SoftmaxOver::Rows;
  if (!recipe.open_softmax || !by_rows) return record("weights", Op::Softmax, {scores}, parameters);
  const std::string m = record("row_max", Op::RowMax, {scores});            // T_q × 1
  const std::string e = record("exp_scores", Op::ExpShifted, {scores, m});  // T_q × T_k
  const std::string r = record("row_sum", Op::RowSum, {e});                 // T_q × 1
  return record("weights", Op::DivideRows, {e, r}, parameters);
}

/// What masks do after softmax: modes multiply and renormalize, and padded queries.   T_q × T_k
std::string masked_after(Recorder& record, const Problem& p, std::string a) {
  if (p.visibility && !acts_before_softmax(p.masking)) {
    a = record("masked_weights", Op::MultiplyElements, {a, "mask"});
    if (p.masking == MaskingMode::Renormalize) {
      a = record("renormalized_weights", Op::Renormalize, {a},
                 softmax_parameters(p, SoftmaxOver::Rows));
    }
  }
  if (!p.kept_queries) return a;
  return record("query_masked_weights", Op::KeepRows,
                {a, record.input("kept_queries", *p.kept_queries)});
}

/// A·V, the heads side by side, times W_o.                 T_q × d_v → T_q × h·d_v → T_q × d_out
void finish(Recorder& record, const Problem& p, const std::string& a, const std::string& v) {
  if (!p.heads && !p.to_output) {
    record("output", Op::Multiply, {a, v});
    return;
  }
  std::string z = record("context", Op::Multiply, {a, v});
  if (p.heads) z = record("concat", Op::MergeHeads, {z});
  if (!p.to_output) {
    record("output", Op::Copy, {z});
    return;
  }
  Ids inputs{z, record.input("w_o", p.to_output->w)};
  if (p.to_output->b) inputs.push_back(record.input("b_o", *p.to_output->b));
  record("output", Op::Linear, inputs);
}

}  // namespace

Trace attend(const Problem& p, const Recipe& recipe) {
  Trace trace = opened(p);
  Recorder record(trace, p.dtype);

  std::string x = p.x ? record.input("x", *p.x) : "";
  const std::string memory = p.memory ? record.input("memory", *p.memory) : "";
  x = positioned(record, p, x);
  const std::string& source = p.memory ? memory : x;

  std::string q = projected(record, "q", x, p.to_q, p.q);       // T_q × h·d_k
  std::string k = projected(record, "k", source, p.to_k, p.k);  // T_k × h·d_k
  std::string v = projected(record, "v", source, p.to_v, p.v);  // T_k × h·d_v

  const std::optional<Index> kv_heads = p.heads ? std::optional(p.kv_heads) : std::nullopt;
  q = split(record, q, p.heads, recipe.head_cut);  // h × T_q × d_k
  k = split(record, k, kv_heads, recipe.head_cut);
  v = split(record, v, kv_heads, recipe.head_cut);

  q = rotated(record, p, "q_rotated", q, p.query_offsets);
  k = rotated(record, p, "k_rotated", k, {p.n_past});
  k = joined(record, "k", k, p.past_k, p.extra_k);
  v = joined(record, "v", v, p.past_v, p.extra_v);

  std::string s = record("scores", Op::MultiplyTransposed, {q, k});  // Q·Kᵀ: T_q × T_k
  if (p.scale && recipe.scaled) s = record("scaled_scores", Op::Scale, {s}, scale_parameters(p));
  if (p.softcap) s = record("capped_scores", Op::Softcap, {s}, softcap_parameters(*p.softcap));
  s = masked(record, p, s);

  std::string a = softmaxed(record, p, recipe, s);
  a = masked_after(record, p, a);

  finish(record, p, a, v);
  note_numbers(trace, p);
  return trace;
}

}  // namespace attn
