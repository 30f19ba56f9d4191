// Answers that are right by another road: finite fills, tokens as columns, a scale applied earlier.
#include "teach/check/equivalent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/tensor/slices.hpp"
#include "core/trace/hidden_cells.hpp"

namespace attn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

const MistakeRow& row_of(std::string_view code) {
  const auto rows = mistake_rows();
  return **std::find_if(rows.begin(), rows.end(),
                        [&](const MistakeRow* row) { return row->words.code == code; });
}

Finding finding_of(std::string_view code, Index matched) {
  const Mistake& words = row_of(code).words;
  return {.code = words.code,
          .matched = matched,
          .of = matched,
          .message = words.explanation,
          .hint = words.hint,
          .see = words.see};
}

/// The scale on queries, or its root on queries and keys, at each step that may be shown scaled.
std::vector<Variation> scaled_earlier(const Wiring& w) {
  if (!w.made_by("scaled_scores", "scale")) return {};
  const double factor = w.settings().scale;
  std::vector<Variation> changes;
  for (const char* word : {"", "_heads", "_rotated"}) {
    const std::string q = std::string("q") + word, k = std::string("k") + word;
    if (!w.has(q.c_str()) || w.find(q.c_str())->is_given()) continue;
    const Recipe unscaled{skipped("scaled_scores")};
    changes.push_back({unscaled, {{q, factor}}});
    changes.push_back({unscaled, {{q, std::sqrt(factor)}, {k, std::sqrt(factor)}}});
  }
  return changes;
}

/// The columns of a matrix, or its rows, in the order of permuted heads.
Tensor in_order(const Tensor& t, const std::vector<Index>& order, bool rows) {
  Tensor y = t;
  const Index d = (rows ? t.rows() : t.cols()) / std::ssize(order);
  for (Index r = 0; r < t.rows(); ++r) {
    for (Index c = 0; c < t.cols(); ++c) {
      const Index i = rows ? r : c;
      const Index from = order[static_cast<std::size_t>(i / d)] * d + i % d;
      y.at({0, 0, r, c}) = t.at({0, 0, rows ? from : r, rows ? c : from});
    }
  }
  return y;
}

std::vector<Variation> heads_permuted(const Wiring& w) {
  const Settings& s = w.settings();
  if (s.heads < 2 || s.heads > 4 || s.kv_heads != s.heads || w.to_output() == nullptr) return {};
  if (!w.made_by("q", "linear") || !w.made_by("k", "linear") || !w.made_by("v", "linear"))
    return {};
  std::vector<Index> order(static_cast<std::size_t>(s.heads));
  std::iota(order.begin(), order.end(), 0);
  std::vector<Variation> changes;
  while (std::next_permutation(order.begin(), order.end())) {
    Variation change;
    for (const char* id : {"w_q", "w_k", "w_v", "b_q", "b_k", "b_v"}) {
      if (w.has(id))
        change.recipe.push_back(replaced(id, in_order(w.find(id)->value, order, false)));
    }
    change.recipe.push_back(replaced("w_o", in_order(w.find("w_o")->value, order, true)));
    changes.push_back(std::move(change));
  }
  return changes;
}

std::vector<Variation> rope_start(const Wiring& w) {
  if (!w.made_by("q_rotated", "rotate")) return {};
  std::vector<Variation> changes;
  for (const Index by : {-1, 1}) {
    Variation change;
    bool negative = false;
    for (const char* id : {"q_rotated", "k_rotated"}) {
      std::vector<Index> offsets = w.find(id)->parameters.counts("offsets");
      for (Index& offset : offsets) {
        offset += by;
        negative = negative || offset < 0;
      }
      change.recipe.push_back(with(id, {{"offsets", std::move(offsets)}}));
    }
    if (!negative) changes.push_back(std::move(change));
  }
  return changes;
}

std::vector<Variation> shifted(const Wiring& w) {
  if (!w.has("weights")) return {};
  return {{.afterwards = {{.step = w.softmax_input(), .minus_row_max = true}}}};
}

/// Scaled scores are right, and scaled once more before softmax.
std::vector<Variation> scaled_again(const Wiring& w) {
  if (!w.made_by("scaled_scores", "scale") || w.softmax_input() == "scaled_scores") return {};
  return {{.afterwards = {{.step = w.softmax_input(), .factor = w.settings().scale}}}};
}

/// Whether the values of an answer are those of its step.
bool is_truth(const Answer& answer, const Tensor& truth) {
  const std::optional<Tensor> theirs = in_shape(answer, truth.shape());
  if (!theirs) return false;
  const Closeness close{.tolerance = 0.01};
  for (std::size_t i = 0; i < truth.data().size(); ++i) {
    const bool filled = answer.states.empty() || answer.states[i] == CellState::Filled;
    if (filled && !close.agree(theirs->data()[i], truth.data()[i])) return false;
  }
  return true;
}

}  // namespace

