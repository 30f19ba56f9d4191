// What lessons ask of models that were trained: their words, and what their heads look at.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <sstream>

#include "attn/generate.hpp"
#include "attn/phrases.hpp"
#include "attn/suggest.hpp"
#include "core/trace/axis_names.hpp"
#include "teach/lessons/scene.hpp"

namespace attn {
namespace {

Index place_of_most(std::span<const double> row) {
  return std::max_element(row.begin(), row.end()) - row.begin();
}

std::string entry_of(const std::vector<std::string>& list, const LessonValue& index) {
  return list[static_cast<std::size_t>(index_in(index, std::ssize(list)))];
}

/// A word of the vocabulary, and the place of a word.
LessonValue item_at(Scene& scene, const Arguments& a) {
  return entry_of(scene.trace()->scope().vocabulary, a[0]);
}
LessonValue place_of_word(Scene& scene, const Arguments& a) {
  const auto& words = scene.trace()->scope().vocabulary;
  const auto found = std::find(words.begin(), words.end(), text_of(a[0]));
  if (found != words.end()) return number_value(found - words.begin());
  throw LessonFault{"\"" + text_of(a[0]) + "\" is not in the vocabulary" +
                    did_you_mean(text_of(a[0]), words)};
}
std::vector<std::string> label_texts(const ProblemDraft& draft) {
  std::vector<std::string> texts;
  for (const auto& list : draft.labels) {
    for (const LabelDraft& label : list) texts.push_back(label.text.value_or(""));
  }
  return texts;
}
LessonValue label_at(Scene& scene, const Arguments& a) {
  return entry_of(label_texts(scene.draft()), a[0]);
}
LessonValue word_at(Scene& scene, const Arguments& a) {
  return entry_of(scene.draft().tokens.at(0), a[0]);
}

const Step& step_of(const LessonValue& trace, const LessonValue& id) {
  if (const Step* step = trace_of(trace)->find(text_of(id))) return *step;
  throw LessonFault{"there is no step \"" + text_of(id) + "\" in this computation"};
}

/// What a row of a step of a computation has most of: "key"; with its share, "key 98%".
LessonValue most_of(Scene&, const Arguments& a) {
  const Step& step = step_of(a[0], a[1]);
  const Index row = index_in(a[2], step.value.rows()),
              col = place_of_most(step.value.row(0, 0, row));
  return name_of_col(step, {0, 0, row, col}).name;
}
LessonValue share_of_most(Scene&, const Arguments& a) {
  const Step& step = step_of(a[0], a[1]);
  const Index row = index_in(a[2], step.value.rows()),
              col = place_of_most(step.value.row(0, 0, row));
  const Cell cell{0, 0, row, col};
  return unique_name(name_of_col(step, cell), col) + " " +
         std::to_string(std::lround(100.0 * step.value.at(cell))) + "%";
}
LessonValue name_of_the_row(Scene&, const Arguments& a) {
  const Step& step = step_of(a[0], a[1]);
  const Index row = index_in(a[2], step.value.rows());
  return unique_name(name_of_row(step, {0, 0, row, 0}), row);
}

/// The keys that a row of weights sees.
LessonValue seen_keys(Scene&, const Arguments& a) {
  const Step& weights = step_of(a[0], a[1]);
  const Index row = index_in(a[2], weights.value.rows());
  std::vector<std::string> names;
  for (Index c = 0; c < weights.value.cols(); ++c) {
    if (weights.value.at({0, 0, row, c}) != 0.0)
      names.push_back(quoted_token(name_of_col(weights, {0, 0, row, c}).name));
  }
  return listed(names);
}

/// How many rows of `probabilities` have their label as the first choice; 0 for one without label.
LessonValue right_words(Scene& scene, const Arguments& a) {
  const std::string settings = text_of(a[0]);
  const SharedTrace trace = scene.computed_with(settings);
  const Step& step = trace->at("probabilities");
  const std::vector<std::string> labels = label_texts(scene.changed(settings));
  double right = 0, all = 0;
  for (Index i = 0; i < step.value.rows(); ++i) {
    const std::string& label = labels.at(static_cast<std::size_t>(i));
    if (label.empty()) continue;
    ++all;
    if (name_of_col(step, {0, 0, i, place_of_most(step.value.row(0, 0, i))}).name == label) ++right;
  }
  return list_value({right, all});
}

Generation generation(Scene& scene, const Arguments& a) {
  return generate(scene.changed(text_of(a[0])));
}
/// What a model writes: for each token its probability, and multiplications with a cache and
/// without.
LessonValue generated(Scene& scene, const Arguments& a) {
  std::vector<double> numbers;
  const Generation made = generation(scene, a);
  for (const GeneratedToken& token : made.tokens)
    numbers.insert(numbers.end(),
                   {token.probability, token.multiplications, token.multiplications_without_cache});
  return Tensor({{}, {}, std::ssize(made.tokens), 3}, numbers);
}
LessonValue written_words(Scene& scene, const Arguments& a) {
  std::vector<std::string> words;
  for (const GeneratedToken& token : generation(scene, a).tokens) words.push_back(token.token);
  return separated(words, " ");
}
/// The labels of a problem, and the probability that one pass gives each.
LessonValue labels_of(Scene& scene, const Arguments& a) {
  return separated(label_texts(scene.changed(text_of(a[0]))), " ");
}
LessonValue label_probabilities(Scene& scene, const Arguments& a) {
  const SharedTrace trace = scene.computed_with(text_of(a[0]));
  const auto& words = trace->scope().vocabulary;
  std::vector<double> shares;
  for (const std::string& label : label_texts(scene.changed(text_of(a[0])))) {
    const auto at = std::find(words.begin(), words.end(), label) - words.begin();
    shares.push_back(trace->value("probabilities").at({0, 0, std::ssize(shares), at}));
  }
  return list_value(shares);
}
/// A word of a text: word_in("Je mange", 1).
LessonValue word_in(Scene&, const Arguments& a) {
  std::istringstream words(text_of(a[0]));
  return entry_of({std::istream_iterator<std::string>(words), {}}, a[1]);
}

constexpr LessonFunction kOfModels[] = {
    {"item", 1, 1, item_at},
    {"place_of", 1, 1, place_of_word},
    {"label", 1, 1, label_at},
    {"word", 1, 1, word_at},
    {"most_of", 3, 3, most_of},
    {"share_of_most", 3, 3, share_of_most},
    {"row_name", 3, 3, name_of_the_row},
    {"seen_keys", 3, 3, seen_keys},
    {"right_words", 1, 1, right_words},
    {"generated", 1, 1, generated},
    {"written", 1, 1, written_words},
    {"labels", 1, 1, labels_of},
    {"label_probabilities", 1, 1, label_probabilities},
    {"word_in", 2, 2, word_in},
};

}  // namespace

std::span<const LessonFunction> functions_of_models() { return kOfModels; }

}  // namespace attn
