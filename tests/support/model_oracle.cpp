// The oracle of whole models: which kind, and what follows the last layer.
#include "support/model_oracle.hpp"

#include <algorithm>
#include <cmath>

#include "support/model_bench.hpp"

namespace attn::testing {
namespace {

/// The word that a row should be followed by; −1 for none.
Index word_of(const ProblemDraft& draft, const LabelDraft& label) {
  if (label.index) return *label.index;
  if (!label.text) return -1;
  const std::vector<std::string>& words = draft.vocabulary->tokens;
  return std::find(words.begin(), words.end(), *label.text) - words.begin();
}

}  // namespace

void predict(ModelBench& bench, const Block& output, const Array& w, const Array* b) {
  const ProblemDraft& draft = bench.draft;
  const Block words = block_of(w, true);
  Block logits =
      filled(output.batch, 1, output.rows, words.cols, [&](Index n, Index, Index i, Index j) {
        double y = b == nullptr ? 0.0 : b->data.at(static_cast<std::size_t>(j));
        for (Index c = 0; c < output.cols; ++c) y += output.at(n, 0, i, c) * words.at(0, 0, c, j);
        return y;
      });
  const ModelDraft& model = *draft.model;
  if (model.logits_scaling || model.logits_softcap) kept(bench, "raw_logits", logits);
  for (double& x : logits.data) x /= model.logits_scaling.value_or(1.0);
  if (model.logits_scaling && model.logits_softcap) kept(bench, "raw_logits2", logits);
  if (const auto cap = model.logits_softcap)
    for (double& x : logits.data) x = *cap * std::tanh(x / *cap);
  kept(bench, "logits", logits);
  const Block largest = row_max(logits);
  const Block powers = like(logits, [&](Index n, Index, Index i, Index j) {
    return std::exp(logits.at(n, 0, i, j) - largest.at(n, 0, i, 0));
  });
  const Block sums = row_sum(powers);
  kept(bench, "probabilities", like(logits, [&](Index n, Index, Index i, Index j) {
         return powers.at(n, 0, i, j) / sums.at(n, 0, i, 0);
       }));
  if (draft.labels.empty()) return;
  double total = 0;
  Index count = 0;
  const Block loss = like(sums, [&](Index n, Index, Index i, Index) {
    const auto& labels = draft.labels[draft.labels.size() == 1 ? 0 : static_cast<std::size_t>(n)];
    const Index right = word_of(draft, labels[static_cast<std::size_t>(i)]);
    if (right < 0) return 0.0;
    ++count;
    const double one =
        std::log(sums.at(n, 0, i, 0)) + largest.at(n, 0, i, 0) - logits.at(n, 0, i, right);
    total += one;
    return one;
  });
  kept(bench, "loss", loss);
  bench.steps["mean_loss"] = {{1, 1}, {total / static_cast<double>(count)}};
}

Steps model_oracle(const ProblemDraft& draft) {
  ModelBench bench{draft};
  const std::string& kind = draft.model->kind;
  if (kind == "gpt2")
    run_gpt2(bench);
  else if (kind == "bert")
    run_bert(bench);
  else if (kind == "llama")
    run_llama(bench);
  else
    run_stacks(bench);
  return bench.steps;
}

}  // namespace attn::testing
