// What the lessons on ways to hide a word need: one query alone, and what layers pass on.
#include <algorithm>
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

/// Whether hidden keys have no weight and each row with a visible key adds up to 1.
LessonValue rows_are_whole(Scene&, const Arguments& a) {
  const Trace& trace = *trace_of(a[0]);
  const Step& weights = weights_step(trace);
  const HiddenCells hidden(trace, trace.attention());
  bool whole = true;
  for_each_slice(weights.value, [&](Index batch, Index head) {
    for (Index i = 0; i < weights.value.rows(); ++i) {
      const auto row = weights.value.row(batch, head, i);
      if (is_padded_row(trace, weights, {batch, head, i, 0})) continue;
      bool empty = true;
      for (Index j = 0; j < std::ssize(row); ++j) {
        if (!hidden({batch, head, i, j}))
          empty = false;
        else
          whole = whole && row[static_cast<std::size_t>(j)] == 0.0;
      }
      whole = whole && (empty || is_close(total(row), 1.0));
    }
  });
  return number_value(whole);
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

constexpr LessonFunction kOfHiding[] = {
    {"most_tempted", 1, 1, most_tempted},
    {"most_tempting_key", 0, 0, most_tempting_key},
    {"alone", 2, 2, alone},
    {"rows_are_whole", 1, 1, rows_are_whole},
    {"hidden_flags", 1, 1, hidden_flags},
    {"layers", 2, 3, layers},
};

}  // namespace

std::span<const LessonFunction> functions_of_hiding() { return kOfHiding; }

}  // namespace attn
