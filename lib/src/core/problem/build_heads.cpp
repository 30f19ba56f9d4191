// How many heads there are and how wide each is.
#include <algorithm>

#include "attn/phrases.hpp"
#include "core/problem/build.hpp"
#include "core/problem/product_error.hpp"

namespace attn {
namespace {

/// One of Q, K, V before it is cut into heads: the matrix itself, or the weights that make it.
struct Side {
  std::string name, pointer;     // "w_q", "/weights/w_q"
  Index rows = 0, cols = 0;      // of Q, K or V
  std::optional<Index> brought;  // heads that it already has: weights of rank 3, q of rank 4
  bool cut = false;              // already cut into these heads
};

struct Sides {
  Side q, k, v;
};

/// How many query heads and how many key/value heads there are.
struct Counts {
  Index heads = 1, kv_heads = 1;
};

/// What Q, K or V is made from.
struct Source {
  std::string name, pointer;  // "X", "/embeddings"
  const std::optional<Tensor>& rows;
};

Side side(const Build& build, const std::string& letter, const std::optional<Tensor>& given,
          const std::optional<Projection>& projected, const Source& source) {
  if (given) {
    const auto heads = given->shape().heads;
    return {letter, "/" + letter, given->rows(), given->cols(), heads, heads.has_value()};
  }
  if (!projected)
    return {source.name, source.pointer, source.rows->rows(), source.rows->cols(), {}, false};
  const std::string name = "w_" + letter;
  const Array* w = weight(build, name);
  return {name, weight_pointer(build, name), source.rows->rows(), projected->w.cols(),
          w->rank() == 3 ? std::optional<Index>(w->shape[0]) : std::nullopt};
}

Sides sides_of(const Build& build) {
  const ProblemFacts& p = build.problem;
  const Source x{"X", "/embeddings", p.x}, memory{"memory", "/memory/embeddings", p.memory},
      values{"memory.values", "/memory/values", p.memory_values};
  const Source& keys = p.memory ? memory : x;
  return {side(build, "q", p.q, p.to_q, x), side(build, "k", p.k, p.to_k, keys),
          side(build, "v", p.v, p.to_v, p.memory_values ? values : keys)};
}

/// The width of each of `n` heads; nothing if they cannot all have the same.
std::optional<Index> width(const Side& s, Index n) {
  if (s.brought && *s.brought != n) return std::nullopt;
  if (s.cut) return s.cols;
  return s.cols % n == 0 ? std::optional<Index>(s.cols / n) : std::nullopt;
}

/// Whether everything could be computed with these numbers of heads.
bool fits(const Build& build, const Sides& s, const Counts& n) {
  const auto d_q = width(s.q, n.heads), d_k = width(s.k, n.kv_heads), d_v = width(s.v, n.kv_heads);
  if (n.heads % n.kv_heads != 0 || !d_q || !d_k || !d_v || *d_q != *d_k) return false;
  const Array* w_o = weight(build, "w_o");
  if (w_o == nullptr || w_o->rank() < 2) return true;
  return (w_o->rank() == 3 ? w_o->shape[0] * w_o->shape[1] : w_o->shape[0]) == n.heads * *d_v;
}

/// "heads to 1 or 2, or kv_heads to 4": the numbers for either setting with which everything fits,
/// the other left as it is; empty if there are none.
std::string fitting(const Build& build, const Sides& s, const Counts& now) {
  std::vector<std::string> heads, kv_heads, settings;
  const Index most = std::max({s.q.cols, s.k.cols, s.q.brought.value_or(1)});
  for (Index n = 1; n <= most; ++n) {
    const Index kv = build.draft.kv_heads ? now.kv_heads : s.k.brought.value_or(n);
    if (fits(build, s, {n, kv})) heads.push_back(std::to_string(n));
    if (now.heads > 1 && fits(build, s, {now.heads, n})) kv_heads.push_back(std::to_string(n));
  }
  if (!heads.empty()) settings.push_back("heads to " + either(heads));
  if (!kv_heads.empty()) settings.push_back("kv_heads to " + either(kv_heads));
  return separated(settings, ", or ");
}

/// "Set heads to 1 or 2."; the sizes to give where no number of heads would do.
std::string repair(const Build& build, const Sides& s, const Counts& now) {
  const std::string settings = fitting(build, s, now);
  if (!settings.empty()) return "Set " + settings + ".";
  return filled(build.draft.kv_heads
                    ? "Give {} heads × d_k columns, {} kv_heads × d_k and {} kv_heads × d_v."
                    : "Give {} and {} the same number of columns, a multiple of heads, and {} a "
                      "multiple of heads too.",
                s.q.name, s.k.name, s.v.name);
}

/// The settings that say how many heads there are, as far as they are given, then `more`.
std::vector<Place> places(const Build& build, std::vector<Place> more) {
  std::vector<Place> all;
  if (build.draft.heads) all.push_back({.pointer = "/heads"});
  if (build.draft.kv_heads) all.push_back({.pointer = "/kv_heads"});
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

constexpr const char* kSwapAxes =
    "The axes of q, k and v are batch × head × token × column. If yours are batch × token × head × "
    "column, swap two: q.transpose(0, 2, 1, 3).";

/// The value of `setting`, or else the heads that the side already has; they must agree.
std::optional<Index> settled(Build& build, const std::string& setting,
                             const std::optional<Index>& said, const Side& s) {
  if (said && s.brought && *said != *s.brought) {
    build.complaints.add({.id = "head-count",
                          .what = filled("{} is {}, but {} is given for {}", setting, *said, s.name,
                                         counted(*s.brought, "head")),
                          .places = {{.pointer = "/" + setting}, {.pointer = s.pointer}},
                          .fix = s.cut && s.rows == *said ? kSwapAxes
                                                          : filled("Leave out {}, or set it to {}.",
                                                                   setting, *s.brought)});
  }
  return said ? said : s.brought;
}

/// Values given per head must have as many heads as the keys have.
void check_values(Build& build, const Sides& s, Index kv_heads) {
  if (!s.v.brought || *s.v.brought == kv_heads) return;
  build.complaints.add(
      {.id = "head-count",
       .what = filled("{} is given for {}, but {}", s.v.name, counted(*s.v.brought, "head"),
                      there_are(kv_heads, "key/value head")),
       .places = {{.pointer = s.v.pointer}, {.pointer = s.k.pointer}},
       .rule = "Keys and values have the same heads.",
       .fix = filled("Give {} for {}.", s.v.name, counted(kv_heads, "head"))});
}

constexpr const char* kMultiple = "Each key/value head serves the same number of query heads.";

/// The error for settings whose numbers of heads do not go together.
Diagnostic said_mismatch(const Build& build, const Sides& s, const Counts& n) {
  return {.id = "head-count",
          .what = filled("heads is {} and kv_heads is {}: {} is not a multiple of {}", n.heads,
                         n.kv_heads, n.heads, n.kv_heads),
          .places = places(build, {}),
          .rule = kMultiple,
          .fix = repair(build, s, n)};
}

/// The same where q and k bring these numbers; their axes may be in another order.
Diagnostic brought_mismatch(const Sides& s, const Counts& n) {
  const bool swapped = s.q.cut && s.k.cut && s.q.rows == s.k.rows;  // T_q and T_k may differ
  const std::string heads = counted(n.heads, "head"), kv_heads = counted(n.kv_heads, "head");
  return {.id = "head-count",
          .what = filled("{} is given for {} and {} for {}: {} is not a multiple of {}", s.q.name,
                         heads, s.k.name, n.kv_heads, n.heads, n.kv_heads),
          .places = {{.pointer = s.q.pointer}, {.pointer = s.k.pointer}},
          .rule = kMultiple,
          .fix = swapped ? kSwapAxes : filled("Give {} for a multiple of {}.", s.q.name, kv_heads)};
}

Counts count_heads(Build& build, const Sides& s) {
  ProblemFacts& p = build.problem;
  p.heads = settled(build, "heads", build.draft.heads, s.q);
  const std::optional<Index> kv = settled(build, "kv_heads", build.draft.kv_heads, s.k);
  check_values(build, s, p.heads ? kv.value_or(*p.heads) : 1);
  if (!p.heads && kv) {
    build.complaints.add({.id = "head-count",
                          .what = build.draft.kv_heads
                                      ? "kv_heads is given, but heads is not"
                                      : filled("{} is given for {}, but {} and heads do not say "
                                               "how many heads there are",
                                               s.k.name, counted(*kv, "head"), s.q.name),
                          .places = {{.pointer = build.draft.kv_heads ? "/kv_heads" : s.k.pointer}},
                          .fix = filled("Give heads too, a multiple of {}.", *kv),
                          .changes = {{"heads", ""}}});
  }
  build.complaints.throw_if_any();
  p.kv_heads = kv.value_or(p.heads.value_or(1));
  const Counts n{p.heads.value_or(1), p.kv_heads};
  if (n.heads % n.kv_heads == 0) return n;
  build.complaints.add(build.draft.heads ? said_mismatch(build, s, n) : brought_mismatch(s, n));
  build.complaints.throw_if_any();
  return n;
}

/// The width of one of `n` heads; complains if the columns cannot be cut.
Index head_width(Build& build, const Sides& s, const Side& own, Index n, const Counts& now) {
  if (const auto d = width(own, n)) return *d;
  if (build.complaints.any()) return own.cols;  // q, k and v would all say the same
  const bool kv = build.draft.kv_heads && &own != &s.q;
  build.complaints.add(
      {.id = "heads-divide",
       .what = filled("{} has {}, which cannot be cut into {} of the same width", own.name,
                      counted(own.cols, "column"), counted(n, kv ? "kv head" : "head")),
       .places = places(build, {{.pointer = own.pointer}}),
       .rule = "Every head gets the same number of columns: columns = heads × d.",
       .fix = repair(build, s, now)});
  return own.cols;
}

/// "w_q gives 4/2 = 2 columns per query head", "w_q has 2 columns" if there is one head.
std::string width_text(const Side& s, Index n, Index d, const char* per) {
  if (n == 1 || s.cut) return s.name + " has " + counted(d, "column") + (s.cut ? per : "");
  return filled("{} gives {}/{} = {}{}", s.name, s.cols, n, counted(d, "column"), per);
}

Diagnostic width_mismatch(const Build& build, const Sides& s, const Counts& n, Index d_q,
                          Index d_k) {
  const bool grouped = n.heads != n.kv_heads;
  const std::string q_columns = counted(s.q.cols, "column"),
                    k_columns = counted(s.k.cols, "column");
  const std::string settings = fitting(build, s, n);
  const std::string sizes =
      grouped ? filled("{} {}: kv_heads × d_k.", s.k.name, counted(n.kv_heads * d_q, "column"))
              : filled("{} and {} the same number of columns.", s.q.name, s.k.name);
  return {
      .id = "shape-mismatch",
      .what = filled("step S = Q·Kᵀ cannot be computed: {}, {}",
                     width_text(s.q, n.heads, d_q, grouped ? " per query head" : " per head"),
                     width_text(s.k, n.kv_heads, d_k, grouped ? " per kv head" : " per head")),
      .places = places(build, {{.pointer = s.q.pointer, .remark = s.q.name + " has " + q_columns},
                               {.pointer = s.k.pointer, .remark = s.k.name + " has " + k_columns}}),
      .sketch = n.heads == 1 && n.kv_heads == 1
                    ? product_sketch({"Q", "", s.q.rows, d_q, "d_k"}, {"Kᵀ", "", d_k, s.k.rows})
                    : "",
      .rule = "In a dot product both sides have the same length, d_k.",
      .fix = (settings.empty() ? "Give " : "Set " + settings + ", or give ") + sizes};
}

}  // namespace

void build_heads(Build& build) {
  ProblemFacts& p = build.problem;
  const Sides s = sides_of(build);
  const Counts n = count_heads(build, s);
  p.d_k = head_width(build, s, s.q, n.heads, n);
  const Index d_k = head_width(build, s, s.k, n.kv_heads, n);
  p.d_v = head_width(build, s, s.v, n.kv_heads, n);
  build.complaints.throw_if_any();
  if (p.d_k != d_k) build.complaints.add(width_mismatch(build, s, n, p.d_k, d_k));
  if (s.k.rows != s.v.rows) {
    const std::string keys = counted(s.k.rows, "key"), values = counted(s.v.rows, "value");
    build.complaints.add({.id = "shape-mismatch",
                          .what = filled("{}, but {}", there_are(s.k.rows, "key"), values),
                          .places = {{.pointer = s.v.pointer, .remark = values},
                                     {.pointer = s.k.pointer, .remark = keys}},
                          .rule = kOneValueEach,
                          .fix = "Give k and v the same number of rows."});
  }
  build.complaints.throw_if_any();
}

}  // namespace attn
