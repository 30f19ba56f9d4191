// The projections w_q … b_o against the inputs they multiply.
#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

#include "attn/phrases.hpp"
#include "core/problem/build.hpp"
#include "core/problem/product_error.hpp"

namespace attn {
namespace {

/// w of h × d_in × d as one matrix d_in × h·d: head i's columns are i·d … (i+1)·d − 1.
Tensor merged_per_head(Array& w) {
  const Index heads = w.shape[0], rows = w.shape[1], d = w.shape[2];
  Tensor merged(Shape{{}, {}, rows, heads * d});
  const Tensor each(Shape{{}, heads, rows, d}, std::move(w.data));
  for (Index h = 0; h < heads; ++h) {
    for (Index r = 0; r < rows; ++r) {
      const auto from = each.row(0, h, r);
      std::copy(from.begin(), from.end(), merged.row(0, 0, r).begin() + h * d);
    }
  }
  return merged;
}

/// w_q, w_k, w_v as d_in × h·d; w_o as h·d_v × d_out (rank 3: h × d_v × d_out, the same numbers).
/// Takes the numbers out of `w` and leaves its shape: weights are large.
Tensor merged(const std::string& name, Array& w) {
  if (w.rank() == 3 && name != "w_o") return merged_per_head(w);
  const Index rows = w.rank() == 3 ? w.shape[0] * w.shape[1] : w.shape[0];
  return {Shape{{}, {}, rows, w.shape.back()}, std::move(w.data)};
}

void complain_missing(Build& build, const std::vector<std::string>& names) {
  std::vector<std::string> letters, quoted;
  for (const std::string& name : names) {
    letters.push_back(name.substr(2));
    quoted.push_back("\"" + name + "\"");
  }
  build.complaints.add("missing-key", build.draft.weights.empty() ? "" : "/weights",
                       filled("weights has no {}, so {} cannot be computed from the embeddings",
                              either(names), together(letters)),
                       filled("Add {} to weights: d_model rows of numbers.", listed(quoted)));
}

void check_bias(Build& build, const std::string& id, Projection& projection) {
  const std::string name = "b_" + id;
  const Array* b = weight(build, name);
  if (b == nullptr) return;
  const Index columns = projection.w.cols();
  const std::string size = name + " has " + counted(std::ssize(b->data), "number");
  if (static_cast<Index>(b->data.size()) == columns) {
    projection.b = Tensor(Shape{{}, {}, 1, columns}, b->data);
    return;
  }
  const std::string wanted = "w_" + id + " has " + counted(columns, "column");
  const std::string width = id == "o" ? " (d_out)" : id == "v" ? " (h·d_v)" : " (h·d_k)";
  build.complaints.add(
      {.id = "shape-mismatch",
       .what = size + ", but " + wanted,
       .places = {{.pointer = weight_pointer(build, name)},
                  {.pointer = weight_pointer(build, "w_" + id), .remark = wanted + width}},
       .rule = "A bias is added to every row of the product: one number per column.",
       .fix = filled("Give {} {}.", name, counted(columns, "number"))});
}

/// The projection w_`id` with its bias, if there is one; `mismatches` says whether it fits `x`.
std::optional<Projection> projection(Build& build, const std::string& id, const std::string& step,
                                     const Factor& x, std::vector<Mismatch>& mismatches) {
  const std::string name = "w_" + id;
  const auto at = build.weights.arrays.find(name);
  if (at == build.weights.arrays.end()) return std::nullopt;
  Array* w = &at->second;
  if ((w->rank() != 2 && w->rank() != 3) || w->data.empty()) {
    build.complaints.add("rank", weight_pointer(build, name),
                         filled("{} should be {}, but it is {}", name,
                                id == "o" ? "h·d_v × d_out, or h × d_v × d_out per head"
                                          : "d_in × h·d, or h × d_in × d per head",
                                shape_text(w->shape)),
                         kCheckBrackets);
    return std::nullopt;
  }
  Projection result{merged(name, *w), std::nullopt};
  if (result.w.rows() != x.cols) {
    mismatches.push_back(
        {step, x, {name, weight_pointer(build, name), result.w.rows(), result.w.cols()}});
  }
  check_bias(build, id, result);
  return result;
}

void complain(Build& build, const std::vector<Mismatch>& mismatches) {
  for (Diagnostic& each : product_errors(mismatches)) build.complaints.add(std::move(each));
}

Factor factor(const std::string& name, const std::string& pointer, const Tensor& t) {
  return {name, pointer, t.rows(), t.cols(), "d_model"};
}

/// A bias is added to a product: without the matrix there is none.
void refuse_lone_bias(Build& build, const std::string& w, const std::string& b) {
  if (weight(build, b) == nullptr) return;
  build.complaints.add("missing-key", weight_pointer(build, b),
                       filled("{} is given, but {} is not", b, w),
                       filled("Add {}, or leave out {}.", w, b));
}

void project_inputs(Build& build) {
  ProblemFacts& p = build.problem;
  std::vector<std::string> missing;
  for (const char* name : {"w_q", "w_k", "w_v"}) {
    if (weight(build, name) == nullptr) missing.emplace_back(name);
  }
  if (missing == std::vector<std::string>{"w_q", "w_k"}) {
    p.notes.emplace_back("without w_q and w_k, queries and keys are the inputs themselves");
  } else if (!missing.empty()) {
    complain_missing(build, missing);
  }
  for (const auto& [w, b] : {std::pair{"w_q", "b_q"}, {"w_k", "b_k"}}) {
    if (weight(build, w) == nullptr && missing.size() == 2) refuse_lone_bias(build, w, b);
  }
  const Factor x = factor("X", "/embeddings", *p.x);
  const Factor source = p.memory ? factor("memory", "/memory/embeddings", *p.memory) : x;
  const Factor values =
      p.memory_values ? factor("memory.values", "/memory/values", *p.memory_values) : source;
  std::vector<Mismatch> mismatches;
  p.to_q = projection(build, "q", "Q = X·W_q", x, mismatches);
  p.to_k = projection(build, "k", "K = " + source.name + "·W_k", source, mismatches);
  p.to_v = projection(build, "v", "V = " + values.name + "·W_v", values, mismatches);
  complain(build, mismatches);
}

/// C: all heads side by side. Its width follows from that of the values.
Factor heads_side_by_side(const Build& build) {
  const ProblemFacts& p = build.problem;
  const Index heads = p.heads.value_or(1);
  const bool cut = p.v && p.v->shape().heads;
  const char* w_v = p.latent ? (weight(build, "w_uv") ? "w_uv" : "w_ukv") : "w_v";
  Factor c{"C", p.v ? "/v" : weight_pointer(build, w_v), p.n_queries, heads * p.d_v};
  c.width = heads > 1 ? "h·d_v" : "d_v";
  c.source = p.v ? "v" : w_v;
  c.source_cols = cut ? p.d_v : p.kv_heads * p.d_v;
  c.heads = heads;
  return c;
}

void refuse_projections(Build& build) {
  if (build.draft.latent)
    build.complaints.add("two-inputs", "/latent",
                         "latent makes keys and values from X, but Q, K and V are given directly",
                         "Leave it out, or give embeddings and weights.");
  for (const char* name : {"w_q", "w_k", "w_v", "b_q", "b_k", "b_v"}) {
    if (weight(build, name) == nullptr) continue;
    build.complaints.add(
        {.id = "two-inputs",
         .what = std::string(name) + " is given, but so are Q, K and V themselves",
         .places = {{.pointer = weight_pointer(build, name)}, {.pointer = "/q"}},
         .fix = "Keep either q, k, v, or embeddings and weights. (w_o and b_o may stay.)"});
  }
}

/// w_o given per head must match the heads, not only the total number of rows.
void check_output_heads(Build& build) {
  const ProblemFacts& p = build.problem;
  const Array* w = weight(build, "w_o");
  if (w == nullptr || w->rank() != 3) return;
  const Index heads = p.heads.value_or(1);
  if (w->shape[0] == heads && w->shape[1] == p.d_v) return;
  build.complaints.add(
      "head-count", weight_pointer(build, "w_o"),
      filled("w_o is given for {} of {}, but it should be for {} of d_v = {}",
             counted(w->shape[0], "head"), counted(w->shape[1], "row"), counted(heads, "head"),
             p.d_v),
      filled("Give w_o as {}×{}×d_out, or as one matrix of {} rows.", heads, p.d_v, heads * p.d_v));
}

/// Other libraries keep the number of heads outside their weights; one head is never assumed.
void refuse_unknown_heads(Build& build) {
  if (build.weights.library.empty() || build.draft.heads) return;
  constexpr Index kUsual = 64;  // columns of a head in nearly all published models
  const Array* w = weight(build, "w_q");
  const Index width = w != nullptr && w->rank() > 0 ? w->shape.back() : 0;
  const bool usual = width == 0 || width % kUsual == 0;
  const std::string heads = width == 0 ? "12" : std::to_string(usual ? width / kUsual : 1);
  build.complaints.add(
      {.id = "head-count",
       .what = filled("the weights have the layout of {}, which does not say how many heads there "
                      "are, and heads is not given",
                      build.weights.library),
       .places = {{.pointer = weight_pointer(build, weight(build, "w_q") ? "w_q" : "w_uq")}},
       .fix = usual ? filled("Add the model's number of heads, such as \"heads\": {}.", heads)
                    : filled("Add the number of heads, a divisor of {}: \"heads\": 1 if there is "
                             "one head.",
                             width),
       .changes = {{"heads", heads}}});
}

/// Some names and shapes of weights say how many heads there are.
void check_said_heads(Build& build) {
  const std::optional<Index> heads = heads_in_weights(build.draft.weights);
  if (!heads || build.draft.heads == heads) return;
  build.complaints.add(
      "head-count", "/heads",
      filled("the weights are of {}, but heads is {}", counted(*heads, "head"), *build.draft.heads),
      "Leave out heads.");
}

/// Whether something is multiplied: v_score alone only makes scores.
bool has_projections(const Build& build) {
  const auto projects = [](const auto& each) { return each.first != "v_score"; };
  return std::any_of(build.weights.arrays.begin(), build.weights.arrays.end(), projects) ||
         build.draft.weights.size() > 1;
}

}  // namespace

const Array* weight(const Build& build, const std::string& name) {
  const auto& arrays = build.weights.arrays;
  const auto at = arrays.find(name);
  return at == arrays.end() ? nullptr : &at->second;
}

std::string weight_pointer(const Build& build, const std::string& name) {
  const auto& pointers = build.weights.pointers;
  const auto at = pointers.find(name);
  return at == pointers.end() ? "/weights/" + name : at->second;
}

void build_projections(Build& build) {
  ProblemFacts& p = build.problem;
  const Index heads = build.draft.heads.value_or(1);
  build.weights = adopt_weights(build.draft.weights, {heads, build.draft.kv_heads.value_or(heads)},
                                build.complaints, build.draft.family, build.draft.fused);
  check_said_heads(build);
  split_gated_queries(build);
  for (const auto& [name, array] : build.draft.weights) {
    check_finite(build, array, "/weights/" + name);  // as given, so that the place is in the file
  }
  p.cross_weights = build.draft.cross_weights;
  p.notes.insert(p.notes.end(), build.weights.notes.begin(), build.weights.notes.end());
  build.complaints.throw_if_any();
  refuse_unknown_heads(build);
  if (p.q) {
    refuse_projections(build);
  } else if (is_latent(build.weights) || build.draft.latent) {
    build_latent(build);
  } else if (!has_projections(build)) {
    p.notes.emplace_back("without weights, Q, K and V are the inputs themselves");
  } else {
    project_inputs(build);
  }
  build.complaints.throw_if_any();
  if (!p.latent) build_heads(build);
  check_output_heads(build);
  build.complaints.throw_if_any();
  if (weight(build, "w_o") != nullptr) {
    std::vector<Mismatch> mismatches;
    p.to_output = projection(build, "o", "O = C·W_o", heads_side_by_side(build), mismatches);
    complain(build, mismatches);
  } else {
    refuse_lone_bias(build, "w_o", "b_o");
  }
  build.complaints.throw_if_any();
}

}  // namespace attn
