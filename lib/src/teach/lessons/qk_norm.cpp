// Norms of queries and keys: what a score can become when only directions count.
#include <algorithm>
#include <cmath>
#include <string>

#include "core/tensor/slices.hpp"
#include "teach/lessons/changes.hpp"

namespace attn {
namespace {

/// The problem with a larger X, with its norm or without one.
SharedTrace grown(const Telling& lesson, double factor, bool with_norm) {
  return lesson.attended([&](ProblemDraft& draft) {
    for (double& x : draft.embeddings->data) x *= factor;
    if (!with_norm) draft.qk_norm = {.kind = QkNormKind::None, .is_given = true};
  });
}

double largest_weight(const SharedTrace& trace) { return largest_size(weights_of(trace)); }

/// The largest score that the gains allow: √d_k times the largest products of two gains.
double bound_of(const SharedTrace& trace) {
  double bound = 1.0;
  for (const char* gains : {"q_norm", "k_norm"}) {
    if (trace->find(gains) != nullptr) bound *= largest_size(trace->value(gains));
  }
  return bound * std::sqrt(static_cast<double>(trace->settings().d_k));
}

}  // namespace

void tell_qk_norm(Telling& lesson) {
  const SharedTrace trace = lesson.attended();
  lesson.say(
      "A score grows with the length of its query and of its key, whatever they say. \"Whisper\" "
      "and "
      "\"shout\" are the same direction, once short and once long. RMSNorm divides each query and "
      "each key by the root of the mean of its squares, and a learned gain stretches each column:");
  lesson.show(trace, {"k", "k_normed", "q_normed"});
  const Tensor &raw = trace->value("k"), &k = trace->value("k_normed");
  const auto row = [](const Tensor& t, Index i) { return t.row(0, 0, i); };
  const auto same = [&](const Tensor& t) {
    return std::equal(row(t, 1).begin(), row(t, 1).end(), row(t, 3).begin());
  };
  lesson.claim(
      "After the norm, \"whisper\" and \"shout\" have the same key; before it, they did not.",
      same(k) && !same(raw));
  lesson.ask("What happens to the largest weight if X becomes ten times, a hundred times as large?",
             "Without the norm scores grow with the square of that, and softmax saturates: one key "
             "takes everything. With the norm nothing happens:");
  Table table{{"X", "score", "largest weight", "score, normed", "largest weight, normed"}, {}, 1};
  bool stays = true, bounded = true;
  double first = 0.0;
  for (const double factor : {0.1, 1.0, 10.0, 100.0}) {
    const SharedTrace without = grown(lesson, factor, false), with = grown(lesson, factor, true);
    const double score = largest_size(with->value("scaled_scores"));
    if (first == 0.0) first = score;
    table.rows.push_back({"× " + lesson.number(factor),
                          lesson.number(largest_size(without->value("scaled_scores"))),
                          lesson.share(largest_weight(without)), lesson.number(score),
                          lesson.share(largest_weight(with))});
    stays = stays && is_close(score, first, 1e-9);
    bounded = bounded && score <= bound_of(with) + 1e-9;
  }
  lesson.table(std::move(table));
  lesson.claim("With the norm, the scores do not depend on how large X is.", stays);
  lesson.claim("No scaled score is larger than √d_k times the largest gains: " +
                   lesson.number(bound_of(trace)) + ".",
               bounded);
  lesson.say(
      "So training stays stable without a softcap, and the gains decide how sharp attention may "
      "become. Qwen3 and Gemma 3 normalise each head before RoPE; OLMo 2 all heads together; Gemma "
      "multiplies by 1 + gain. Which of these a checkpoint means, its names do not say.");
  const Edit off = [](ProblemDraft& draft) {
    draft.qk_norm = {.kind = QkNormKind::None, .is_given = true};
  };
  lesson.next("explain {} --qk-norm none", "without the norm", off);
  lesson.next("explain {} --qk-norm layer", "with the mean subtracted first");
  lesson.next("explain {} --fault qk_norm.missing", "the mistake as it would look");
}

}  // namespace attn
