// Hidden words: columns that nobody sees, the word that still asks, and [MASK] in its place.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "attn/phrases.hpp"
#include "teach/lessons/changes.hpp"

namespace attn {
namespace {

constexpr Index kHidden = 1;  ///< the word that changes: "make"

/// The sentence of the sample with this word in place of "make".
void put(ProblemDraft& draft, const std::string& word) {
  draft.tokens.front().at(static_cast<std::size_t>(kHidden)) = word;
}

/// What a layer passes on: what came in, plus what attention adds to it (W_o fills four columns
/// again from the two numbers of each value). `x`: what came in, if not the words.
Tensor layer(const Telling& lesson, const std::string& word, const std::vector<std::string>& masks,
             const Tensor* x = nullptr) {
  const SharedTrace trace = lesson.attended([&](ProblemDraft& draft) {
    put(draft, word);
    mask_only(draft, masks);
    draft.weights["w_o"] = Array{{2, 4}, {1, 0, 0, 1, 0, 1, 1, 0}};
    if (x == nullptr) return;
    draft.embeddings = Array{{x->rows(), x->cols()}, x->data().copy()};
    draft.embedding_table.clear();
  });
  Tensor sum = trace->value("output");
  const Tensor& came_in = trace->value("x");
  for (std::size_t i = 0; i < sum.data().size(); ++i) sum.edit()[i] += came_in.data()[i];
  return sum;
}

/// How far apart two tensors are in each row.
std::vector<double> row_changes(const Tensor& a, const Tensor& b) {
  std::vector<double> changes(static_cast<std::size_t>(a.rows()), 0.0);
  for (Index r = 0; r < a.rows(); ++r) {
    for (Index c = 0; c < a.cols(); ++c) {
      double& most = changes[static_cast<std::size_t>(r)];
      most = std::max(most, std::abs(a.at({0, 0, r, c}) - b.at({0, 0, r, c})));
    }
  }
  return changes;
}

/// Whether the row of the hidden word changes, and no other.
bool only_its_own(const std::vector<double>& changes) {
  for (std::size_t r = 0; r < changes.size(); ++r) {
    if ((changes[r] != 0.0) != (r == static_cast<std::size_t>(kHidden))) return false;
  }
  return true;
}

void tell_of_the_catch(Telling& lesson, const SharedTrace& hidden) {
  const std::vector<std::string> columns = lesson.draft().masks.empty()
                                               ? std::vector<std::string>{}
                                               : std::vector{lesson.draft().masks.front().text};
  const SharedTrace swapped = lesson.attended([](ProblemDraft& draft) { put(draft, "from"); });
  lesson.ask(
      "There is a catch. Write 'from' in place of 'make', which nobody sees. Which rows "
      "of the output change?",
      "That of 'make' itself. Hiding a column keeps others from looking at the word; the "
      "word still asks, with a query made from the word that is to be guessed.");
  const auto first = row_changes(hidden->value("output"), swapped->value("output"));
  lesson.claim("Its own row changes, and no other.", only_its_own(first));
  lesson.say(
      "In a whole model it is worse: each layer adds what attention found to what came in, so the "
      "row of 'make' holds the word itself. Do others get hold of it in the next layer? Put 'from' "
      "in its place again. The largest change in each row is:");
  const Tensor a = layer(lesson, "make", columns), b = layer(lesson, "from", columns);
  const auto one = row_changes(a, b);
  const auto both =
      row_changes(layer(lesson, "make", columns, &a), layer(lesson, "from", columns, &b));
  const auto open =
      row_changes(layer(lesson, "make", {"none"}, &a), layer(lesson, "from", {"none"}, &b));
  Table table{{"row", "one layer", "hidden in both", "hidden in the first"}, {}};
  for (std::size_t r = 0; r < one.size(); ++r) {
    table.rows.push_back({lesson.draft().tokens.front()[r], lesson.number(one[r]),
                          lesson.number(both[r]), lesson.number(open[r])});
  }
  lesson.table(table);
  lesson.claim("Hidden in every layer, the word stays in its own row.",
               only_its_own(one) && only_its_own(both));
  lesson.claim("Hidden in the first layer only, it is in every row after the second layer.",
               std::none_of(open.begin(), open.end(), [](double x) { return x == 0.0; }));
  lesson.say(
      "So columns must be hidden in every layer. Even then, the row from which 'make' should be "
      "guessed is the one row that holds it: a model would learn to copy, not to guess.");
}

void tell_of_the_placeholder(Telling& lesson) {
  const auto gaps = [&](PositionKind positions) {
    return lesson.attended([&](ProblemDraft& draft) {
      draft.text = "bees [MASK] honey [MASK] nectar";
      mask_only(draft, {"none"});
      draft.positions = {};
      draft.positions.kind = positions;
    });
  };
  const SharedTrace plain = gaps(PositionKind::None);
  const auto same_rows = [](const SharedTrace& trace) {
    const Tensor& output = trace->value("output");
    const auto left = output.row(0, 0, kHidden), right = output.row(0, 0, 3);
    return std::equal(left.begin(), left.end(), right.begin());
  };
  lesson.say(
      "The remedy: take the words out of the input, and put a placeholder in their places, with an "
      "embedding of its own. No column is hidden. What is not in the input cannot leak, in any "
      "layer.");
  lesson.beside(plain, plain->last_weights()->id, "[MASK] in place of two words");
  lesson.claim("No weight is 0: every word sees every other, before it and after it.",
               all_cells(weights_of(plain),
                         [&](const Cell& cell) { return weights_of(plain).at(cell) > 0.0; }));
  lesson.ask("Could a model guess 'make' for the first gap and 'from' for the second?",
             "Not here: both gaps ask the same question and get the same answer. Positions tell "
             "them apart.");
  lesson.claim("The two gaps have the same row, digit for digit.", same_rows(plain));
  lesson.claim("With sinusoidal positions, their rows differ.",
               !same_rows(gaps(PositionKind::Sinusoidal)));
}

}  // namespace

void tell_hidden_words(Telling& lesson) {
  const SharedTrace hidden = lesson.attended();
  lesson.say(
      "Take words out of a sentence and let a model guess them: that is how BERT learns. One way "
      "to take 'make' and 'from' out of 'bees make honey from nectar' is to hide their columns, "
      "for every query.");
  lesson.beside(hidden, hidden->last_weights()->id, "columns 1 and 3 hidden");
  lesson.claim("The hidden columns are 0 in every row, and each row still adds up to 1.",
               all_cells(weights_of(hidden), [&](const Cell& cell) {
                 const auto row = weights_of(hidden).row(0, 0, cell.row);
                 const bool is_hidden = cell.col == kHidden || cell.col == 3;
                 return (weights_of(hidden).at(cell) == 0.0) == is_hidden &&
                        is_close(std::accumulate(row.begin(), row.end(), 0.0), 1.0);
               }));
  tell_of_the_catch(lesson, hidden);
  tell_of_the_placeholder(lesson);
  lesson.ask(
      "One article says that BERT masks words at random, another that BERT uses no mask. Which is "
      "right?",
      "Both. It masks words of the input: about 15 in 100 are chosen at random, and most of these "
      "become [MASK]. It masks no scores, apart from padding: every word sees the whole sentence.");

  lesson.next("new --sample 08-mlm-columns -o mlm.json", "the sentence");
  lesson.next("explain mlm.json --steps masked_scores,weights", "the columns");
  lesson.next("explain mlm.json --query make", "it still asks");
  lesson.next("explain mlm.json --mask none --text \"bees [MASK] honey\"", "a placeholder");
  lesson.next("compare mlm.json --left mask=none", "the difference");
}

}  // namespace attn
