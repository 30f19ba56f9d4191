// Attention before Transformers: a small network compares a query with a key.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "teach/lessons/changes.hpp"
#include "teach/lessons/followed.hpp"

namespace attn {
namespace {

constexpr double kLonger = 1000.0;

/// The weights that v·(q + k) would give, without tanh: a row for each query.
std::vector<std::vector<double>> weights_without_tanh(const Trace& trace) {
  const Tensor &q = trace.value("q"), &k = trace.value("k"), &v = trace.value("v_score");
  std::vector<std::vector<double>> rows;
  for (Index i = 0; i < q.rows(); ++i) {
    std::vector<double>& row = rows.emplace_back();
    for (Index j = 0; j < k.rows(); ++j) {
      double score = 0.0;
      for (Index c = 0; c < q.cols(); ++c)
        score += v.at({0, 0, 0, c}) * (q.at({0, 0, i, c}) + k.at({0, 0, j, c}));
      row.push_back(std::exp(score));
    }
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    for (double& each : row) each /= sum;
  }
  return rows;
}

/// Queries that are longer by a factor.
Edit longer(double factor) {
  return [factor](ProblemDraft& draft) {
    for (const char* name : {"w_q", "b_q"}) {
      for (double& x : draft.weights.at(name).data) x *= factor;
    }
  };
}

void as_dot_products(ProblemDraft& draft) {
  draft.score = ScoreKind::Dot;
  draft.scale.kind = ScaleRule::Kind::None;
  draft.weights.erase("v_score");
}

void tell_without_tanh(Telling& lesson, const Trace& trace) {
  lesson.ask("Leave tanh out: v·(q + k) is v·q + v·k. Which words does each query prefer now?",
             "All prefer the same ones: v·q is the same for every key, and softmax ignores it.");
  const auto rows = weights_without_tanh(trace);
  Table table{{"without tanh"}, {}};
  const auto tokens = [](const TokenLists& lists) { return lists.front(); };
  for (const std::string& key : tokens(trace.scope().key_tokens)) table.header.push_back(key);
  bool alike = true;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<std::string>& row =
        table.rows.emplace_back(1, tokens(trace.scope().query_tokens)[i]);
    for (std::size_t j = 0; j < rows[i].size(); ++j) {
      row.push_back(lesson.share(rows[i][j]));
      alike = alike && is_close(rows[i][j], rows[0][j]);
    }
  }
  lesson.table(table);
  lesson.claim("Without tanh, every query has the same weights: only the bend compares.", alike);
}

void tell_of_sizes(Telling& lesson, const Trace& trace) {
  double most = 0.0;
  for (const double x : trace.value("v_score").data()) most += std::abs(x);
  lesson.ask("Make the queries 1000 times as long. How large can a score become?",
             "At most " + lesson.number(most) +
                 ", the sum of |v|: tanh stays between −1 and 1. A dot product has no limit.");
  const auto further = lesson.attended(longer(kLonger));
  lesson.claim(
      "Additive: no score is beyond " + lesson.number(most) + ", however long queries are.",
      largest_size(further->value("scores")) <= most + 1e-12);
  const auto dots = lesson.attended(as_dot_products);
  const auto more = lesson.attended([](ProblemDraft& draft) {
    as_dot_products(draft);
    longer(kLonger)(draft);
  });
  lesson.claim(
      "Dot products: the scores become 1000 times as large.",
      is_close(largest_size(more->value("scores")), kLonger * largest_size(dots->value("scores"))));
  lesson.say(
      "So additive scores need no √d_k. But they need tanh of every column of every pair, where "
      "dot products are one matrix product. That is why Transformers went back to dot products, "
      "and had to divide them.");
}

}  // namespace

void tell_additive(Telling& lesson) {
  const auto trace = lesson.attended();
  lesson.say(
      "In 2015, two years before Transformers, Bahdanau, Cho and Bengio let a translator look back "
      "at every word that it had read. A small network with one hidden layer says how well a query "
      "and a key match: v·tanh(q + k).");
  lesson.show(trace, {"scores"});
  lesson.beside(trace, "weights", "softmax, as ever");
  const Tensor& weights = trace->value("weights");
  const Index translation[] = {0, 2, 1};  // the black cat: le chat noir
  bool aligned = true;
  for (Index i = 0; i < weights.rows(); ++i) {
    const auto row = weights.row(0, 0, i);
    aligned = aligned && std::max_element(row.begin(), row.end()) - row.begin() == translation[i];
  }
  lesson.claim("Each French word looks most at its translation, wherever it is.", aligned);
  tell_without_tanh(lesson, *trace);
  tell_of_sizes(lesson, *trace);
  lesson.next("explain {} --steps scores,weights", "each score worked out");
  lesson.next("explain {} --gradient --steps v_score.grad", "what v would learn");
  lesson.next("explain {} --normalizing sigmoid --only", "without softmax");
}

}  // namespace attn
