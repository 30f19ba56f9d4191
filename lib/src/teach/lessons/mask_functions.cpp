// What the lessons on masks need: padding, one query and its row, what layers pass on.
#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "attn/attend.hpp"
#include "core/tensor/slices.hpp"
#include "core/trace/hidden_cells.hpp"
#include "teach/lessons/lesson_settings.hpp"
#include "teach/lessons/scene.hpp"

namespace attn {
namespace {

constexpr double kNoticedShare = 1e-3;  // of a row: less would not show

double total(std::span<const double> row) { return std::accumulate(row.begin(), row.end(), 0.0); }

/// The query whose hidden keys would have the largest share; with two visible keys or more, if
/// there is such a query. −1 if no query that sees a key has hidden keys whose share would be
/// noticed.
LessonValue most_tempted(Scene&, const Arguments& a) {
  const SharedTrace& trace = trace_of(a[0]);
  const Tensor& after = weights_of(trace);
  const Tensor& before = first_weights(*trace, trace->attention())->value;
  double best = -1.0;
  std::pair<std::ptrdiff_t, double> most{0, 0.0};
  for (Index i = 0; i < after.rows(); ++i) {
    const auto row = after.row(0, 0, i);
    const auto seen = std::ssize(row) - std::count(row.begin(), row.end(), 0.0);
    const std::pair score{std::min<std::ptrdiff_t>(seen, 2),
                          total(before.row(0, 0, i)) - total(row)};
    if (seen == 0 || seen == std::ssize(row) || score.second < kNoticedShare || score <= most)
      continue;
    most = score;
    best = static_cast<double>(i);
  }
  return number_value(best);
}

/// Of the keys that are hidden from the row, the one with the largest score.
LessonValue most_tempting_key(Scene& scene, const Arguments&) {
  const Followed& row = scene.row();
  double largest = -std::numeric_limits<double>::infinity(), hidden = 0.0;
  for (std::size_t j = 0; j < row.keys.size(); ++j) {
    if (row.weights[j] != 0.0 || row.scores[j] <= largest) continue;
    largest = row.scores[j];
    hidden = static_cast<double>(j);
  }
  return number_value(hidden);
}

/// The weights of the row that is followed, as a problem of its own with these settings, if the
/// score of the most tempting key is larger by a number. No other row is computed.
LessonValue alone(Scene& scene, const Arguments& a) {
  const Followed& row = scene.row();
  const auto width = std::ssize(row.query), keys = std::ssize(row.keys);
  const double scale = scene.trace()->settings().scale.number;
  const double length =
      std::inner_product(row.query.begin(), row.query.end(), row.query.begin(), 0.0);
  const double further = one_number(a[1]) / (scale * length);
  const auto tempting = static_cast<std::size_t>(one_number(most_tempting_key(scene, {})));
  ProblemDraft draft;
  draft.q = Array{{1, width}, {row.query.begin(), row.query.end()}};
  draft.k = Array{{keys, width}, {}};
  draft.v = Array{{keys, 1}, std::vector<double>(row.keys.size(), 0.0)};
  draft.allowed = Array{{1, keys}, {}};
  draft.scale = {ScaleRule::Kind::Number, scale};
  for (std::size_t j = 0; j < row.keys.size(); ++j) {
    for (std::size_t c = 0; c < row.query.size(); ++c)
      draft.k->data.push_back(row.key_rows[j][c] + (j == tempting ? row.query[c] * further : 0.0));
    draft.allowed->data.push_back(row.weights[j] != 0.0 ? 1.0 : 0.0);
  }
  apply_settings(draft, text_of(a[0]));
  return weights_of(computed(draft));
}

/// 1 for each pair of query and key that is hidden in a computation.
LessonValue hidden_flags(Scene&, const Arguments& a) {
  const Trace& trace = *trace_of(a[0]);
  const HiddenCells hidden(trace, trace.attention());
  Tensor flags = weights_step(trace).value;
  for_each_slice(flags, [&](Index b, Index h) {
    for (Index i = 0; i < flags.rows(); ++i) {
      for (Index j = 0; j < flags.cols(); ++j)
        flags.at({b, h, i, j}) = hidden({b, h, i, j}) ? 1.0 : 0.0;
    }
  });
  return flags;
}

/// What a layer passes on if `word` is in place of token 1: what came in, plus what attention adds
/// to it (W_o fills four columns again from the two numbers of each value). `x`: what came in.
Tensor layer_output(Scene& scene, const std::string& word, const std::string& mask,
                    const Tensor* x) {
  ProblemDraft draft = scene.changed("plain mask=" + mask);
  draft.tokens.front().at(1) = word;
  draft.weights["w_o"] = Array{{2, 4}, {1, 0, 0, 1, 0, 1, 1, 0}};
  if (x != nullptr) {
    draft.embeddings = Array{{x->rows(), x->cols()}, x->data().copy()};
    draft.embedding_table.clear();
  }
  const SharedTrace trace = computed(draft);
  return combined(trace->value("output"), trace->value("x"), std::plus());
}

/// Layers with these masks, one on the other: layers("make", "columns:1", "none").
LessonValue layers(Scene& scene, const Arguments& a) {
  Tensor x = layer_output(scene, text_of(a[0]), text_of(a[1]), nullptr);
  return a.size() < 3 ? x : layer_output(scene, text_of(a[0]), text_of(a[2]), &x);
}

/// The tokens that the problem calls padding.
std::vector<double> padding_of(const SharedTrace& padded) {
  std::vector<double> found;
  for (Index j = 0; j < weights_of(padded).cols(); ++j) {
    if (padded->value("mask").at({0, 0, 0, j}) == 0.0) found.push_back(static_cast<double>(j));
  }
  return found;
}

/// The tokens that the problem calls padding; if those are none or all, the last one.
LessonValue padding_tokens(Scene& scene, const Arguments&) {
  const std::vector<double> found = padding_of(scene.computed_with("mask=padding"));
  const Index n = scene.trace()->settings().n_keys;
  if (found.empty() || std::ssize(found) == n) return number_value(n - 1);
  return list_value(found);
}

/// Whether rows of zeros are found as padding, whatever their tokens are; −1 for a problem without
/// a list of embeddings and tokens.
LessonValue finds_zero_rows(Scene& scene, const Arguments& a) {
  ProblemDraft draft = scene.changed("mask=padding");
  if (!draft.embeddings || draft.embeddings->shape.size() != 2 || draft.tokens.size() != 1)
    return number_value(-1.0);
  const Index d = draft.embeddings->shape[1];
  for (std::string& token : draft.tokens[0]) token = "word";
  const auto pads = numbers_of(a[0]).data();
  for (const double pad : pads)
    std::fill_n(draft.embeddings->data.begin() + static_cast<Index>(pad) * d, d, 0.0);
  const std::vector<double> hidden = padding_of(computed(draft));  // other rows may be 0 as well
  return number_value(std::includes(hidden.begin(), hidden.end(), pads.begin(), pads.end()) ? 1.0
                                                                                            : 0.0);
}

LessonValue row_lies_between(Scene& scene, const Arguments&) {
  return number_value(lies_between(scene.row()));
}

/// Whether `holds` is true of every query of every head.
LessonValue of_all_rows(const Trace& trace, const std::function<bool(const Followed&)>& holds) {
  const Shape shape = weights_step(trace).value.shape();
  bool all = true;
  for (Index i = 0; i < shape.count(); i += shape.cols) {
    const Cell cell = shape.cell_at(i);
    all = all && holds(followed(trace, {cell.batch, cell.head, cell.row, 0}));
  }
  return number_value(all);
}

LessonValue all_see(Scene& scene, const Arguments&) {
  return of_all_rows(*scene.trace(), [](const Followed& row) { return !row.visible.empty(); });
}
LessonValue all_lie_between(Scene& scene, const Arguments&) {
  return of_all_rows(*scene.trace(), lies_between);
}
LessonValue all_pass_through(Scene&, const Arguments& a) {
  return of_all_rows(*trace_of(a[0]), [](const Followed& row) {
    const std::span<const double> value = row.values[row.strongest()];
    return std::equal(value.begin(), value.end(), row.mixed.begin(), row.mixed.end());
  });
}

/// The same problem, in which each query sees only the key that it gives most to.
LessonValue one_key_each(Scene& scene, const Arguments&) {
  const Tensor& weights = weights_of(scene.trace());
  ProblemDraft draft = scene.changed("plain");
  draft.allowed = Array{{weights.rows(), weights.cols()}, {}};
  for (Index i = 0; i < weights.rows(); ++i) {
    const auto strongest = static_cast<Index>(scene.row(i).strongest());
    for (Index j = 0; j < weights.cols(); ++j)
      draft.allowed->data.push_back(j == strongest ? 1.0 : 0.0);
  }
  return computed(draft);
}

constexpr LessonFunction kOfMasks[] = {
    {"lies_between", 0, 0, row_lies_between},       {"all_see", 0, 0, all_see},
    {"all_lie_between", 0, 0, all_lie_between},     {"all_pass_through", 1, 1, all_pass_through},
    {"one_key_each", 0, 0, one_key_each},           {"padding_tokens", 0, 0, padding_tokens},
    {"finds_zero_rows", 1, 1, finds_zero_rows},     {"most_tempted", 1, 1, most_tempted},
    {"most_tempting_key", 0, 0, most_tempting_key}, {"alone", 2, 2, alone},
    {"hidden_flags", 1, 1, hidden_flags},           {"layers", 2, 3, layers},
};

}  // namespace

std::span<const LessonFunction> functions_of_masks() { return kOfMasks; }

}  // namespace attn
