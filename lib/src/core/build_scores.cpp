#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "attn/settings.hpp"
#include "core/build.hpp"
#include "core/mask.hpp"
#include "core/parameters.hpp"

namespace attn {
namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

/// `array` broadcast to batch × heads × T_q × T_k, aligned at the right (NumPy's rule). Without a
/// head axis a rank-3 array is batch × T_q × T_k.
std::optional<Tensor> broadcast(Build& build, const Array& array, const std::string& name) {
  const Problem& p = build.problem;
  const Shape target{p.batch, p.heads, p.n_queries, p.n_keys};
  const std::array<Index, 4> wanted{p.batch.value_or(1), p.heads.value_or(1), p.n_queries,
                                    p.n_keys};
  std::array<Index, 4> sizes{1, 1, 1, 1};
  bool fits = array.rank() <= 4;
  for (std::size_t i = 0; fits && i < array.rank(); ++i) {
    std::size_t axis = 4 - array.rank() + i;
    if (!p.heads && array.rank() == 3 && i == 0) axis = 0;
    sizes[axis] = array.shape[i];
    fits = sizes[axis] == 1 || sizes[axis] == wanted[axis];
  }
  if (!fits) {
    build.complaints.add({.id = "shape-mismatch",
                          .what = name + " is " + shape_text(array.shape) +
                                  ", which does not fit the scores, " + shape_text(target.sizes()),
                          .places = {{.pointer = "/" + name}},
                          .rule = "Sizes are compared from the right; each must be equal, or 1.",
                          .fix = "Give " + name + " " + std::to_string(p.n_queries) + " rows of " +
                                 std::to_string(p.n_keys) + " numbers (query × key).",
                          .help = "attn help shapes"});
    return std::nullopt;
  }
  Tensor result(target);
  std::size_t at = 0;
  const auto one = [&](std::size_t axis, Index i) { return sizes[axis] == 1 ? 0 : i; };
  for (Index b = 0; b < result.batch(); ++b) {
    for (Index h = 0; h < result.heads(); ++h) {
      for (Index i = 0; i < result.rows(); ++i) {
        const Index row = ((one(0, b) * sizes[1] + one(1, h)) * sizes[2] + one(2, i)) * sizes[3];
        for (Index j = 0; j < result.cols(); ++j, ++at) {
          result.data()[at] = array.data[static_cast<std::size_t>(row + one(3, j))];
        }
      }
    }
  }
  return result;
}

void check_key_lengths(Build& build) {
  const auto& lengths = build.draft.key_lengths;
  const Problem& p = build.problem;
  if (lengths.empty()) {
    if (build.draft.align != Align::KeyLengths) return;
    build.complaints.add({.id = "missing-key",
                          .what = "align is \"key-lengths\", but key_lengths is not given",
                          .places = {{.pointer = "/align"}},
                          .fix = "Add \"key_lengths\": one number per batch entry."});
    return;
  }
  if (static_cast<Index>(lengths.size()) != p.batch.value_or(1)) {
    build.complaints.add({.id = "key-lengths",
                          .what = "key_lengths has " + std::to_string(lengths.size()) +
                                  " numbers, but there are " + std::to_string(p.batch.value_or(1)) +
                                  " batch entries",
                          .places = {{.pointer = "/key_lengths"}},
                          .fix = "Give one length per batch entry."});
  }
  for (std::size_t b = 0; b < lengths.size(); ++b) {
    if (lengths[b] >= 0 && lengths[b] <= p.n_keys) continue;
    build.complaints.add({.id = "key-lengths",
                          .what = "key_lengths says " + std::to_string(lengths[b]) +
                                  " keys, but there are " + std::to_string(p.n_keys),
                          .places = {{.pointer = "/key_lengths/" + std::to_string(b)}},
                          .fix = "Give a length from 0 to " + std::to_string(p.n_keys) + "."});
  }
}

/// p_i = i + offset: one offset, or one per batch entry.
std::vector<Index> offsets(const Build& build) {
  const Problem& p = build.problem;
  if (build.draft.align == Align::Start) return {p.n_past};
  if (build.draft.align == Align::End) return {p.n_keys - p.n_queries};
  std::vector<Index> each;
  for (const Index length : build.draft.key_lengths) each.push_back(length - p.n_queries);
  return each;
}

/// Keys whose input row (X or the memory) is all zero, per batch entry; the past has no input.
std::vector<std::vector<bool>> keys_without_input(const Problem& p) {
  std::vector<std::vector<bool>> found;
  for (Index b = 0; b < p.batch.value_or(1); ++b) {
    std::vector<bool> zero(static_cast<std::size_t>(p.n_keys));
    if (p.x) {
      const Tensor& source = p.memory ? *p.memory : *p.x;
      for (Index r = 0; r < source.rows(); ++r) {
        zero[static_cast<std::size_t>(p.n_past + r)] = source.slice(b, 0).row(r).isZero(0.0);
      }
    }
    found.push_back(std::move(zero));
  }
  return found;
}

bool row_is_empty(const Problem& p, Index b, Index h, Index i) {
  for (Index j = 0; j < p.n_keys; ++j) {
    const Cell cell{b, h, i, j};
    const bool hidden = p.visibility && p.visibility->allowed.at(cell) == 0.0;
    if (!hidden && !(p.bias && p.bias->at(cell) == kMinusInfinity)) return false;
  }
  return true;
}

Diagnostic empty_row_error(const Problem& p, const EmptyQuery& empty) {
  return {.id = "empty-row",
          .what = empty_query_text(p, empty) + ", and empty_row is \"error\"",
          .places = {{.pointer = "/empty_row"}},
          .rule = "A row of softmax needs at least one key that is visible.",
          .fix = "Let the masks leave a key to this query, or choose --empty-row zero.",
          .help = "attn help masks"};
}

/// Finds every query with no visible key. `attend` notes what became of them, unless the problem
/// wants an error.
void find_empty_rows(Build& build) {
  Problem& p = build.problem;
  if (!p.visibility && !p.bias) return;
  for (Index b = 0; b < p.batch.value_or(1); ++b) {
    for (Index i = 0; i < p.n_queries; ++i) {
      EmptyQuery empty{b, i, {}};
      for (Index h = 0; h < p.heads.value_or(1); ++h) {
        if (row_is_empty(p, b, h, i)) empty.heads.push_back(h);
      }
      if (empty.heads.empty()) continue;
      if (p.empty_row == EmptyRow::Error) build.complaints.add(empty_row_error(p, empty));
      p.empty_queries.push_back(std::move(empty));
    }
  }
}

void build_scale(Build& build) {
  Problem& p = build.problem;
  const ScaleRule& rule = build.draft.scale;
  p.scale_is_default = rule.kind == ScaleRule::Kind::InverseSqrtDk;
  if (p.scale_is_default) p.scale = 1.0 / std::sqrt(static_cast<double>(p.d_k));
  if (rule.kind == ScaleRule::Kind::Number) p.scale = rule.number;
  p.softcap = build.draft.softcap;
  if (p.softcap && !(*p.softcap > 0.0 && std::isfinite(*p.softcap))) {
    build.complaints.add({.id = "out-of-range",
                          .what = "softcap should be a number above 0",
                          .places = {{.pointer = "/softcap"}},
                          .rule = "Scores x become c·tanh(x / c), which stays between -c and c.",
                          .fix = "Write \"softcap\": 30, or leave it out."});
  }
  if (p.scale && !std::isfinite(*p.scale)) {
    build.complaints.add({.id = "out-of-range",
                          .what = "scale should be a finite number",
                          .places = {{.pointer = "/scale"}},
                          .fix = "Write \"1/sqrt(d_k)\", \"none\" or a number such as 0.5."});
  }
}

}  // namespace

