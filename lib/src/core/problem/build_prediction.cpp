// The vocabulary and the labels of a problem.
#include <algorithm>

#include "attn/core/memory_budget.hpp"
#include "attn/phrases.hpp"
#include "attn/suggest.hpp"
#include "core/problem/build.hpp"

namespace attn {
namespace {

constexpr const char* kVocabularyPointer = "/vocabulary";

void build_words(Build& build, const VocabularyDraft& given, Prediction& made) {
  made.words = given.tokens;
  const std::string end = given.end_token.value_or("");
  if (given.end_token && std::find(made.words.begin(), made.words.end(), end) == made.words.end()) {
    build.complaints.add("unknown-token", "/vocabulary/end_token",
                         filled("the end token \"{}\" is not in the vocabulary{}", end,
                                did_you_mean(end, made.words)),
                         "Use one of vocabulary.tokens.");
  }
  if (given.w.shape.empty()) return;  // only names for the logits of a model
  if (given.w.rank() != 2 || given.w.data.empty()) {
    build.complaints.add(
        "rank", "/vocabulary/w",
        filled("vocabulary.w should be d_model × V, but it is {}", shape_text(given.w.shape)),
        "Give one column for each word.");
    return;
  }
  made.to_words = Projection{stacked(given.w), std::nullopt};
  const Index columns = given.w.shape[1];
  const auto demand = [&](const char* key, Index count, const char* what) {
    if (count == columns) return;
    build.complaints.add({.id = "shape-mismatch",
                          .what = filled("vocabulary.{} has {}, but vocabulary.w has {}", key,
                                         counted(count, what), counted(columns, "column")),
                          .places = {{.pointer = std::string(kVocabularyPointer) + "/" + key},
                                     {.pointer = "/vocabulary/w"}},
                          .rule = "Every word has one column.",
                          .fix = filled("Give {}.", counted(columns, what))});
  };
  if (!given.tokens.empty()) demand("tokens", std::ssize(given.tokens), "token");
  if (!given.b) return;
  demand("b", std::ssize(given.b->data), "number");
  made.to_words->b = Tensor(Shape{{}, {}, 1, std::ssize(given.b->data)}, given.b->data);
}

/// The column of a label, −1 for none.
Index column_of(Build& build, const LabelDraft& label, const Prediction& made,
                const std::string& pointer) {
  const Index columns = made.to_words ? made.to_words->w.cols() : 0;  // else the model knows
  if (label.text) {
    const auto at = std::find(made.words.begin(), made.words.end(), *label.text);
    if (at != made.words.end()) return at - made.words.begin();
    build.complaints.add("unknown-token", pointer,
                         filled("the label \"{}\" is not in the vocabulary{}", *label.text,
                                did_you_mean(*label.text, made.words)),
                         "Use a token of vocabulary.tokens, its index, or null for no label.");
    return -1;
  }
  if (!label.index) return -1;
  if (*label.index >= 0 && (columns == 0 || *label.index < columns)) return *label.index;
  build.complaints.add("out-of-range", pointer,
                       filled("there is no word {} in the vocabulary", *label.index),
                       columns == 0 ? std::string("Give an index of 0 or more.")
                                    : filled("Give an index from 0 to {}.", columns - 1));
  return -1;
}

void build_labels(Build& build, Prediction& made) {
  const ProblemFacts& p = build.problem;
  const auto& lists = build.draft.labels;
  const Index entries = p.batch.value_or(1);
  if (std::ssize(lists) != entries) {
    build.complaints.add("label-count", "/labels",
                         filled("labels has {}, but {}", counted(std::ssize(lists), "list"),
                                there_are(entries, "batch entry")),
                         "Give one list of labels for each batch entry.");
    return;
  }
  for (std::size_t b = 0; b < lists.size(); ++b) {
    const std::string place = lists.size() == 1 ? "/labels" : filled("/labels/{}", b);
    if (std::ssize(lists[b]) != p.n_queries) {
      build.complaints.add("label-count", place,
                           filled("labels has {}, but {}", counted(std::ssize(lists[b]), "entry"),
                                  there_are(p.n_queries, "query")),
                           "Give one label for each query, null for none.");
    }
    for (std::size_t i = 0; i < lists[b].size(); ++i)
      made.labels.push_back(column_of(build, lists[b][i], made, filled("{}/{}", place, i)));
  }
  const bool none = std::all_of(lists.begin(), lists.end(), [](const auto& list) {
    return std::all_of(list.begin(), list.end(),
                       [](const LabelDraft& label) { return !label.index && !label.text; });
  });
  if (none) {
    build.complaints.add("label-count", "/labels", "all labels are null, so there is no loss",
                         "Give at least one label, or leave out \"labels\".");
  }
}

}  // namespace

void build_prediction(Build& build) {
  const ProblemDraft& d = build.draft;
  if (!d.vocabulary && d.labels.empty()) return;
  Prediction made;
  if (d.vocabulary) build_words(build, *d.vocabulary, made);
  if (!d.model && !made.to_words) {
    build.complaints.add("missing-key", d.vocabulary ? kVocabularyPointer : "/labels",
                         d.vocabulary ? "the vocabulary has no w" : "labels need a vocabulary",
                         kAddVocabulary);
  }
  build.complaints.throw_if_any();
  if (!d.labels.empty()) build_labels(build, made);
  build.complaints.throw_all();
  if (made.to_words) take(build, array_bytes(made.to_words->w.shape().sizes()), "/vocabulary/w");
  build.problem.prediction = std::move(made);
}

void check_vocabulary(Index width, const Prediction& prediction, Complaints& complaints) {
  if (!prediction.to_words || prediction.to_words->w.rows() == width) return;
  complaints.add(
      "shape-mismatch", "/vocabulary/w",
      filled("vocabulary.w has {}, but it multiplies rows of {}",
             counted(prediction.to_words->w.rows(), "row"), counted(width, "number")),
      filled("Give vocabulary.w {}, as many as the output has columns.", counted(width, "row")));
}

}  // namespace attn
