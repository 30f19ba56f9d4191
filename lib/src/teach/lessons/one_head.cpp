// One head by hand: every step for one query.
#include <algorithm>
#include <numeric>

#include "teach/lessons/changes.hpp"
#include "teach/lessons/followed.hpp"

namespace attn {
namespace {

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

bool is_dot_product(const Followed& row) {
  for (std::size_t j = 0; j < row.products.size(); ++j) {
    if (!is_close(row.products[j], dot(row.query, row.key_rows[j]))) return false;
  }
  return true;
}

bool largest_score_wins(const Followed& row) {
  return std::all_of(row.visible.begin(), row.visible.end(),
                     [&](std::size_t j) { return row.scores[j] <= row.scores[row.strongest()]; });
}

void tell_scores(Telling& lesson, const SharedTrace& trace, const Followed& row, const View& one) {
  lesson.say(
      "Compare the query with each key: multiply number by number and add up. The better "
      "they match, the larger the score.");
  const std::string first = row.keys[0];
  lesson.ask((trace->settings().has_heads ? "In head 0, multiply the query of "
                                          : "Multiply the query of ") +
                 row.token + " by the key of " + first + ". What is the score?",
             lesson.number(row.products[0]) + ".");
  lesson.show(trace, {"scores"}, one);
  lesson.claim("Each score of " + row.token + " is the dot product of its query with one key.",
               is_dot_product(row));

  lesson.say(
      "Scores of long vectors get large, so they are divided by √d_k. A mask removes the "
      "scores of keys that this query may not see; without a mask it sees all of them.");
  lesson.show(trace, {"scaled_scores", "capped_scores", "masked_scores"}, one);
}

void tell_shares(Telling& lesson, const SharedTrace& trace, const Followed& row, const View& one) {
  lesson.say(
      "Softmax turns the scores into shares: e to the power of each, divided by their sum. "
      "Large scores win; no share is below 0.");
  const std::size_t best = row.strongest();
  lesson.ask(
      "To which key does " + row.token + " give the largest share, and is it more than half?",
      row.keys[best] + ", with " + lesson.number(row.weights[best]) +
          (row.weights[best] > 0.5 ? ": more than half." : ": not more than half."));
  lesson.show(trace, {trace->last_weights()->id}, one);
  lesson.claim("The shares add up to 1.",
               is_close(std::accumulate(row.weights.begin(), row.weights.end(), 0.0), 1.0));
  lesson.claim("Of the keys that it sees, the one with the largest score has the largest share.",
               largest_score_wins(row));
}

void tell_mixture(Telling& lesson, const SharedTrace& trace, const Followed& row, const View& one) {
  lesson.say("Last, mix the values: each counts as much as its key's share.");
  const Step* context = trace->find("context");
  lesson.show(trace, {context != nullptr ? "context" : "output"}, one);
  lesson.claim("Every number of the result lies between the smallest and the largest value that " +
                   row.token + " sees: shares can mix values but not exceed them.",
               lies_between(row));
  lesson.say(
      "The other tokens do the same at the same time, with the same matrices. That is all "
      "one head does.");
}

}  // namespace

void tell_one_head(Telling& lesson) {
  const auto trace = lesson.attended();
  const Followed row = followed(*trace);
  lesson.needs(!row.visible.empty(), "a query that sees a key");
  View one;
  one.query = std::to_string(row.cell.row);
  one.batch = one.head = 0;

  lesson.say(
      "Attention lets each token collect information from the others. How much from which? "
      "Follow " +
      row.token + " through one head.");
  lesson.say(
      "Three projections give every token three roles. Its query is what it looks for, its "
      "key is what others find it by, its value is what it hands over. Only the query of " +
      row.token + " matters here, but every key and every value does.");
  lesson.show(trace, {"q", "k", "v", "q_heads", "k_heads", "v_heads"}, one);

  tell_scores(lesson, trace, row, one);
  tell_shares(lesson, trace, row, one);
  tell_mixture(lesson, trace, row, one);

  lesson.next("explain {}", "all rows of all steps");
  lesson.next("explain {} --query " + std::to_string(row.cell.row), "only this query, as here");
  lesson.next("explain {} --cell output:" + std::to_string(row.cell.row) + ",0",
              "one number, traced back to the input");
  lesson.next("explain {} --mask causal", "without the words that come later", to_mask("causal"));
}

}  // namespace attn
