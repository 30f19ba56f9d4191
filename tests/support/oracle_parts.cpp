// The oracle: sizes, labels and inputs of a draft.
#include "support/oracle_parts.hpp"

#include <algorithm>

namespace attn::testing {
namespace {

/// The columns of a projection: d_out, or heads × d for one given per head.
Index width(const Array& w) {
  return w.rank() == 3 ? w.shape[0] * w.shape[2] : size_from_right(w, 0);
}

void read_given(const ProblemDraft& draft, Facts& facts) {
  const bool split = draft.q->rank() == 4;
  facts.has_batch = draft.q->rank() >= 3;
  facts.batch = facts.has_batch ? draft.q->shape[0] : 1;
  facts.has_heads = split || draft.heads.has_value();
  facts.heads = split ? draft.q->shape[1] : draft.heads.value_or(1);
  facts.kv_heads = split ? draft.k->shape[1] : draft.kv_heads.value_or(facts.heads);
  facts.n_queries = size_from_right(*draft.q, 1);
  facts.n_new = size_from_right(*draft.k, 1);
  facts.d_k = size_from_right(*draft.q, 0) / (split ? 1 : facts.heads);
  facts.d_v = size_from_right(*draft.v, 0) / (split ? 1 : facts.kv_heads);
}

void read_projected(const ProblemDraft& draft, Facts& facts) {
  const Array x = embeddings_of(draft);
  const Array& source = draft.memory ? draft.memory->embeddings : x;
  const Array& values = draft.memory && draft.memory->values ? *draft.memory->values : source;
  for (const Array* each : {&x, &source, &values}) {
    if (each->rank() != 3) continue;
    facts.has_batch = true;
    facts.batch = each->shape[0];
  }
  facts.has_heads = draft.heads.has_value();
  facts.heads = draft.heads.value_or(1);
  facts.kv_heads = draft.kv_heads.value_or(facts.heads);
  facts.n_queries = size_from_right(x, 1);
  facts.n_new = size_from_right(source, 1);
  if (draft.latent) {
    facts.d_k = *draft.latent->nope_dim + draft.latent->rope_dim.value_or(0);
    facts.d_v = *draft.latent->v_dim;
    return;
  }
  facts.d_k = width(draft.weights.at("w_q")) / facts.heads;
  facts.d_v = width(draft.weights.at("w_v")) / facts.kv_heads;
}

}  // namespace

Block spread(const Array& array, const Facts& facts, double missing, double added) {
  const Block given = block_of(array, !facts.has_heads);
  return filled(facts.batch, facts.heads, facts.n_queries, facts.n_keys,
                [&](Index b, Index h, Index i, Index j) {
                  if (j >= facts.n_real) return added;
                  return given.cols == 1 || j < given.cols ? given.at(b, h, i, j) : missing;
                });
}

std::vector<Index> first_positions(const ProblemDraft& draft, const Facts& facts) {
  std::vector<Index> first(static_cast<std::size_t>(facts.batch), facts.n_past);
  for (std::size_t b = 0; b < first.size(); ++b) {
    if (draft.align == Align::End) first[b] = facts.n_real - facts.n_queries;
    if (draft.align == Align::KeyLengths) first[b] = draft.key_lengths[b] - facts.n_queries;
  }
  return first;
}

Facts facts_of(const ProblemDraft& draft) {
  Facts facts;
  if (draft.q) {
    read_given(draft, facts);
  } else {
    read_projected(draft, facts);
  }
  facts.n_past = draft.past ? size_from_right(draft.past->k, 1) : 0;
  facts.n_real = facts.n_past + facts.n_new;
  facts.n_keys = facts.n_real;
  if (draft.weights.count("bias_k") > 0) ++facts.n_keys;
  if (draft.add_zero_attn) ++facts.n_keys;
  return facts;
}

Array embeddings_of(const ProblemDraft& draft) {
  if (draft.embeddings) return *draft.embeddings;
  Array x;
  for (const auto& sentence : draft.tokens) {
    for (const std::string& token : sentence) {
      const auto entry =
          std::find_if(draft.embedding_table.begin(), draft.embedding_table.end(),
                       [&](const auto& candidate) { return candidate.first == token; });
      x.data.insert(x.data.end(), entry->second.begin(), entry->second.end());
    }
  }
  if (draft.tokens.size() > 1) x.shape.push_back(static_cast<Index>(draft.tokens.size()));
  x.shape.push_back(static_cast<Index>(draft.tokens[0].size()));
  x.shape.push_back(static_cast<Index>(draft.embedding_table[0].second.size()));
  return x;
}

}  // namespace attn::testing
