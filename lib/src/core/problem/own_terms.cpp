// Rewrites a draft before anything is checked, so that the rest knows one way of saying it.
#include "core/problem/own_terms.hpp"

#include <algorithm>
#include <utility>

#include "attn/error.hpp"
#include "attn/phrases.hpp"
#include "core/problem/build.hpp"
#include "core/problem/foreign_weights.hpp"

namespace attn {
namespace {

Error material_error(const std::string& id, const char* pointer, std::string what,
                     std::string fix) {
  return input_error(
      {.id = id, .what = std::move(what), .places = {{.pointer = pointer}}, .fix = std::move(fix)});
}

/// Rows become columns in each matrix of the array; a list of numbers stays.
void transpose(Array& array) {
  if (array.rank() < 2) return;
  const std::size_t rows = static_cast<std::size_t>(array.shape[array.rank() - 2]);
  const std::size_t cols = static_cast<std::size_t>(array.shape.back());
  std::swap(array.shape[array.rank() - 2], array.shape.back());
  if (rows * cols == 0) return;
  std::vector<double> turned(array.data.size());
  for (std::size_t first = 0; first + rows * cols <= array.data.size(); first += rows * cols) {
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < cols; ++c)
        turned[first + c * rows + r] = array.data[first + r * cols + c];
    }
  }
  array.data = std::move(turned);
}

void transpose(std::optional<Array>& array) {
  if (array) transpose(*array);
}

/// Tokens in columns: all matrices but the weights of other libraries, which have their own layout.
void put_tokens_in_rows(ProblemDraft& d) {
  for (std::optional<Array>* each : {&d.embeddings, &d.q, &d.k, &d.v, &d.attention_weights,
                                     &d.allowed, &d.hidden, &d.bias, &d.target, &d.positions.table})
    transpose(*each);
  if (d.memory) {
    transpose(d.memory->embeddings);
    transpose(d.memory->values);
  }
  if (d.past) {
    transpose(d.past->k);
    transpose(d.past->v);
  }
  if (d.dropout) transpose(d.dropout->keep);
  if (d.vocabulary) transpose(d.vocabulary->w);
  for (auto& [name, array] : d.weights) {
    if (is_in_out(name)) transpose(array);
  }
  d.layout = MatrixLayout::Rows;
  d.notes.push_back("the file has tokens in columns; in the steps they are in rows");
}

void show_what_is_hidden(ProblemDraft& d) {
  if (d.allowed) {
    throw material_error("two-inputs", "/hidden", "hidden and allowed say the same thing twice",
                         kKeepOne);
  }
  for (double& each : d.hidden->data) {
    if (each != 0.0 && each != 1.0)
      throw material_error("out-of-range", "/hidden", "hidden may hold only 0 and 1",
                           "Write 1 where the key is hidden, 0 where the query may attend to it.");
    each = 1.0 - each;
  }
  d.allowed = std::exchange(d.hidden, std::nullopt);
  d.says_hidden = true;
}

/// Zeros of one column for each head, in place of the queries and keys that nobody needs.
void stand_in_for_scores(ProblemDraft& d) {
  const char* const pointer = "/attention_weights";
  if (d.q || d.k)
    throw material_error("two-inputs", pointer, "attention_weights are given, but so are q and k",
                         "Leave out q and k, or attention_weights.");
  if (!d.v)
    throw material_error("missing-key", pointer, "attention_weights need v, which is missing",
                         "Add \"v\": one row of numbers for each key.");
  const Array& a = *d.attention_weights;
  if (a.rank() < 2 || a.data.empty() || d.v->rank() < 2 || d.v->rank() > 4)
    throw material_error("rank", pointer, "attention_weights should be T_q × T_k, and v T_k × d_v",
                         kCheckBrackets);
  const Index queries = a.shape[a.rank() - 2], keys = d.v->shape[d.v->rank() - 2];
  const auto zeros = [&](Index rows) {
    std::vector<Index> shape = d.v->shape;
    shape[shape.size() - 2] = rows;
    shape.back() = d.v->rank() == 4 ? 1 : d.heads.value_or(1);
    Index count = 1;
    for (const Index size : shape) count *= size;
    return Array{std::move(shape), std::vector<double>(static_cast<std::size_t>(count))};
  };
  d.q = zeros(queries);
  d.k = zeros(keys);
  if (d.v->rank() != 4) d.k->shape.back() = d.kv_heads.value_or(d.heads.value_or(1));
  d.k->data.resize(d.k->data.size() / static_cast<std::size_t>(d.q->shape.back()) *
                   static_cast<std::size_t>(d.k->shape.back()));
}

}  // namespace

std::optional<ProblemDraft> in_own_terms(const ProblemDraft& draft) {
  const std::optional<Index> heads = heads_in_weights(draft.weights);
  const bool says_heads = heads && !draft.heads;
  const bool columns = draft.layout == MatrixLayout::Columns;
  const bool no_scores = draft.attention_weights && !(draft.q && draft.k);
  if (!says_heads && !columns && !draft.hidden && !no_scores) return std::nullopt;
  ProblemDraft own = draft;
  if (says_heads) own.heads = heads;
  if (columns) put_tokens_in_rows(own);
  if (own.hidden) show_what_is_hidden(own);
  if (no_scores) stand_in_for_scores(own);
  return own;
}

}  // namespace attn
