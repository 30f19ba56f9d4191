#include "attn/attend.hpp"

#include "core/parameters.hpp"
#include "core/recorder.hpp"

namespace attn {
namespace {

/// X·W + b, or the matrix that was given in its place.                     T × d_in → T × h·d
std::string projected(Recorder& record, const std::string& id, const std::string& source,
                      const std::optional<Projection>& projection,
                      const std::optional<Tensor>& given) {
  if (given) return record.input(given->shape().heads ? id + "_heads" : id, *given);
  std::vector<std::string> inputs{source, record.input("w_" + id, projection->w)};
  if (projection->b) inputs.push_back(record.input("b_" + id, *projection->b));
  return record(id, Op::Linear, inputs);
}

/// Cuts T × h·d into h matrices of T × d, if there are heads and they are not cut yet.
std::string split(Recorder& record, const std::string& x, std::optional<Index> heads, HeadCut cut) {
  if (!heads || x.ends_with("_heads")) return x;
  return record(x + "_heads", Op::SplitHeads, {x}, split_parameters(*heads, cut));
}

/// Hides scores before softmax, and adds the bias.                                   T_q × T_k
std::string masked(Recorder& record, const Problem& p, const std::string& scores) {
  std::string bias, mask;
  if (p.bias) bias = record.input("bias", *p.bias);
  if (p.visibility) mask = record.input("mask", p.visibility->allowed);
  const bool hides = p.visibility && acts_before_softmax(p.masking);
  if (hides && p.bias)
    return record("masked_scores", Op::Hide, {scores, mask, bias}, hide_parameters(p));
  if (hides) return record("masked_scores", Op::Hide, {scores, mask}, hide_parameters(p));
  if (p.bias) return record("masked_scores", Op::Add, {scores, bias});
  return scores;
}

/// Softmax over each row of scores, in one step or opened up into four.              T_q × T_k
std::string softmaxed(Recorder& record, const Problem& p, const Recipe& recipe,
                      const std::string& scores) {
  const Parameters parameters = softmax_parameters(p.empty_row, recipe.softmax_over);
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
                 softmax_parameters(p.empty_row, SoftmaxOver::Rows));
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
  std::vector<std::string> inputs{z, record.input("w_o", p.to_output->w)};
  if (p.to_output->b) inputs.push_back(record.input("b_o", *p.to_output->b));
  record("output", Op::Linear, inputs);
}

}  // namespace

Trace attend(const Problem& p, const Recipe& recipe) {
  Trace trace = opened(p);
  Recorder record(trace);

  const std::string x = p.x ? record.input("x", *p.x) : "";
  const std::string source = p.memory ? record.input("memory", *p.memory) : x;

  std::string q = projected(record, "q", x, p.to_q, p.q);       // T_q × h·d_k
  std::string k = projected(record, "k", source, p.to_k, p.k);  // T_k × h·d_k
  std::string v = projected(record, "v", source, p.to_v, p.v);  // T_k × h·d_v

  q = split(record, q, p.heads, recipe.head_cut);  // h × T_q × d_k
  k = split(record, k, p.heads ? std::optional(p.kv_heads) : std::nullopt, recipe.head_cut);
  v = split(record, v, p.heads ? std::optional(p.kv_heads) : std::nullopt, recipe.head_cut);

  if (p.past_k) {
    k = record("k_all", Op::AppendRows, {record.input("past_k", *p.past_k), k});  // P above the new
    v = record("v_all", Op::AppendRows, {record.input("past_v", *p.past_v), v});
  }

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