bool is_equivalent(const MistakeRow& row) {
  const std::string_view code = row.words.code;
  return code.starts_with("equivalent.") || code.starts_with("layout.");
}

std::vector<Candidate> other_roads(const Trace& truth) {
  const Wiring wiring(truth);
  std::vector<Candidate> all;
  const auto add = [&](const char* code, std::vector<Variation> changes) {
    for (Variation& change : changes) all.push_back({&row_of(code), std::move(change)});
  };
  add("equivalent.scale_in_q", scaled_earlier(wiring));
  add("equivalent.heads_permuted", heads_permuted(wiring));
  add("equivalent.rope_start", rope_start(wiring));
  add("equivalent.shift", shifted(wiring));
  add("scale.d_k", scaled_again(wiring));
  return all;
}

std::vector<Candidate> without_b_k(const Trace& truth, const std::vector<Judged>& answers) {
  const Step* scores = truth.find("scores");
  const bool shown = std::any_of(answers.begin(), answers.end(), [&](const Judged& each) {
    return each.step == scores || each.step->id.starts_with("k");
  });
  const Step* keys = truth.find("k");
  const bool biased = keys != nullptr && keys->inputs.size() == 3;
  if (shown || !biased) return {};
  return {{&row_of("equivalent.b_k"), {.recipe = {from("k", {"{0}", "{1}"})}}}};
}

Answers in_rows(const Trace& truth, const Answers& answers, CheckReport& report) {
  int turned = 0, upright = 0, neither = 0;
  for (const Answer& each : answers.matrices) {
    const Step* step = truth.find_named(each.id);
    if (step == nullptr || each.shape.size() < 2) continue;
    const Answer other = transposed(each);
    const Shape& shape = step->value.shape();
    const bool fits = in_shape(each, shape).has_value();
    const bool other_fits = in_shape(other, shape).has_value();
    const bool square = fits && other_fits;
    neither += !fits && !other_fits;
    turned += square ? is_truth(other, step->value) && !is_truth(each, step->value) : other_fits;
    upright += square ? is_truth(each, step->value) && !is_truth(other, step->value) : fits;
  }
  if (upright > 0 || neither > 0 || turned < 2) return answers;
  Answers rows = answers;
  for (Answer& each : rows.matrices) each = transposed(each);
  report.findings.push_back(finding_of("layout.columns", 0));
  return rows;
}

void accept_fills(const Trace& truth, Judged& judged) {
  const Step& step = *judged.step;
  const bool scores = step.info().role == StepRole::MaskedScores;
  const bool added = step.operation->name == std::string_view("added_mask");
  if (!judged.theirs || !(scores || added)) return;
  const HiddenCells hidden(truth, *step.scope);
  const Tensor& ours = step.value;
  Index accepted = 0;
  std::size_t i = 0;
  for_each_slice(ours, [&](Index b, Index h) {
    for (Index r = 0; r < ours.rows(); ++r) {
      double most = added ? 0.0 : -kInfinity;
      for (Index c = 0; c < ours.cols(); ++c) {
        if (!hidden({b, h, r, c})) most = std::max(most, ours.at({b, h, r, c}));
      }
      const double limit = added ? -1e4 : most - 40.0;  // e^−40 is 0 beside any visible weight
      for (Index c = 0; c < ours.cols(); ++c, ++i) {
        if (!judged.filled(i) || judged.report.cells[i] == CellVerdict::Right) continue;
        const double theirs = judged.theirs->at({b, h, r, c});
        if (!hidden({b, h, r, c}) || !(theirs <= limit) || !(ours.at({b, h, r, c}) <= limit))
          continue;
        judged.report.cells[i] = CellVerdict::Right;
        ++accepted;
      }
    }
  });
  if (accepted > 0) judged.report.findings.push_back(finding_of("equivalent.fill", accepted));
}

void accept(Judged& judged, Finding finding) {
  for (CellVerdict& cell : judged.report.cells) {
    if (cell == CellVerdict::Wrong) cell = CellVerdict::Right;
  }
  judged.report.findings.push_back(std::move(finding));
  settle_verdict(judged.report);
}

void settle_verdict(StepReport& step) {
  if (step.verdict == Verdict::Shape || step.verdict == Verdict::Unreadable) return;
  const auto has = [&](CellVerdict verdict) {
    return std::find(step.cells.begin(), step.cells.end(), verdict) != step.cells.end();
  };
  step.verdict = has(CellVerdict::Wrong) || has(CellVerdict::Unreadable) ? Verdict::Wrong
                 : has(CellVerdict::Follows)                             ? Verdict::Follows
                 : has(CellVerdict::Right) || !has(CellVerdict::Empty)   ? Verdict::Right
                                                                         : Verdict::Empty;
}

}  // namespace attn