std::string empty_query_text(const Problem& p, const EmptyQuery& empty) {
  const auto& tokens = MaskSite::of_entry(p.query_tokens, empty.batch);
  std::string text = "query " + std::to_string(empty.query) + " \"" +
                     tokens[static_cast<std::size_t>(empty.query)] + "\"";
  if (p.batch) text += " of batch entry " + std::to_string(empty.batch);
  text += " sees no key";
  if (static_cast<Index>(empty.heads.size()) == p.heads.value_or(1)) return text;
  for (std::size_t i = 0; i < empty.heads.size(); ++i) {
    text += (i == 0 ? " in head " : ", ") + std::to_string(empty.heads[i]);
  }
  return text;
}

void build_scores(Build& build) {
  const ProblemDraft& d = build.draft;
  Problem& p = build.problem;
  build_scale(build);
  p.align = d.align;
  p.masking = d.masking;
  p.fill = d.fill.value_or(kMinusInfinity);
  p.empty_row = d.empty_row;
  check_key_lengths(build);
  if (d.bias) {
    check_finite(build, *d.bias, "/bias", true);
    p.bias = broadcast(build, *d.bias, "bias");
  }
  std::optional<Tensor> allowed;
  if (d.allowed) {
    const auto& cells = d.allowed->data;
    const bool binary =
        std::all_of(cells.begin(), cells.end(), [](double x) { return x == 0.0 || x == 1.0; });
    if (!binary) {
      build.complaints.add(
          {.id = "out-of-range",
           .what = "allowed holds something else than 0 and 1",
           .places = {{.pointer = "/allowed"}},
           .fix = "Write 1 or true where a query may attend, 0 or false where not."});
    }
    allowed = broadcast(build, *d.allowed, "allowed");
  }
  if (std::isnan(p.fill)) {
    build.complaints.add({.id = "out-of-range",
                          .what = "the fill of masking is not a number",
                          .places = {{.pointer = "/masking/fill"}},
                          .fix = "Write \"-Infinity\" or a number such as -1e9."});
  }
  build.complaints.throw_if_any();

  const MaskSite site{p.batch,        p.heads,      p.n_queries,    p.n_keys,
                      p.query_tokens, p.key_tokens, offsets(build), keys_without_input(p)};
  p.visibility = resolve_masks(d.masks, allowed, d.key_lengths, site, build.complaints);
  p.kept_queries = resolve_query_masks(d.masks, site, build.complaints);
  build.complaints.throw_if_any();
  for (const MaskSpec& spec : d.masks) p.mask_texts.push_back(spec.text);
  find_empty_rows(build);
  build.complaints.throw_if_any();
}

}  // namespace attn
