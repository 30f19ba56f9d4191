// The output of an attention, a block of keys at a time.
#include <algorithm>
#include <stdexcept>

#include "attn/error.hpp"
#include "attn/online_softmax.hpp"
#include "attn/tool/setting_names.hpp"
#include "core/attention/attention_steps.hpp"
#include "core/operations/rows.hpp"
#include "core/problem/kinds.hpp"
#include "core/tensor/slices.hpp"

namespace attn {
namespace {

void refuse(bool unsupported, const std::string& what, const std::string& fix) {
  if (!unsupported) return;
  throw input_error(
      {.id = "not-supported", .what = what + " cannot be computed block by block", .fix = fix});
}

Tensor some_rows(const Tensor& t, Index first, Index count) {
  Tensor some(Shape{t.shape().batch, t.shape().heads, count, t.cols()});
  for_each_slice(t, [&](Index b, Index h) {
    for (Index i = 0; i < count; ++i)
      std::copy_n(t.row(b, h, first + i).begin(), t.cols(), some.row(b, h, i).begin());
  });
  return some;
}

Tensor some_columns(const Tensor& t, Index first, Index count) {
  Tensor some(Shape{t.shape().batch, t.shape().heads, t.rows(), count});
  for_each_slice(t, [&](Index b, Index h) {
    for (Index i = 0; i < t.rows(); ++i)
      std::copy_n(t.row(b, h, i).begin() + first, count, some.row(b, h, i).begin());
  });
  return some;
}

/// What makes the scores of `count` keys from `first` on, as if there were no others.
ProblemFacts block_of(const ProblemFacts& p, Index first, Index count) {
  ProblemFacts part;
  part.batch = p.batch;
  part.heads = p.heads;
  part.n_queries = p.n_queries;
  part.n_keys = count;
  part.n_extra = count - std::max<Index>(0, p.n_keys - p.n_extra - first);
  part.d_k = p.d_k;
  part.scale = p.scale;
  part.scale_is_default = p.scale_is_default;
  part.softcap = p.softcap;
  part.masking = p.masking;
  part.fill = p.fill;
  part.mask_before_scale = p.mask_before_scale;
  part.positions = p.positions;
  part.query_offsets = p.query_offsets;
  for (Index& offset : part.query_offsets) offset -= first;  // positions count from the first key
  if (p.bias) part.bias = some_columns(*p.bias, first, count);
  if (p.visibility)
    part.visibility = Visibility{some_columns(p.visibility->allowed, first, count), {}, {}};
  return part;
}

using Rows = std::vector<OnlineRow>;  ///< of all queries: batch entries, heads, rows

/// Adds the keys from `first` on, whose scores these are, to each row.
void add(Rows& rows, const Tensor& scores, const Tensor& v, Index first) {
  auto row = rows.begin();
  for_each_slice(scores, [&](Index b, Index h) {
    const Index group = kv_head(h, scores.heads(), v);
    std::vector<std::span<const double>> values;
    for (Index j = 0; j < scores.cols(); ++j) values.push_back(v.row(b, group, first + j));
    for (Index i = 0; i < scores.rows(); ++i, ++row) row->add(scores.row(b, h, i), values);
  });
}

/// Z: what each query of each head has collected; rows without a visible key by policy.
Tensor finished(const Rows& rows, const ProblemFacts& p, const Tensor& v) {
  Tensor z(Shape{p.batch, p.heads, p.n_queries, v.cols()});
  const double empty = ops::empty_value({{"empty_row", word_of(p.empty_row)}}, p.n_keys);
  auto row = rows.begin();
  for_each_slice(z, [&](Index b, Index h) {
    const Index group = kv_head(h, z.heads(), v);
    for (Index i = 0; i < z.rows(); ++i, ++row) {
      const auto out = z.row(b, h, i);
      if (p.kept_queries && p.kept_queries->at({b, h, i, 0}) == 0.0) continue;
      if (row->sum == 0.0) {
        for (Index j = 0; j < v.rows(); ++j) {
          for (std::size_t c = 0; c < out.size(); ++c) out[c] += empty * v.row(b, group, j)[c];
        }
        continue;
      }
      for (std::size_t c = 0; c < out.size(); ++c) out[c] = row->output[c] / row->sum;
    }
  });
  return z;
}

}  // namespace

Tensor attend_output(const Problem& problem, Index block) {
  if (block < 1) throw std::invalid_argument("a block has at least one key");
  const ProblemFacts& p = *problem;
  refuse(p.model != nullptr, "a whole model", "Use attend.");
  refuse(p.visibility && !acts_before_softmax(p.masking),
         "the masking mode " + std::string(word_of(p.masking)), "Use replace or add.");
  refuse(p.dtype != Dtype::Float64, std::string("a problem in ") + word_of(p.dtype),
         "Use float64.");

  const Recipe none;
  const auto scope = std::make_shared<const Scope>();
  Trace trace;
  Recorder record(trace, scope, none);
  const AttentionInputs ids = record_qkv(record, p, record_inputs(record, p));
  const Tensor& v = trace.value(ids.values);
  Rows rows(static_cast<std::size_t>(p.batch.value_or(1) * p.heads.value_or(1) * p.n_queries),
            OnlineRow{.output = std::vector<double>(static_cast<std::size_t>(v.cols()))});
  for (Index first = 0; first < p.n_keys; first += block) {
    const Index count = std::min(block, p.n_keys - first);
    Trace part;
    Recorder own(part, scope, none);
    const std::string q = own.input("q", trace.value(ids.queries));
    const std::string k = own.input("k", some_rows(trace.value(ids.keys), first, count));
    std::string mask;
    const std::string scores = record_scores(own, block_of(p, first, count), q, k, mask);
    add(rows, part.value(scores), v, first);
  }
  const std::string z = record.input("context", finished(rows, p, v));
  return trace.value(record_output(record, p, z));
}

}  // namespace attn
