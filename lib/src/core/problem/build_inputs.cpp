// The inputs X, memory, or Q K V: which are given, their ranks and batch axis.
#include <cassert>
#include <cmath>
#include <utility>

#include "attn/core/memory_budget.hpp"
#include "attn/phrases.hpp"
#include "core/problem/build.hpp"
#include "core/problem/embedding_table.hpp"

namespace attn {
namespace {

void check_which(Build& build) {
  const ProblemDraft& d = build.draft;
  const bool projected = d.q || d.k || d.v;
  const bool embedded = d.has_rows() || d.memory;
  Complaints& complaints = build.complaints;
  if (projected && embedded) {
    const char* other = d.embeddings                 ? "embeddings"
                        : !d.embedding_table.empty() ? "an embedding table"
                                                     : "a memory";
    complaints.add("two-inputs", "/q", filled("the problem gives both {} and Q, K, V", other),
                   "Keep either q, k, v, or embeddings and weights.");
  } else if (projected && !(d.q && d.k && d.v)) {
    const char* missing = !d.q ? "q" : !d.k ? "k" : "v";
    const char* given = d.q ? "/q" : d.k ? "/k" : "/v";
    complaints.add("missing-key", given,
                   filled("q, k and v belong together, but {} is missing", missing),
                   "Give all three: q, k and v.");
  } else if (!projected && !d.has_rows()) {
    complaints.add(
        "missing-key", "", "the problem has no input: neither embeddings nor q, k, v",
        "Add \"embeddings\": one row of numbers per token (and \"weights\"), or q, k and v.");
  }
}

/// The arrays of the draft stay in memory beside the tensors that are made of them.
void take_inputs(Build& build) {
  const ProblemDraft& d = build.draft;
  for (const auto& [pointer, array] :
       {std::pair{"/embeddings", &d.embeddings}, {"/q", &d.q}, {"/k", &d.k}, {"/v", &d.v}}) {
    if (*array) build.budget.take_bytes(2 * array_bytes((*array)->shape), pointer);
  }
}

/// The sizes of the batch axes that are there must agree; then every input gets that axis.
void share_batch(Build& build,
                 const std::vector<std::pair<std::string, std::optional<Tensor>*>>& inputs) {
  ProblemFacts& p = build.problem;
  const auto size_of = [&](std::size_t i) {
    return *inputs[i].second ? (*inputs[i].second)->shape().batch : std::nullopt;
  };
  std::string first;  // the others should have its size: one of two that agree, or the first
  if (size_of(1) && size_of(1) == size_of(2)) {
    p.batch = size_of(1);
    first = inputs[1].first;
  }
  for (const auto& [pointer, tensor] : inputs) {
    if (!*tensor || !(*tensor)->shape().batch) continue;
    const Index size = *(*tensor)->shape().batch;
    if (!p.batch) {
      p.batch = size;
      first = pointer;
    } else if (*p.batch != size) {
      build.complaints.add({.id = "batch-mismatch",
                            .what = filled("{} has {}, {} has {}", dotted(first),
                                           counted(*p.batch, "batch entry"), dotted(pointer), size),
                            .places = {{.pointer = pointer}, {.pointer = first}},
                            .fix = "Make both batches the same size."});
    }
  }
  build.complaints.throw_if_any();
  for (const auto& [pointer, tensor] : inputs) {
    if (!p.batch || !*tensor || (*tensor)->shape().batch) continue;
    Shape shape = (*tensor)->shape();
    shape.batch = p.batch;
    build.budget.take({*p.batch, static_cast<Index>((*tensor)->data().size())}, pointer);
    std::vector<double> data;
    for (Index b = 0; b < *p.batch; ++b) {
      data.insert(data.end(), (*tensor)->data().begin(), (*tensor)->data().end());
    }
    *tensor = Tensor(shape, std::move(data));
  }
}

Tensor with_heads(const Array& a) {
  return {Shape{a.shape[0], a.shape[1], a.shape[2], a.shape[3]}, a.data};
}

void check_rank(Build& build, const Array& array, const std::string& pointer, std::size_t least,
                std::size_t most, const std::string& wanted) {
  if (array.rank() >= least && array.rank() <= most && !array.data.empty()) return;
  if (array.data.empty() && array.rank() > 1) {
    build.complaints.add(
        "rank", pointer,
        filled("{} has no numbers: it is {}", dotted(pointer), shape_text(array.shape)),
        "Give at least one row with one number.");
    return;
  }
  build.complaints.add("rank", pointer,
                       filled("{} should be {}, but it is {} (rank {})", dotted(pointer), wanted,
                              shape_text(array.shape), array.rank()),
                       kCheckBrackets);
}

void build_projected(Build& build) {
  const ProblemDraft& d = build.draft;
  ProblemFacts& p = build.problem;
  const bool q_differs = d.k->rank() == d.v->rank();  // or all agree
  const std::pair<std::string, std::size_t> usual{q_differs ? "k" : "q",
                                                  (q_differs ? d.k : d.q)->rank()};
  for (const auto& [pointer, array] : {std::pair{"/q", &*d.q}, {"/k", &*d.k}, {"/v", &*d.v}}) {
    check_rank(build, *array, pointer, 2, 4, "T × h·d, N × T × h·d or N × h × T × d");
    check_finite(build, *array, pointer);
    if (array->rank() == usual.second) continue;
    build.complaints.add({.id = "rank",
                          .what = filled("{} has rank {}, but {} has rank {}", pointer + 1,
                                         array->rank(), usual.first, usual.second),
                          .places = {{.pointer = pointer}, {.pointer = "/" + usual.first}},
                          .fix = "Give q, k and v with the same rank."});
  }
  build.complaints.throw_if_any();
  const auto tensor = [](const Array& a) { return a.rank() == 4 ? with_heads(a) : stacked(a); };
  p.q = tensor(*d.q);
  p.k = tensor(*d.k);
  p.v = tensor(*d.v);
  p.n_queries = p.q->rows();
  p.n_keys = p.k->rows();
  share_batch(build, {{"/q", &p.q}, {"/k", &p.k}, {"/v", &p.v}});
}

/// ' in row 1 "cat"', counted in its matrix; the token if X or the memory names it.
std::string row_text(const ProblemDraft& draft, const std::string& pointer, const Array& array,
                     Index row) {
  const Index rows = array.shape[array.rank() - 2];
  const TokenLists none;
  const TokenLists& lists = pointer == "/embeddings"                          ? draft.tokens
                            : pointer.starts_with("/memory/") && draft.memory ? draft.memory->tokens
                                                                              : none;
  const auto entry = static_cast<std::size_t>(lists.size() == 1 ? 0 : row / rows);
  const auto index = static_cast<std::size_t>(row % rows);
  const bool named = entry < lists.size() && index < lists[entry].size();
  return " in row " + std::to_string(row % rows) +
         (named ? " \"" + lists[entry][index] + "\"" : "");
}

void check_memory_values(Build& build) {
  const Index values = build.problem.memory_values->rows();
  if (values == build.problem.n_keys) return;
  build.complaints.add(
      {.id = "shape-mismatch",
       .what = filled("memory has {} of embeddings, but {} of values",
                      counted(build.problem.n_keys, "row"), values),
       .places = {{.pointer = "/memory/values"}, {.pointer = "/memory/embeddings"}},
       .rule = kOneValueEach,
       .fix = "Give both the same number of rows."});
}

constexpr std::size_t kMostMasks = 1000;

}  // namespace

void check_counts(Build& build) {
  const ProblemDraft& d = build.draft;
  for (const auto& [pointer, masks] : {std::pair{"/mask", &d.masks},
                                       {"/source_mask", &d.source_masks},
                                       {"/memory_mask", &d.memory_masks}}) {
    if (masks->size() <= kMostMasks) continue;
    build.complaints.add(
        "too-large", pointer,
        filled("there are {} masks, but at most {} are allowed", masks->size(), kMostMasks),
        "Combine them: keys:1,3 instead of keys:1 and keys:3.");
  }
  if (d.text && d.q) {
    build.complaints.add(
        {.id = "two-inputs",
         .what = "text is looked up in an embedding table, but Q, K and V are given directly",
         .places = {{.pointer = "/text"}},
         .fix = "Leave out the text.",
         .changes = {{"text", ""}}});
  }
  if (!d.key_tokens.empty() && !d.q) {
    build.complaints.add("two-inputs", "/key_tokens",
                         "key_tokens name keys that are given directly; here the keys have the "
                         "tokens of their input",
                         "Use tokens, or memory.tokens.");
  }
  for (const auto& [pointer, count] : {std::pair{"/heads", d.heads}, {"/kv_heads", d.kv_heads}}) {
    if (!count || *count >= 1) continue;
    build.complaints.add("out-of-range", pointer,
                         filled("{} should be at least 1, but it is {}", pointer + 1, *count),
                         "Give a whole number, 1 or more.");
  }
}

Tensor stacked(Array a) {
  if (a.rank() == 1) return {Shape{{}, {}, 1, a.shape[0]}, std::move(a.data)};
  if (a.rank() == 2) return {Shape{{}, {}, a.shape[0], a.shape[1]}, std::move(a.data)};
  assert(a.rank() == 3);
  return {Shape{a.shape[0], {}, a.shape[1], a.shape[2]}, std::move(a.data)};
}

std::string cell_pointer(const Array& array, std::size_t index) {
  std::string pointer;
  auto rest = static_cast<Index>(index);
  for (std::size_t axis = array.rank(); axis-- > 0;) {
    pointer = "/" + std::to_string(rest % array.shape[axis]) + pointer;
    rest /= array.shape[axis];
  }
  return pointer;
}

void check_finite(Build& build, const Array& array, const std::string& pointer,
                  bool minus_infinity_allowed) {
  for (std::size_t i = 0; i < array.data.size(); ++i) {
    const double number = array.data[i];
    if (std::isfinite(number)) continue;
    if (minus_infinity_allowed && std::isinf(number) && number < 0) continue;
    const Index width = array.rank() > 0 ? array.shape.back() : 1;
    const Index row = static_cast<Index>(i) / width;
    build.complaints.add("not-finite", pointer + cell_pointer(array, i),
                         filled("{} has {}{}: attention needs finite numbers here", dotted(pointer),
                                std::isnan(number) ? "NaN" : "an infinite number",
                                array.rank() < 2 ? "" : row_text(build.draft, pointer, array, row)),
                         "Write a number; to hide a key, use a mask or a bias of \"-Infinity\".",
                         "NaN and infinity spread to everything computed from them.");
    return;
  }
}

void build_inputs(Build& build) {
  const ProblemDraft& d = build.draft;
  ProblemFacts& p = build.problem;
  check_which(build);
  check_counts(build);
  if (d.needs_memory && !d.memory)
    build.complaints.add({.id = "missing-key",
                          .what = "this is cross attention: its keys and values are made from the "
                                  "encoder's output, which is not given",
                          .fix = "Give the encoder's output, one row for each of its tokens.",
                          .changes = {{"memory", "memory.npy"}}});
  build.complaints.throw_if_any();
  take_inputs(build);
  if (d.q) {
    build_projected(build);
    return;
  }
  std::optional<Array> x = embeddings_of(build);
  std::optional<Array> keys = d.memory ? memory_of(build) : std::nullopt;
  std::optional<Array> values = d.memory ? d.memory->values : std::nullopt;
  struct Input {
    const char* pointer;
    std::optional<Array>& array;
    std::optional<Tensor>& tensor;
  };
  const Input inputs[] = {{"/embeddings", x, p.x},
                          {"/memory/embeddings", keys, p.memory},
                          {"/memory/values", values, p.memory_values}};
  for (const auto& [pointer, array, tensor] : inputs) {
    if (array)
      check_rank(build, *array, pointer, 2, 3, "T × d_model, or N × T × d_model for a batch");
  }
  build.complaints.throw_if_any();
  for (const auto& [pointer, array, tensor] : inputs) {
    if (!array) continue;
    check_finite(build, *array, pointer);
    tensor = stacked(*std::move(array));
  }
  build.complaints.throw_if_any();
  p.d_model = p.x->cols();
  p.n_queries = p.x->rows();
  p.n_keys = (p.memory ? *p.memory : *p.x).rows();
  if (p.memory_values) check_memory_values(build);
  share_batch(build, {{"/embeddings", &p.x},
                      {"/memory/embeddings", &p.memory},
                      {"/memory/values", &p.memory_values}});
}

}  // namespace attn
