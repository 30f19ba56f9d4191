#include <algorithm>
#include <cassert>

#include "core/build.hpp"

namespace attn {
namespace {

std::string pointer_of(const std::string& name) { return "/weights/" + name; }

/// w of h × d_in × d as one matrix d_in × h·d: head i's columns are i·d … (i+1)·d − 1.
Tensor merged_per_head(const Array& w) {
  const Index heads = w.shape[0], rows = w.shape[1], d = w.shape[2];
  Tensor merged(Shape{{}, {}, rows, heads * d});
  const Tensor each(Shape{{}, heads, rows, d}, w.data);
  for (Index h = 0; h < heads; ++h) merged.slice(0, 0).middleCols(h * d, d) = each.slice(0, h);
  return merged;
}

/// w_q, w_k, w_v as d_in × h·d; w_o as h·d_v × d_out (rank 3: h × d_v × d_out, the same numbers).
Tensor merged(const std::string& name, const Array& w) {
  if (w.rank() == 2) return stacked(w);
  if (name != "w_o") return merged_per_head(w);
  return {Shape{{}, {}, w.shape[0] * w.shape[1], w.shape[2]}, w.data};
}

void complain_missing(Build& build, const std::string& name) {
  build.complaints.add({.id = "missing-key",
                        .what = "weights has no " + name + ", so " + name.substr(2) +
                                " cannot be computed from the embeddings",
                        .places = {{.pointer = build.draft.weights.empty() ? "" : "/weights"}},
                        .fix = "Add \"" + name + "\" to weights: d_model rows of numbers.",
                        .help = "attn help json"});
}

/// The projection w_`id` with its bias, checked against the width of what it is applied to.
std::optional<Projection> projection(Build& build, const std::string& id, const std::string& step,
                                     const Factor& x) {
  const std::string name = "w_" + id;
  const Array* w = weight(build, name);
  if (w == nullptr) {
    complain_missing(build, name);
    return std::nullopt;
  }
  if ((w->rank() != 2 && w->rank() != 3) || w->data.empty()) {
    build.complaints.add(
        {.id = "rank",
         .what = name + " should be d_in × h·d, or h × d_in × d per head, but it is " +
                 shape_text(w->shape),
         .places = {{.pointer = pointer_of(name)}},
         .fix = "Check the brackets: a matrix is a list of rows, [[1, 2], [3, 4]].",
         .help = "attn help shapes"});
    return std::nullopt;
  }
  check_finite(build, *w, pointer_of(name));
  Projection result{merged(name, *w), std::nullopt};
  if (result.w.rows() != x.cols) {
    build.complaints.add(
        product_mismatch(step, x, {name, pointer_of(name), result.w.rows(), result.w.cols()}));
  }
  const Array* b = weight(build, "b_" + id);
  if (b == nullptr) return result;
  check_finite(build, *b, pointer_of("b_" + id));
  if (static_cast<Index>(b->data.size()) != result.w.cols()) {
    build.complaints.add(
        {.id = "shape-mismatch",
         .what = "b_" + id + " has " + std::to_string(b->data.size()) + " numbers, but " + name +
                 " has " + std::to_string(result.w.cols()) + " columns",
         .places = {{.pointer = pointer_of("b_" + id)}, {.pointer = pointer_of(name)}},
         .rule = "A bias is added to every row of the product: one number per column.",
         .fix = "Give b_" + id + " " + std::to_string(result.w.cols()) + " numbers.",
         .help = "attn help shapes"});
    return result;
  }
  result.b = Tensor(Shape{{}, {}, 1, result.w.cols()}, b->data);
  return result;
}

Factor factor(const std::string& name, const std::string& pointer, const Tensor& t) {
  return {name, pointer, t.rows(), t.cols()};
}

void project_inputs(Build& build) {
  Problem& p = build.problem;
  const Factor x = factor("X", "/embeddings", *p.x);
  const Factor source = p.memory ? factor("memory", "/memory/embeddings", *p.memory) : x;
  p.to_q = projection(build, "q", "Q = X·W_q", x);
  if (build.complaints.any() && !p.memory) return;  // k and v would only say the same again
  p.to_k = projection(build, "k", "K = " + source.name + "·W_k", source);
  if (build.complaints.any()) return;
  p.to_v = projection(build, "v", "V = " + source.name + "·W_v", source);
}

void refuse_projections(Build& build) {
  for (const char* name : {"w_q", "w_k", "w_v", "b_q", "b_k", "b_v"}) {
    if (weight(build, name) == nullptr) continue;
    build.complaints.add(
        {.id = "two-inputs",
         .what = std::string(name) + " is given, but so are Q K V themselves",
         .places = {{.pointer = pointer_of(name)}, {.pointer = "/q"}},
         .fix = "Keep either q, k, v, or embeddings and weights. (w_o and b_o may stay.)"});
  }
}

/// How many heads: `heads`, or what rank-3 weights or a rank-4 q bring with them.
void count_heads(Build& build) {
  const ProblemDraft& d = build.draft;
  Problem& p = build.problem;
  const auto brought = [&](const std::string& name,
                           const std::optional<Tensor>& given) -> std::optional<Index> {
    if (given) return given->shape().heads;
    const Array* w = weight(build, name);
    return w != nullptr && w->rank() == 3 ? std::optional<Index>(w->shape[0]) : std::nullopt;
  };
  const auto settle = [&](const char* setting, const std::optional<Index>& said,
                          const std::string& name, const std::optional<Tensor>& given) {
    const std::optional<Index> there = brought(name, given);
    if (said && there && *said != *there) {
      const std::string pointer = given ? "/" + name.substr(2) : pointer_of(name);
      build.complaints.add(
          {.id = "head-count",
           .what = std::string(setting) + " is " + std::to_string(*said) + ", but " +
                   pointer.substr(pointer.rfind('/') + 1) + " is given for " +
                   std::to_string(*there) + " heads",
           .places = {{.pointer = "/" + std::string(setting)}, {.pointer = pointer}},
           .fix = "Leave out " + std::string(setting) + ", or set it to " + std::to_string(*there) +
                  "."});
    }
    return said ? said : there;
  };
  p.heads = settle("heads", d.heads, "w_q", p.q);
  const std::optional<Index> kv = settle("kv_heads", d.kv_heads, "w_k", p.k);
  if (!p.heads && kv) {
    build.complaints.add({.id = "head-count",
                          .what = "kv_heads is given, but heads is not",
                          .places = {{.pointer = "/kv_heads"}},
                          .fix = "Add \"heads\", a multiple of kv_heads."});
  }
  build.complaints.throw_if_any();
  p.kv_heads = kv.value_or(p.heads.value_or(1));
  if (p.heads.value_or(1) % p.kv_heads == 0) return;
  build.complaints.add({.id = "head-count",
                        .what = "heads is " + std::to_string(*p.heads) + " and kv_heads is " +
                                std::to_string(p.kv_heads) + ": " + std::to_string(*p.heads) +
                                " is not a multiple of " + std::to_string(p.kv_heads),
                        .places = {{.pointer = "/kv_heads"}, {.pointer = "/heads"}},
                        .rule = "Each key/value head serves the same number of query heads.",
                        .fix = "Choose kv_heads so that heads / kv_heads is a whole number."});
}

std::string divisors(Index n) {
  std::string text;
  for (Index i = 1; i <= n; ++i) {
    if (n % i == 0) text += (text.empty() ? "" : ", ") + std::to_string(i);
  }
  return text;
}

/// The width of one head of a T × h·d matrix (or of one that is cut already).
Index head_width(Build& build, const std::string& name, const std::string& pointer, Index cols,
                 bool cut, Index heads, const char* setting) {
  if (cut || cols % heads == 0) return cut ? cols : cols / heads;
  if (build.complaints.any()) return cols;  // q, k and v would all say the same
  build.complaints.add({.id = "heads-divide",
                        .what = name + " has " + std::to_string(cols) +
                                " columns, which cannot be cut into " + std::to_string(heads) +
                                " heads of the same width",
                        .places = {{.pointer = "/" + std::string(setting)}, {.pointer = pointer}},
                        .rule = "Every head gets the same number of columns: columns = heads × d.",
                        .fix = "Use " + std::string(setting) + " = " + divisors(cols) + ".",
                        .help = "attn help shapes"});
  return cols;
}

struct Side {
  std::string name, pointer;
  Index rows = 0, cols = 0;
  bool cut = false;  // into heads already
};

Side side(const std::string& name, const std::optional<Tensor>& given,
          const std::optional<Projection>& projected, const Tensor* source) {
  if (given) {
    return {name, "/" + name, given->rows(), given->cols(), given->shape().heads.has_value()};
  }
  return {"w_" + name, pointer_of("w_" + name), source->rows(), projected->w.cols(), false};
}

void measure(Build& build) {
  Problem& p = build.problem;
  const Tensor* x = p.x ? &*p.x : nullptr;
  const Tensor* source = p.memory ? &*p.memory : x;
  const Side q = side("q", p.q, p.to_q, x);
  const Side k = side("k", p.k, p.to_k, source);
  const Side v = side("v", p.v, p.to_v, source);
  const Index heads = p.heads.value_or(1);
  p.d_k = head_width(build, q.name, q.pointer, q.cols, q.cut, heads, "heads");
  const char* setting = build.draft.kv_heads ? "kv_heads" : "heads";
  const Index key_width = head_width(build, k.name, k.pointer, k.cols, k.cut, p.kv_heads, setting);
  p.d_v = head_width(build, v.name, v.pointer, v.cols, v.cut, p.kv_heads, setting);
  build.complaints.throw_if_any();
  if (p.d_k != key_width) {
    build.complaints.add(
        {.id = "shape-mismatch",
         .what = "step S = Q·Kᵀ cannot be computed: queries have " + std::to_string(p.d_k) +
                 " numbers per head, keys " + std::to_string(key_width),
         .places = {{.pointer = q.pointer, .remark = "columns: " + std::to_string(q.cols)},
                    {.pointer = k.pointer, .remark = "columns: " + std::to_string(k.cols)}},
         .rule = "A dot product needs as many numbers on both sides: d_k.",
         .fix = "Give " + q.name + " and " + k.name + " the same width per head.",
         .help = "attn help shapes"});
  }
  if (k.rows != v.rows) {
    build.complaints.add({.id = "shape-mismatch",
                          .what = "there are " + std::to_string(k.rows) + " keys, but " +
                                  std::to_string(v.rows) + " values",
                          .places = {{.pointer = v.pointer}, {.pointer = k.pointer}},
                          .rule = "Every key brings one value.",
                          .fix = "Give k and v the same number of rows."});
  }
  p.n_queries = q.rows;
  p.n_keys = k.rows;
}

}  // namespace

const Array* weight(const Build& build, const std::string& name) {
  const auto at = build.draft.weights.find(name);
  return at == build.draft.weights.end() ? nullptr : &at->second;
}

Diagnostic product_mismatch(const std::string& step, const Factor& a, const Factor& b) {
  const auto size = [](const Factor& f) {
    return "(" + std::to_string(f.rows) + "×" + std::to_string(f.cols) + ")";
  };
  std::string fix = "Give " + b.name + " " + std::to_string(a.cols) + " rows, or " + a.name +
                    " rows of " + std::to_string(b.rows) + " numbers.";
  if (a.cols == b.cols) {
    fix += " If " + b.name + " is stored as out × in, transpose it.";
  }
  return {.id = "shape-mismatch",
          .what = "step " + step + " cannot be computed: " + std::to_string(a.cols) + " is not " +
                  std::to_string(b.rows),
          .places = {{.pointer = b.pointer,
                      .remark = b.name + " has " + std::to_string(b.rows) + " rows; it needs " +
                                std::to_string(a.cols)},
                     {.pointer = a.pointer,
                      .remark = a.name + " has rows of " + std::to_string(a.cols) + " numbers"}},
          .sketch = "    " + a.name + " " + size(a) + " · " + b.name + " " + size(b) + "     columns of " +
                    a.name + ": " + std::to_string(a.cols) + ", rows of " + b.name + ": " +
                    std::to_string(b.rows),
          .rule = "In A·B, A must have as many columns as B has rows.",
          .fix = std::move(fix),
          .help = "attn help shapes"};
}

void build_projections(Build& build) {
  Problem& p = build.problem;
  if (p.q) {
    refuse_projections(build);
  } else {
    project_inputs(build);
  }
  build.complaints.throw_if_any();
  count_heads(build);
  build.complaints.throw_if_any();
  measure(build);
  build.complaints.throw_if_any();
  if (weight(build, "w_o") != nullptr) {
    const Index width = p.heads.value_or(1) * p.d_v;
    p.to_output = projection(build, "o", "O = C·W_o", {"C", "", p.n_queries, width});
  } else if (weight(build, "b_o") != nullptr) {
    build.complaints.add({.id = "missing-key",
                          .what = "b_o is given, but w_o is not",
                          .places = {{.pointer = pointer_of("b_o")}},
                          .fix = "Add w_o, or leave out b_o."});
  }
  build.complaints.throw_if_any();
}

}  // namespace attn
