// A mixture of experts: who computes a token, who does not, and who learns from it.
#include <algorithm>
#include <string>
#include <vector>

#include "attn/phrases.hpp"
#include "teach/lessons/backwards.hpp"

namespace attn {
namespace {

const std::string kLayer = "layers.0.";
const std::string kExpert = "layers.0.block_sparse_moe.experts.";

const Tensor& weights_of_router(const SharedTrace& trace) {
  return trace->value(kLayer + "router_weights");
}

/// The experts that have a share of a token.
std::vector<Index> chosen_by(const Tensor& weights, Index token) {
  std::vector<Index> chosen;
  for (Index e = 0; e < weights.cols(); ++e) {
    if (weights.at({0, 0, token, e}) != 0.0) chosen.push_back(e);
  }
  return chosen;
}

bool is_chosen(const Tensor& weights, Index token, Index expert) {
  return weights.at({0, 0, token, expert}) != 0.0;
}

double row_sum(const Tensor& t, Index row) {
  double sum = 0.0;
  for (const double x : t.row(0, 0, row)) sum += x;
  return sum;
}

/// What the experts make of a token, before and after.
bool differs(const SharedTrace& a, const SharedTrace& b, Index token) {
  const auto x = a->value(kLayer + "experts").row(0, 0, token);
  const auto y = b->value(kLayer + "experts").row(0, 0, token);
  return !std::equal(x.begin(), x.end(), y.begin());
}

Edit twice_expert(Index expert) {
  return [expert](ProblemDraft& draft) {
    for (double& x : draft.weights.at(kExpert + std::to_string(expert) + ".w2.weight").data)
      x *= 2.0;
  };
}

/// How many numbers one expert has.
Index size_of_expert(const ProblemDraft& draft) {
  Index size = 0;
  for (const char* name : {".w1", ".w2", ".w3"})
    size += std::ssize(draft.weights.at(kExpert + "0" + name + ".weight").data);
  return size;
}

/// Whether expert `e` has a gradient other than 0.
bool learns(const Trace& trace, Index e) {
  const std::string id = kLayer + "expert." + std::to_string(e) + ".linear2.weight.grad";
  return largest_size(trace.value(id)) > 0.0;
}

}  // namespace

void tell_experts(Telling& lesson) {
  const SharedTrace trace = lesson.attended();
  const Tensor& weights = weights_of_router(trace);
  const Index tokens = weights.rows(), experts = weights.cols();
  lesson.say(
      "Most of the numbers of a language model are in its feed-forward networks, and each token "
      "goes through all of them. A mixture of experts has several networks in a layer, and lets "
      "each token choose a few (Shazeer et al. 2017; Mixtral, 2024). The router that chooses is a "
      "linear layer with a softmax.");
  lesson.show(trace, {kLayer + "router", kLayer + "router_scores", kLayer + "router_weights"});
  bool whole = true;
  for (Index i = 0; i < tokens; ++i)
    whole = whole && std::ssize(chosen_by(weights, i)) == 2 && is_close(row_sum(weights, i), 1.0);
  lesson.claim("Each word has two of the " + std::to_string(experts) +
                   " experts, and their weights add up to 1.",
               whole);
  lesson.ask("All that expert 3 says is multiplied by 2. Which words notice?",
             "Those that chose it. Here are the results of the experts, before and after:");
  const SharedTrace louder = lesson.attended(twice_expert(3));
  Table table{{"word", "chosen experts", "result"}, {}, 3};
  bool exactly = true;
  for (Index i = 0; i < tokens; ++i) {
    std::vector<std::string> names;
    for (const Index e : chosen_by(weights, i)) names.push_back(std::to_string(e));
    const bool other = differs(trace, louder, i);
    table.rows.push_back({trace->attention().query_tokens.front()[static_cast<std::size_t>(i)],
                          together(names), other ? "another" : "the same"});
    exactly = exactly && other == is_chosen(weights, i, 3);
  }
  lesson.table(table);
  lesson.claim("For the others not a digit changes: nothing of expert 3 need be computed.",
               exactly);
  const Index size = size_of_expert(lesson.draft());
  lesson.table({{"", "numbers of the experts"},
                {{"in the file", std::to_string(experts * size)},
                 {"used for one word", std::to_string(2 * size)}}});
  lesson.say(
      "In the file of Mixtral 8x7B are 47 billion numbers, and a token uses 13 billion of them. "
      "DeepSeek-V3 chooses 8 of 256 experts, and adds one that all tokens share.");
  lesson.ask("Are the weights of the chosen experts still those of the softmax?",
             "In Mixtral they are divided by their sum. Qwen2-MoE leaves them as they are, and the "
             "rows add up to less than 1:");
  const SharedTrace undivided =
      lesson.attended([](ProblemDraft& draft) { draft.model->experts.renormalize = false; });
  lesson.beside(trace, kLayer + "router_weights", "divided by their sum");
  lesson.beside(undivided, kLayer + "router_weights", "as the softmax made them");
  bool less = true;
  for (Index i = 0; i < tokens; ++i)
    less = less && row_sum(weights_of_router(undivided), i) < 1.0 &&
           chosen_by(weights, i) == chosen_by(weights_of_router(undivided), i);
  lesson.claim("The same experts are chosen; every row adds up to less than 1.", less);
  ProblemDraft first = lesson.draft();
  first.ids.front().resize(1);
  first.labels.front().resize(1);
  const SharedTrace back = there_and_back(first);
  bool right = true;
  for (Index e = 0; e < experts; ++e)
    right = right && learns(*back, e) == is_chosen(weights_of_router(back), 0, e);
  lesson.ask("Training sees one word alone. Which experts learn from it?",
             "Those two that it chose.");
  lesson.claim("The gradients of all other experts are exactly 0.", right);
  lesson.say(
      "An expert that nobody chooses never gets better, so it is never chosen. Mixtral and Qwen "
      "train with a loss that spreads the tokens; DeepSeek-V3 adds a number to the scores of each "
      "expert, which counts for the choice but not for the weights.");
  lesson.next("explain {} --steps router_weights,experts", "the weights, and what they mix");
  lesson.next("explain {} --cell layers.0.experts:nine,0", "one number of the mixture");
  lesson.next("help models", "families with experts");
}

}  // namespace attn
