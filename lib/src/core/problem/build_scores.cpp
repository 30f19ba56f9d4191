// What acts on scores: scale, softcap, bias and masks; queries that see no key.
#include <algorithm>
#include <cmath>
#include <limits>

#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/setting_names.hpp"
#include "core/masks/mask.hpp"
#include "core/problem/build.hpp"
#include "core/tensor/dtype.hpp"

namespace attn {
namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

/// Which of `n` rows are zero in every head, per batch entry; `rows`, if known, are those from
/// `first` on.
std::vector<std::vector<bool>> zero_rows(const ProblemFacts& p, const Tensor* rows, Index first,
                                         Index n) {
  std::vector<std::vector<bool>> found;
  for (Index b = 0; b < p.batch.value_or(1); ++b) {
    std::vector<bool> zero(static_cast<std::size_t>(n));
    for (Index r = 0; rows != nullptr && r < rows->rows(); ++r) {
      bool all = true;
      for (Index h = 0; h < rows->heads(); ++h) {
        const auto row = rows->row(b, h, r);
        all = all && std::all_of(row.begin(), row.end(), [](double x) { return x == 0.0; });
      }
      zero[static_cast<std::size_t>(first + r)] = all;
    }
    found.push_back(std::move(zero));
  }
  return found;
}

/// The labels of keys that masks can name: all but those added at the end.
TokenLists maskable_keys(const ProblemFacts& p) {
  TokenLists lists = p.key_tokens;
  for (auto& list : lists) list.resize(list.size() - static_cast<std::size_t>(p.n_extra));
  return lists;
}

bool row_is_empty(const ProblemFacts& p, Index b, Index h, Index i) {
  for (Index j = 0; j < p.n_keys; ++j) {
    const Cell cell{b, h, i, j};
    const bool hidden = p.visibility && p.visibility->allowed.at(cell) == 0.0;
    if (!hidden && !(p.bias && p.bias->at(cell) == kMinusInfinity)) return false;
  }
  return true;
}

Diagnostic empty_row_error(const ProblemFacts& p, const EmptyQuery& first, Index last) {
  return {.id = "empty-row",
          .what = empty_queries_text(p, first, last) + ", and empty_row is \"error\"",
          .places = {{.pointer = "/empty_row"}},
          .rule = "Softmax needs at least one visible key in each row.",
          .fix = std::string("Let the masks leave a key for ") +
                 (first.query == last ? "this query" : "these queries") +
                 ", or set \"empty_row\" to \"zero\".",
          .changes = {{"empty_row", "zero"}}};
}

/// Finds every query with no visible key. `attend` adds a note on their weights.
void find_empty_rows(Build& build) {
  ProblemFacts& p = build.problem;
  if (!p.visibility && !p.bias) return;
  for (Index b = 0; b < p.batch.value_or(1); ++b) {
    for (Index i = 0; i < p.n_queries; ++i) {
      EmptyQuery empty{b, i, {}};
      for (Index h = 0; h < p.heads.value_or(1); ++h) {
        if (row_is_empty(p, b, h, i)) empty.heads.push_back(h);
      }
      if (empty.heads.empty()) continue;
      p.empty_queries.push_back(std::move(empty));
    }
  }
}

/// Complains about empty rows if the problem calls them an error; runs of them share a line.
void refuse_empty_rows(Build& build) {
  const ProblemFacts& p = build.problem;
  if (p.empty_row != EmptyRow::Error) return;
  const auto& all = p.empty_queries;
  for (std::size_t i = 0; i < all.size();) {
    std::size_t end = i + 1;
    while (end < all.size() && follows(all[end - 1], all[end])) ++end;
    build.complaints.add(empty_row_error(p, all[i], all[end - 1].query));
    i = end;
  }
}

/// `allowed` may hold only 0 and 1.
void check_flags(Build& build, const Array& allowed) {
  const auto odd = std::find_if_not(allowed.data.begin(), allowed.data.end(),
                                    [](double x) { return x == 0.0 || x == 1.0; });
  if (odd == allowed.data.end()) return;
  const auto index = static_cast<std::size_t>(odd - allowed.data.begin());
  build.complaints.add_independent(
      {.id = "out-of-range",
       .what = filled("allowed may hold only 0 and 1, but it has {}", format_exact(*odd)),
       .places = {{.pointer = "/allowed" + cell_pointer(allowed, index)}},
       .fix = *odd < 0 ? kAddedMask
                       : "Write 1 or true where a query may attend, 0 or false where not."});
}

/// Where the queries are among the keys matters only to positions and to some masks, and only if
/// it is not where they are anyway.
void note_idle_align(Build& build) {
  const ProblemDraft& d = build.draft;
  const PositionKind kind = d.positions.kind;
  const bool matters = is_rotary(kind) || is_bias(kind) ||
                       std::any_of(d.masks.begin(), d.masks.end(), depends_on_position);
  const auto& offsets = build.problem.query_offsets;
  const bool moved = std::any_of(offsets.begin(), offsets.end(),
                                 [&](Index offset) { return offset != build.problem.n_past; });
  if (d.align == Align::Start || (matters && moved)) return;
  build.problem.notes.push_back(filled("align {} has no effect: {}", word_of(d.align),
                                       matters ? "align start puts the queries at the same keys"
                                               : "no mask depends on positions, and there is no "
                                                 "rope, alibi or t5"));
}

}  // namespace

