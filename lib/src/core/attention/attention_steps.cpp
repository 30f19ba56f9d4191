// The steps of one attention: the operations in the order of the paper, each result recorded.
#include "core/attention/attention_steps.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "attn/setting_names.hpp"
#include "core/operations/operations.hpp"
#include "core/operations/positions/rope_frequencies.hpp"

namespace attn {
namespace {

using Ids = std::vector<std::string>;

/// X·W + b, the matrix that was given in its place, or X itself.           T × d_in → T × h·d
std::string projected(Recorder& record, const std::string& id, const std::string& source,
                      const std::optional<Projection>& projection,
                      const std::optional<Tensor>& given, const std::string& weight) {
  if (given) return record.input(given->shape().heads ? id + "_heads" : id, *given);
  if (!projection) return record(id, ops::copy, {source});
  return record_linear(record, id, source, *projection, weight);
}

/// The same unless it was given in heads already.
std::string split(Recorder& record, const std::string& id, const std::string& x,
                  const std::optional<Tensor>& given, std::optional<Index> heads) {
  return given && given->shape().heads ? x : record_heads(record, id, x, heads);
}

/// How well each query matches each key.                                          T_q × T_k
std::string scored(Recorder& record, const ProblemFacts& p, const std::string& q,
                   const std::string& k) {
  if (p.score == ScoreKind::Distance) return record("scores", ops::distance_scores, {q, k});
  if (p.score == ScoreKind::Additive)
    return record("scores", ops::additive_scores, {q, k, record.input("v_score", *p.v_score)});
  return record("scores", ops::multiply_transposed, {q, k});  // Q·Kᵀ
}

/// Scores divided by √d_k, or times the factor that was asked for.                 T_q × T_k
std::string scaled(Recorder& record, const ProblemFacts& p, const std::string& scores) {
  if (p.scale.kind == ScaleRule::Kind::None) return scores;
  Parameters parameters{{"factor", p.scale.number}};
  if (p.scale.kind == ScaleRule::Kind::InverseSqrtDk) parameters.set("d_k", p.d_k);
  return record("scaled_scores", ops::scale, {scores}, parameters);
}

/// Positions that are given, in place of those that count up.
void set_positions(Parameters& parameters, const Positions& own) {
  if (own.ids.empty()) return;
  std::vector<Index> all;
  for (const std::vector<Index>& entry : own.ids) all.insert(all.end(), entry.begin(), entry.end());
  parameters.set("offsets", std::vector<Index>(own.ids.size(), 0));
  parameters.set("row_positions", std::move(all));
}

/// The frequencies of scaled rotary positions, and the factor of their cosines and sines.
void set_scaling(Parameters& parameters, const ProblemFacts& p) {
  const Positions& own = p.positions;
  if (!own.scaling || own.scaling->kind == RopeScalingKind::Default) return;
  const Index first = *std::max_element(p.query_offsets.begin(), p.query_offsets.end());
  Index length = *own.offset + std::max(first + p.n_queries, p.n_keys - p.n_extra);
  if (!own.ids.empty()) length = 0;
  for (const std::vector<Index>& entry : own.ids)
    length = std::max(length, *std::max_element(entry.begin(), entry.end()) + 1);
  RopeFrequencies made = rope_frequencies(*own.base, *own.rotary_dim, *own.scaling, length);
  parameters.set("frequencies", std::move(made.each));
  if (made.attention_factor != 1.0) parameters.set("attention_factor", made.attention_factor);
}

/// Queries or keys rotated by their positions, if positions are rotary.                  T × d
std::string rotated(Recorder& record, const ProblemFacts& p, const std::string& id,
                    const std::string& x, std::vector<Index> offsets) {
  if (!is_rotary(p.positions.kind)) return x;
  for (Index& offset : offsets) offset += *p.positions.offset;
  Parameters parameters{{"base", *p.positions.base},
                        {"rotary_dim", *p.positions.rotary_dim},
                        {"interleaved", p.positions.kind == PositionKind::RopeInterleaved},
                        {"offsets", std::move(offsets)}};
  set_positions(parameters, p.positions);
  set_scaling(parameters, p);
  if (p.latent && p.latent->nope_dim > 0) parameters.set("first_column", p.latent->nope_dim);
  return record(id, ops::rotate, {x}, std::move(parameters));
}

/// Queries or keys brought to a common size, if a norm does so.                          T × d
std::string normed(Recorder& record, const ProblemFacts& p, const std::string& side,
                   const std::string& x, const Gains& gains) {
  const Operation* const kNorms[] = {nullptr, &ops::rms_norm, &ops::layer_norm, &ops::l2_norm};
  const Operation* norm = kNorms[static_cast<std::size_t>(p.qk_norm.kind)];
  if (norm == nullptr) return x;
  Ids inputs{x};
  if (gains.weight) inputs.push_back(record.input(side + "_norm", *gains.weight));
  if (gains.bias) inputs.push_back(record.input(side + "_norm_bias", *gains.bias));
  Parameters parameters{{"epsilon", *p.qk_norm.eps}};
  if (*p.qk_norm.offset != 0.0) parameters.set("offset", *p.qk_norm.offset);
  return record(side + "_normed", *norm, inputs, std::move(parameters));
}

/// Sines and cosines for every position.                                        T × d_model
std::string waves(Recorder& record, const Positions& own, const Shape& shape) {
  Parameters parameters{{"base", *own.base}, {"offsets", std::vector{*own.offset}}};
  set_positions(parameters, own);
  if (own.kind != PositionKind::Sinusoidal) parameters.set("halves", true);
  if (own.kind == PositionKind::SinusoidalT2t) parameters.set("to_base", true);
  return record("positions", ops::sinusoid, {}, std::move(parameters), shape);
}

/// The table of learned positions, or of T5's buckets.
Tensor table_of(const Positions& own) {
  const Shape shape{{}, {}, own.table->shape[0], own.table->shape[1]};
  return own.table->data.empty() ? Tensor::outline(shape) : Tensor(shape, own.table->data);
}

/// A row of the table for every position.                                       T × d_model
std::string looked_up(Recorder& record, const Positions& own, const Shape& shape) {
  std::vector<Index> ids;
  for (Index b = 0; b < shape.batch.value_or(1); ++b) {
    for (Index row = 0; row < shape.rows; ++row) {
      const auto entry = static_cast<std::size_t>(own.ids.size() == 1 ? 0 : b);
      ids.push_back(own.ids.empty() ? *own.offset + row
                                    : own.ids[entry][static_cast<std::size_t>(row)]);
    }
  }
  return record("positions", ops::look_up, {record.input("position_table", table_of(own))},
                {{"ids", std::move(ids)}}, shape);
}

/// The past above the new rows, added keys below them.                            T_k × d
std::string joined(Recorder& record, const std::string& id, const std::string& fresh,
                   const std::optional<Tensor>& past, const std::optional<Tensor>& extra) {
  if (!past && !extra) return fresh;
  Ids parts;
  if (past) parts.push_back(record.input("past_" + id, *past));
  parts.push_back(fresh);
  if (extra) parts.push_back(record.input("extra_" + id, *extra));
  return record(id + "_all", ops::append_rows, parts);
}

/// What is added to the scores: a bias by distance, a given one, or both; "" without.  T_q × T_k
std::string biased(Recorder& record, const ProblemFacts& p) {
  const Positions& own = p.positions;
  if (!is_bias(own.kind)) return p.bias ? record.input("bias", *p.bias) : "";
  const bool learned = own.kind == PositionKind::T5;
  Parameters parameters{{"offsets", p.query_offsets}, {"n_distances", p.n_keys - p.n_extra}};
  Ids inputs;
  if (learned) {
    inputs.push_back(record.input("bias_table", table_of(own)));
    parameters.set("max_distance", *own.max_distance);
    parameters.set("bidirectional", *own.bidirectional);
  } else {
    parameters.set("slopes", own.slopes);
  }
  if (p.bias) inputs.push_back(record.input("given_bias", *p.bias));
  return record("bias", learned ? ops::t5_bias : ops::alibi_bias, inputs, std::move(parameters),
                {p.batch, p.heads, p.n_queries, p.n_keys});
}

/// Hides scores before softmax, and adds the bias; `mask` becomes the id of the mask.  T_q × T_k
std::string masked(Recorder& record, const ProblemFacts& p, const std::string& scores,
                   std::string& mask) {
  const std::string bias = biased(record, p);
  if (p.visibility) mask = record.input("mask", p.visibility->allowed);
  Ids inputs{scores};
  if (!bias.empty()) inputs.push_back(bias);
  if (p.visibility && p.masking == MaskingMode::Replace) {
    inputs.insert(inputs.begin() + 1, mask);
    return record("masked_scores", ops::hide, inputs, {{"fill", *p.fill}});
  }
  if (p.visibility && p.masking == MaskingMode::Add)
    inputs.push_back(record("added_mask", ops::added_mask, {mask}, {{"fill", *p.fill}}));
  return inputs.size() == 1 ? scores : record("masked_scores", ops::add, inputs);
}

/// What softmax and its relatives do with a row without a visible key.
std::pair<std::string, Parameters::Value> empty_row(const ProblemFacts& p) {
  return {"empty_row", word_of(p.empty_row)};
}

/// What masks do after softmax: modes multiply and renormalize, and padded queries.   T_q × T_k
std::string masked_after(Recorder& record, const ProblemFacts& p, std::string a,
                         const std::string& mask) {
  if (p.visibility && !acts_before_softmax(p.masking)) {
    a = record("masked_weights", ops::multiply_elements, {a, mask});
    if (p.masking == MaskingMode::Renormalize) {
      a = record("renormalized_weights", ops::renormalize, {a}, {empty_row(p)});
    }
  }
  if (!p.kept_queries) return a;
  return record("query_masked_weights", ops::keep_rows,
                {a, record.input("kept_queries", *p.kept_queries)});
}

/// What dropout leaves of the weights.                                          T_q × T_k
std::string dropped(Recorder& record, const ProblemFacts& p, const std::string& a) {
  if (!p.dropout_keep) return a;
  return record("dropped_weights", ops::drop, {a, record.input("dropout_keep", *p.dropout_keep)},
                {{"p", p.dropout_p}});
}

/// How each query shares its attention, and the share of each row that a sink takes.  T_q × T_k
std::string weighed(Recorder& record, const ProblemFacts& p, const std::string& scores) {
  if (p.normalize == NormalizeKind::Sigmoid)
    return record("weights", ops::sigmoid_weights, {scores});
  if (p.normalize == NormalizeKind::Sum)
    return record("weights", ops::sum_shares, {scores}, {empty_row(p)});
  Ids inputs{scores};
  const std::pair<std::string, Parameters::Value> dtype{"dtype", word_of(p.dtype)};
  if (p.sinks) {
    inputs.push_back(record.input("sinks", *p.sinks));
    record("sink_weights", ops::sink_share, inputs, {dtype});
  }
  return record("weights", ops::softmax, inputs, {empty_row(p), dtype});
}

bool has_gate(const ProblemFacts& p, GateOn on) { return p.to_gate && p.attention_gate->on == on; }

/// `z` times the gate, if it is on that.
std::string gated(Recorder& record, const ProblemFacts& p, GateOn on, const std::string& z,
                  std::string gate) {
  if (!has_gate(p, on)) return z;
  if (on == GateOn::Context && p.heads)
    gate = record("attention_gate_heads", ops::split_heads, {gate},
                  {{"heads", *p.heads}, {"cut", "contiguous"}});
  return record(std::string("gated_") + word_of(on), ops::multiply_elements, {z, gate});
}

/// The activation of X·W_gate + b_gate, if there is a gate.                     T_q × h·d_v
std::string record_gate(Recorder& record, const ProblemFacts& p, const std::string& x) {
  if (!p.to_gate) return "";
  const std::string logits = record_linear(record, "gate_logits", x, *p.to_gate, "gate");
  return record("attention_gate", *find_operation(p.attention_gate->activation), {logits});
}

}  // namespace

std::string record_linear(Recorder& record, const std::string& id, const std::string& x,
                          const Projection& by, const std::string& weight) {
  Ids inputs{x, record.input("w_" + weight, by.w)};
  if (by.b) inputs.push_back(record.input("b_" + weight, *by.b));
  return record(id, ops::linear, inputs);
}

std::string record_heads(Recorder& record, const std::string& id, const std::string& x,
                         std::optional<Index> heads) {
  if (!heads) return x;
  return record(id + "_heads", ops::split_heads, {x}, {{"heads", *heads}, {"cut", "contiguous"}});
}

/// The heads side by side, times W_o.                 T_q × d_v → T_q × h·d_v → T_q × d_out
std::string record_output(Recorder& record, const ProblemFacts& p, std::string z,
                          const std::string& gate) {
  z = gated(record, p, GateOn::Context, z, gate);
  if (p.heads) z = record("concat", ops::merge_heads, {z});
  z = gated(record, p, GateOn::Concat, z, gate);
  const bool is_open = has_gate(p, GateOn::Output);
  if (p.to_output) {
    z = record_linear(record, is_open ? "ungated_output" : "output", z, *p.to_output, "o");
    if (!is_open) return z;
  }
  return record("output", ops::copy, {gated(record, p, GateOn::Output, z, gate)});
}

std::string record_positions(Recorder& record, const Positions& positions, const std::string& x,
                             const Shape& shape) {
  if (!is_added(positions.kind)) return x;
  const std::string signal = positions.kind == PositionKind::Learned
                                 ? looked_up(record, positions, shape)
                                 : waves(record, positions, shape);
  return record("x_positioned", ops::add, {x, signal});
}

AttentionInputs record_inputs(Recorder& record, const ProblemFacts& p) {
  const Parameters looked_up = p.looked_up ? Parameters{{"looked_up", true}} : Parameters();
  std::string x = p.x ? record.input("x", *p.x, looked_up) : "";
  const std::string memory = p.memory ? record.input("memory", *p.memory) : "";
  const std::string values = p.memory_values ? record.input("memory_values", *p.memory_values) : "";
  if (p.x) x = record_positions(record, p.positions, x, p.x->shape());
  const std::string& from = p.memory ? memory : x;
  return {x, from, values.empty() ? from : values};
}

AttentionInputs record_qkv(Recorder& record, const ProblemFacts& p, const AttentionInputs& from) {
  const AttentionInputs rows = p.latent ? record_latents(record, *p.latent, from) : from;
  const bool q_latent = p.latent && p.latent->to_q_latent;
  std::string q = projected(record, "q", rows.queries, p.to_q, p.q, q_latent ? "uq" : "q");
  std::string k = p.latent ? record_latent_keys(record, p, from.keys, rows.keys)
                           : projected(record, "k", rows.keys, p.to_k, p.k, "k");
  std::string v = projected(record, "v", rows.values, p.to_v, p.v, p.latent ? "uv" : "v");

  const auto norm_now = [&](bool now) {
    if (!now) return;
    q = normed(record, p, "q", q, p.q_norm);
    k = normed(record, p, "k", k, p.k_norm);
  };
  const bool at_last = p.qk_norm.after == QkNormAfter::Rope;
  const std::optional<Index> kv_heads = p.heads ? std::optional(p.kv_heads) : std::nullopt;
  norm_now(p.norm_spans_heads);
  q = split(record, "q", q, p.q, p.heads);  // h × T_q × d_k
  if (!p.latent) k = split(record, "k", k, p.k, kv_heads);
  v = split(record, "v", v, p.v, kv_heads);
  norm_now(!p.norm_spans_heads && !at_last);

  q = rotated(record, p, "q_rotated", q, p.query_offsets);
  k = rotated(record, p, "k_rotated", k, {p.n_past});
  norm_now(!p.norm_spans_heads && at_last);
  return {q, joined(record, "k", k, p.past_k, p.extra_k),
          joined(record, "v", v, p.past_v, p.extra_v)};
}

std::string record_scores(Recorder& record, const ProblemFacts& p, const std::string& q,
                          const std::string& k, std::string& mask) {
  std::string s = scored(record, p, q, k);
  if (!p.mask_before_scale) s = scaled(record, p, s);
  if (p.softcap) s = record("capped_scores", ops::softcap, {s}, {{"cap", *p.softcap}});
  s = masked(record, p, s, mask);
  return p.mask_before_scale ? scaled(record, p, s) : s;
}

std::string record_attention(Recorder& record, const ProblemFacts& p, const AttentionInputs& from) {
  const bool given = p.given_weights.has_value();  // then there are only values
  const std::optional<Index> kv_heads = p.heads ? std::optional(p.kv_heads) : std::nullopt;
  const AttentionInputs qkv =
      given ? AttentionInputs{"", "",
                              split(record, "v", projected(record, "v", "", {}, p.v, "v"), p.v,
                                    kv_heads)}
            : record_qkv(record, p, from);
  const std::string gate = record_gate(record, p, from.queries);
  const bool is_last = !p.heads && !p.to_output && !p.to_gate;
  const std::string z = record.together([&] {
    std::string mask;
    const auto computed = [&] {
      const std::string s = record_scores(record, p, qkv.queries, qkv.keys, mask);
      return masked_after(record, p, weighed(record, p, s), mask);
    };
    const std::string a =
        dropped(record, p, given ? record.input("weights", *p.given_weights) : computed());
    return record(is_last ? "output" : "context", ops::multiply, {a, qkv.values});  // T_q × d_v
  });
  return is_last ? z : record_output(record, p, z, gate);
}

std::string record_logits(Recorder& record, const Projection& to_words, const std::string& output) {
  return record_linear(record, "logits", output, to_words, "vocabulary");
}

void record_prediction(Recorder& record, const std::vector<Index>& labels,
                       const std::string& logits, Dtype dtype) {
  record.together([&] {  // by rows, if nobody asked for them
    record("probabilities", ops::softmax, {logits},
           {{"empty_row", word_of(EmptyRow::Zero)}, {"dtype", word_of(dtype)}});
    return std::string();
  });
  if (labels.empty()) return;
  const std::string loss = record("loss", ops::cross_entropy, {logits}, {{"labels", labels}});
  record("mean_loss", ops::labelled_mean, {loss}, {{"labels", labels}});
}

}  // namespace attn
