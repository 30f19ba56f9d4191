// Keys and values besides those of the input: the past, bias_k and bias_v, zeros.
#include <algorithm>

#include "attn/phrases.hpp"
#include "core/problem/build.hpp"

namespace attn {
namespace {

/// Each list of `first` followed by the list of `second` for the same batch entry.
TokenLists chained(const TokenLists& first, const TokenLists& second) {
  TokenLists all;
  for (std::size_t b = 0; b < std::max(first.size(), second.size()); ++b) {
    all.push_back(first[first.size() == 1 ? 0 : b]);
    const auto& rest = second[second.size() == 1 ? 0 : b];
    all.back().insert(all.back().end(), rest.begin(), rest.end());
  }
  return all;
}

/// What K or V comes from: itself, or its weights.
std::string made_from(const Build& build, const std::string& letter) {
  return build.problem.q ? "/" + letter : weight_pointer(build, "w_" + letter);
}

/// Past keys or values: P × d, with a head axis in front if there are heads, and before that a
/// batch axis if given.
std::optional<Tensor> past_part(Build& build, const Array& a, const std::string& pointer,
                                Index width) {
  const ProblemFacts& p = build.problem;
  const std::size_t plain = p.heads ? 3 : 2;
  const bool batched = a.rank() == plain + 1 && p.batch;
  Shape shape;
  if (a.rank() == plain || batched) {
    const std::size_t n = a.rank();
    shape = {batched ? std::optional<Index>(a.shape[0]) : std::nullopt,
             p.heads ? std::optional<Index>(a.shape[n - 3]) : std::nullopt, a.shape[n - 2],
             a.shape[n - 1]};
  }
  const bool fits = shape.cols == width && (!shape.heads || *shape.heads == p.kv_heads) &&
                    (!shape.batch || shape.batch == p.batch);
  if (!a.data.empty() && fits) {
    check_finite(build, a, pointer);
    return Tensor(shape, a.data);
  }
  const std::string letter = pointer.substr(pointer.size() - 1);
  build.complaints.add(
      {.id = "shape-mismatch",
       .what = filled("{} should be {}{}P×{} (P cached rows), but it is {}", dotted(pointer),
                      p.batch ? std::to_string(*p.batch) + "×" : "",
                      p.heads ? std::to_string(p.kv_heads) + "×" : "", width, shape_text(a.shape)),
       .places = {{.pointer = pointer},
                  {.pointer = made_from(build, letter),
                   .remark = filled("rows of {} (d_{}){}", counted(width, "number"), letter,
                                    p.heads ? " in each head" : "")}},
       .rule = "The past has the shape of the keys and values after the head split.",
       .fix =
           filled("Give one matrix of cached rows{}.", !p.heads                 ? ""
                                                       : p.kv_heads == *p.heads ? " per head"
                                                                                : " per kv head")});
  return std::nullopt;
}

void append_past(Build& build) {
  const auto& past = build.draft.past;
  ProblemFacts& p = build.problem;
  if (!past) return;
  p.past_k = past_part(build, past->k, "/past/k", p.d_k);
  p.past_v = past_part(build, past->v, "/past/v", p.d_v);
  build.complaints.throw_if_any();
  p.n_past = p.past_k->rows();
  p.n_keys += p.n_past;
  const TokenLists given = past->tokens.empty() ? TokenLists{} : TokenLists{past->tokens};
  const TokenLists tokens = labels(build, given, "p", p.n_past, "/past/tokens", "the past");
  p.key_tokens = chained(tokens, p.key_tokens);
  if (p.past_v->rows() == p.n_past) return;
  const std::string keys = counted(p.n_past, "key"), values = counted(p.past_v->rows(), "value");
  build.complaints.add(
      {.id = "shape-mismatch",
       .what = filled("past has {}, but {}", keys, values),
       .places = {{.pointer = "/past/v", .remark = values}, {.pointer = "/past/k", .remark = keys}},
       .rule = kOneValueEach,
       .fix = "Give past.k and past.v the same number of rows."});
}

/// One row per key/value head, of a vector h·d wide; and a row of zeros if asked for.
std::optional<Tensor> extra_rows(Build& build, const std::string& name, Index width) {
  const ProblemFacts& p = build.problem;
  const Array* given = weight(build, name);
  const Index n = (given != nullptr ? 1 : 0) + (build.draft.add_zero_attn ? 1 : 0);
  if (n == 0) return std::nullopt;
  const std::optional<Index> heads = p.heads ? std::optional(p.kv_heads) : std::nullopt;
  Tensor rows(Shape{{}, heads, n, width});
  if (given == nullptr) return rows;
  if (static_cast<Index>(given->data.size()) != p.kv_heads * width) {
    build.complaints.add(
        "shape-mismatch", weight_pointer(build, name),
        filled("{} has {}, but one {} has {}", name, counted(std::ssize(given->data), "number"),
               name == "bias_k" ? "key" : "value", p.kv_heads * width),
        filled("Give {} {}.", name, counted(p.kv_heads * width, "number")),
        "bias_k and bias_v are one more key and value, after projection.");
    return std::nullopt;
  }
  for (Index h = 0; h < rows.heads(); ++h) {
    for (Index c = 0; c < width; ++c) {
      rows.at({0, h, 0, c}) = given->data[static_cast<std::size_t>(h * width + c)];
    }
  }
  return rows;
}

void append_extra(Build& build) {
  ProblemFacts& p = build.problem;
  if ((weight(build, "bias_k") == nullptr) != (weight(build, "bias_v") == nullptr)) {
    build.complaints.add("missing-key", "/weights",
                         "bias_k and bias_v belong together, but only one is given",
                         "Give both or neither.");
    return;
  }
  p.extra_k = extra_rows(build, "bias_k", p.d_k);
  p.extra_v = extra_rows(build, "bias_v", p.d_v);
  if (!p.extra_k) return;
  p.n_extra = p.extra_k->rows();
  p.n_keys += p.n_extra;
  for (auto& list : p.key_tokens) {
    if (weight(build, "bias_k") != nullptr) list.emplace_back("<bias>");
    if (build.draft.add_zero_attn) list.emplace_back("<zero>");
  }
}

}  // namespace

void build_keys(Build& build) {
  append_past(build);
  build.complaints.throw_all();
  append_extra(build);
  build.complaints.throw_all();
}

}  // namespace attn
