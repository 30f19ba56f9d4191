// Sinks: a score without a key, for heads that find nothing.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "core/tensor/slices.hpp"
#include "teach/lessons/changes.hpp"

namespace attn {
namespace {

/// The problem with this sink in every head, or without one.
Edit with_sink_of(std::optional<double> sink) {
  return [sink](ProblemDraft& draft) {
    draft.sinks = sink ? std::optional(Array{{1}, {*sink}}) : std::nullopt;
  };
}

/// The largest sum of a row of weights, and the smallest.
std::pair<double, double> sums_of(const Tensor& weights) {
  std::pair<double, double> most{1e9, -1e9};
  for_each_slice(weights, [&](Index b, Index h) {
    for (Index i = 0; i < weights.rows(); ++i) {
      const auto row = weights.row(b, h, i);
      const double sum = std::accumulate(row.begin(), row.end(), 0.0);
      most = {std::min(most.first, sum), std::max(most.second, sum)};
    }
  });
  return most;
}

bool outputs_agree(const SharedTrace& a, const SharedTrace& b) {
  const auto &x = a->value("output").data(), &y = b->value("output").data();
  return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                    [](double one, double other) { return is_close(one, other, 1e-9); });
}

}  // namespace

void tell_sinks(Telling& lesson) {
  const SharedTrace trace = lesson.attended();
  lesson.say(
      "Softmax shares out all of a row: a query that finds nothing must still attend to something. "
      "Trained models found a way out. They give the attention that they do not need to the first "
      "token, which all can see and whose value they keep small (Xiao et al. 2023). gpt-oss has a "
      "learned number for it in each head: one more score in the softmax, with no key and no "
      "value.");
  lesson.show(trace, {"weights"});
  const Tensor &weights = trace->value("weights"), &sink = trace->value("sink_weights");
  bool adds_up = true;
  for_each_slice(weights, [&](Index b, Index h) {
    for (Index i = 0; i < weights.rows(); ++i) {
      const auto row = weights.row(b, h, i);
      const double sum = std::accumulate(row.begin(), row.end(), 0.0);
      adds_up = adds_up && is_close(sum + sink.at({b, h, i, 0}), 1.0, 1e-9);
    }
  });
  lesson.claim("The weights of a row and the share of its sink add up to 1.", adds_up);
  lesson.ask("A mask leaves the first query one key. How much of its attention does that key get?",
             "Without a sink all of it: 1. With one, its score has to compete with the sink:");
  Table table{{"sink", "smallest row", "largest row"}, {}, 1};
  bool falls = true;
  double before = 2.0;
  for (const auto& value : {std::optional<double>(), {-4.0}, {0.0}, {4.0}, {8.0}}) {
    const auto [least, most] = sums_of(lesson.attended(with_sink_of(value))->value("weights"));
    table.rows.push_back(
        {value ? lesson.number(*value) : "none", lesson.share(least), lesson.share(most)});
    falls = falls && most < before;
    before = most;
  }
  lesson.table(std::move(table));
  lesson.claim("The larger the sink, the less is left for the keys.", falls);
  const SharedTrace zero = lesson.attended(with_sink_of(0.0));
  const SharedTrace added = lesson.attended([](ProblemDraft& draft) {
    draft.sinks.reset();
    draft.add_zero_attn = true;
  });
  lesson.claim(
      "A sink of 0 is one more key and value of zeros: add_zero_attn gives the same output. It is "
      "also called softmax off by one, because it adds e^0 = 1 to the sum.",
      outputs_agree(zero, added));
  const Edit raised = [](ProblemDraft& draft) { draft.bias = Array{{1}, {3.0}}; };
  const auto then = [&](std::optional<double> value) {
    return lesson.attended([&](ProblemDraft& draft) {
      with_sink_of(value)(draft);
      raised(draft);
    });
  };
  lesson.claim(
      "Without a sink, adding 3 to every score changes nothing; with one it does: now it matters "
      "how "
      "well a key matches, not only whether it matches better than others.",
      outputs_agree(lesson.attended(with_sink_of({})), then({})) &&
          !outputs_agree(zero, then(0.0)));
  lesson.say(
      "The sink is never scaled, capped or masked. A query that sees no key gives everything to "
      "it, so "
      "its row is zero and no rule for empty rows is needed.");
  lesson.next("explain {} --sinks 0", "softmax off by one", with_sink_of(0.0));
  lesson.next("explain {} --steps sink_weights,weights", "both shares");
  lesson.next("explain {} --fault sink.missing", "the mistake as it would look");
}

}  // namespace attn