bool follows(const EmptyQuery& before, const EmptyQuery& after) {
  return after.batch == before.batch && after.heads == before.heads &&
         after.query == before.query + 1;
}

std::string empty_queries_text(const ProblemFacts& p, const EmptyQuery& first, Index last) {
  const bool one = first.query == last;
  const auto& tokens = MaskSite::of_entry(p.query_tokens, first.batch);
  const auto named = [&](Index query) {
    return std::to_string(query) + " \"" + tokens[static_cast<std::size_t>(query)] + "\"";
  };
  std::string text = (one ? "query " : "queries ") + named(first.query);
  if (!one) text += " to " + named(last);
  if (p.batch) text += " of batch entry " + std::to_string(first.batch);
  text += one ? " sees no key" : " see no key";
  if (static_cast<Index>(first.heads.size()) == p.heads.value_or(1)) return text;
  for (std::size_t i = 0; i < first.heads.size(); ++i) {
    text += (i == 0 ? " in head " : ", ") + std::to_string(first.heads[i]);
  }
  return text;
}

void check_settings(Build& build) {
  const ProblemDraft& d = build.draft;
  const auto refuse = [&](bool wrong, std::string what, const char* pointer, std::string fix,
                          std::string rule = "") {
    if (!wrong) return;
    build.complaints.add_independent({.id = "out-of-range",
                                      .what = std::move(what),
                                      .places = {{.pointer = pointer}},
                                      .rule = std::move(rule),
                                      .fix = std::move(fix)});
  };
  const double scale = d.scale.number, cap = d.softcap.value_or(1.0);
  const double fill = d.fill.value_or(kMinusInfinity);
  refuse(!(cap > 0.0 && std::isfinite(cap)), "softcap should be a number above 0", "/softcap",
         "Write \"softcap\": 30, or leave it out.",
         "Scores x become c·tanh(x / c), which stays between -c and c.");
  refuse(d.scale.kind == ScaleRule::Kind::Number && !std::isfinite(scale),
         "scale should be a finite number", "/scale",
         "Write \"1/sqrt(d_k)\", \"none\" or a number such as 0.5.");
  refuse(std::isnan(fill) || (std::isinf(fill) && fill > 0),
         "the fill of masking is neither a number nor -Infinity", "/masking/fill",
         "Write \"-Infinity\" or a number such as -1e9.");
  const bool scores = acts_before_softmax(d.masking);
  refuse(d.mask_before_scale && d.softcap,
         "before_scale masks the raw scores, but a softcap needs scaled ones", "/softcap",
         "Leave out softcap, or before_scale.");
  refuse(d.mask_before_scale && !scores,
         "before_scale masks scores, but this mode changes weights after softmax", "/masking/mode",
         "Choose the mode \"replace\" or \"add\", or leave out before_scale.");
  refuse(d.mask_before_scale && d.scale.kind == ScaleRule::Kind::Number && scale <= 0.0,
         "before_scale needs a scale above 0: any other would show what is hidden", "/scale",
         "Write \"1/sqrt(d_k)\", or leave out before_scale.");
  check_normalizing(build);
  if (d.allowed) check_flags(build, *d.allowed);
}

void build_scores(Build& build, const Tensor* queries, const Tensor* keys) {
  const ProblemDraft& d = build.draft;
  ProblemFacts& p = build.problem;
  if (d.bias) {
    check_finite(build, *d.bias, "/bias", true);
    p.bias = broadcast(build, *d.bias, "bias", kMinusInfinity);
    if (p.bias)  // −1e9 is −∞ in float16 and hides
      p.bias = rounded(*std::move(p.bias), p.dtype).spread(p.batch, p.heads);
  }
  std::optional<Tensor> allowed;
  if (d.allowed) allowed = broadcast(build, *d.allowed, "allowed", 0.0);
  const double passing = allowed ? array_bytes(allowed->shape().sizes()) : 0.0;
  const MaskSite site{.batch = p.batch,
                      .heads = p.heads,
                      .n_queries = p.n_queries,
                      .n_keys = p.n_keys - p.n_extra,
                      .n_extra = p.n_extra,
                      .query_tokens = p.query_tokens,
                      .key_tokens = maskable_keys(p),
                      .offsets = p.query_offsets,
                      .zero_queries = zero_rows(p, queries, 0, p.n_queries),
                      .zero_keys = zero_rows(p, keys, p.n_past, p.n_keys),
                      .matrix = d.says_hidden ? "hidden" : "allowed"};
  const char* pointer = !d.masks.empty() ? "/mask" : d.allowed ? "/allowed" : "/key_lengths";
  auto visibility = resolve_masks(
      d.masks, allowed, d.key_lengths, site, [&](double bytes) { take(build, bytes, pointer); },
      p.idle_masks, build.complaints);
  p.kept_queries = resolve_query_masks(d.masks, site, p.idle_masks, build.complaints);
  build.complaints.throw_if_any();
  p.bytes -= passing;
  if (visibility) p.visibility = std::make_shared<const Visibility>(*std::move(visibility));
  note_idle_align(build);
  for (const MaskSpec& spec : d.masks) p.mask_texts.push_back(spec.text);
  find_empty_rows(build);
  refuse_empty_rows(build);
  build.complaints.throw_if_any();
}

}  // namespace attn
