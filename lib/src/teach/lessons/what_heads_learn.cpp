// What heads learn: three trained models, and the same with their weights in another order.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/trace/axis_names.hpp"
#include "teach/lessons/changes.hpp"

namespace attn {
namespace {

constexpr const char* kFirst = "layers.0.self_attn.weights";
constexpr const char* kSecond = "layers.1.self_attn.weights";
constexpr const char* kCross = "decoder.layers.0.multihead_attn.weights";

Index largest_in_row(const Step& step, Index row) {
  const auto numbers = step.value.row(0, 0, row);
  return std::max_element(numbers.begin(), numbers.end()) - numbers.begin();
}

std::string word_of_row(const Step& step, Index row) {
  return unique_name(name_of_row(step, {0, 0, row, 0}), row);
}

/// "key 98%": what a row has most of.
std::string most_of_row(const Step& step, Index row) {
  const Index col = largest_in_row(step, row);
  const Cell cell{0, 0, row, col};
  return unique_name(name_of_col(step, cell), col) + " " +
         std::to_string(std::lround(100.0 * step.value.at(cell))) + "%";
}

/// For each of these rows: its word, then what it has most of in each step.
Table most_of_rows(const Trace& trace, const std::vector<std::string>& header,
                   const std::vector<std::string>& steps, Index first_row = 0) {
  Table table{header, {}, header.size()};
  for (Index i = first_row; i < trace.at(steps[0]).value.rows(); ++i) {
    table.rows.push_back({word_of_row(trace.at(steps[0]), i)});
    for (const std::string& step : steps)
      table.rows.back().push_back(most_of_row(trace.at(step), i));
  }
  return table;
}

/// Whether each row of a step from `first` on has its largest number in column `expected(row)`.
template <typename Expected>
bool each_row(const Trace& trace, const std::string& id, Index first, const Expected& expected) {
  const Step& step = trace.at(id);
  for (Index i = first; i < step.value.rows(); ++i)
    if (largest_in_row(step, i) != expected(i)) return false;
  return true;
}

/// Whether the row of a word has its largest number in the column of another.
bool row_has(const Trace& trace, const std::string& id, const std::string& word,
             const std::string& other) {
  const Step& step = trace.at(id);
  for (Index i = 0; i < step.value.rows(); ++i) {
    if (word_of_row(step, i) == word)
      return name_of_col(step, {0, 0, i, largest_in_row(step, i)}).name == other;
  }
  return false;
}

/// The mean entropy of the rows, in bits: 0 if every query looks at one key.
double mean_entropy(const Tensor& weights) {
  double bits = 0.0;
  for (Index i = 0; i < weights.rows(); ++i) bits += entropy(weights.row(0, 0, i));
  return bits / static_cast<double>(weights.rows());
}

/// A trained model and what it should write.
struct Model {
  std::vector<LabelDraft> labels;
  SharedTrace trace;
};

/// A sample; `reordered`: each matrix of weights with its numbers in the opposite order.
Model model(const std::string& sample, bool reordered = false) {
  ProblemDraft draft = draft_of_sample(sample);
  for (auto& [name, array] : draft.weights) {
    if (reordered) std::reverse(array.data.begin(), array.data.end());
  }
  return {draft.labels.at(0), computed(draft)};
}

/// How many words are right, of how many.
std::pair<int, int> right_words(const Model& of) {
  const Step& step = of.trace->at("probabilities");
  int right = 0, all = 0;
  for (Index i = 0; i < step.value.rows(); ++i) {
    const LabelDraft& expected = of.labels.at(static_cast<std::size_t>(i));
    if (!expected.text) continue;
    ++all;
    right += name_of_col(step, {0, 0, i, largest_in_row(step, i)}).name == *expected.text ? 1 : 0;
  }
  return {right, all};
}

std::string out_of(const std::pair<int, int>& count) {
  return std::to_string(count.first) + " of " + std::to_string(count.second);
}

void tell_induction(Telling& lesson, const SharedTrace& repeats) {
  const Index period = repeats->at(kFirst).value.rows() / 2;
  lesson.say(
      "The first continues random words that repeat, such as owl key sun fox map cup, owl key sun. "
      "It has two layers of attention and nothing else.");
  lesson.ask("The second 'owl' has just been read. Which earlier word says what comes next?",
             "'key', which came after the first 'owl'. But how does a head find it? Its query is "
             "'owl', and 'key' is another word.");
  lesson.table(most_of_rows(*repeats,
                            {"second round", "layer 0 looks at", "layer 1 looks at", "writes"},
                            {kFirst, kSecond, "probabilities"}, period));
  lesson.say(
      "Layer 0 is a previous-token head: it adds to each word what came before it, so 'key' now "
      "also says 'after owl'. Layer 1 is an induction head: the second 'owl' looks for the word "
      "that says so.");
  lesson.claim("Layer 0: every word but the first looks most at the word before it.",
               each_row(*repeats, kFirst, 1, [](Index i) { return i - 1; }));
  lesson.claim(
      "Layer 1: every word of the second round looks most at the word that came after it in the "
      "first.",
      each_row(*repeats, kSecond, period, [&](Index i) { return i - period + 1; }));
}

void tell_reversal(Telling& lesson) {
  const auto reversal = model("16-reversal").trace;
  lesson.say("The second model reads 'stressed' and writes it backwards, with cross attention.");
  lesson.ask("Where are its large weights?",
             "On the other diagonal: what it writes first, it read last.");
  lesson.beside(reversal, kCross, "cross attention");
  const Index letters = reversal->at(kCross).value.cols() - 1;
  lesson.claim(
      "The row that writes letter i looks most at letter i from the end; the row that ends the "
      "word looks at <eos>.",
      each_row(*reversal, kCross, 0,
               [&](Index i) { return i < letters ? letters - 1 - i : letters; }));
}

void tell_words(Telling& lesson) {
  const SharedTrace french = model("17-english-french").trace;
  lesson.say("The third translates 'I am eating an apple .'");
  lesson.ask("It has written 'Je mange'. Which English word decides between 'un' and 'une'?",
             "'apple': 'pomme' is feminine.");
  lesson.table(most_of_rows(*french, {"after", "looks at", "writes"}, {kCross, "probabilities"}));
  lesson.claim(
      "'Je' looks at 'eating' and writes 'mange'.",
      row_has(*french, kCross, "Je", "eating") && row_has(*french, "probabilities", "Je", "mange"));
  lesson.claim("'mange' looks at 'apple' and writes 'une'.",
               row_has(*french, kCross, "mange", "apple") &&
                   row_has(*french, "probabilities", "mange", "une"));
  lesson.claim(
      "'pomme' looks at 'an' and writes the full stop: not every weight has an obvious reason.",
      row_has(*french, kCross, "pomme", "an") && row_has(*french, "probabilities", "pomme", "."));
}

void tell_wiring(Telling& lesson) {
  lesson.say(
      "Is it the wiring or the training? Keep the wiring, and put the numbers of each weight "
      "matrix in the opposite order. Entropy says how widely a head spreads its attention: 0 bits "
      "if every query looks at one key.");
  Table table{{"head", "right words", "right if reordered", "bits", "bits if reordered"}, {}, 3};
  bool sharper = true, better = true;
  for (const auto& [name, sample, weights] :
       std::vector<std::array<std::string, 3>>{{"previous token", "15-induction", kFirst},
                                               {"induction", "15-induction", kSecond},
                                               {"other diagonal", "16-reversal", kCross},
                                               {"translation", "17-english-french", kCross}}) {
    const Model trained = model(sample), other = model(sample, true);
    const auto right = right_words(trained), other_right = right_words(other);
    const double bits = mean_entropy(trained.trace->value(weights)),
                 other_bits = mean_entropy(other.trace->value(weights));
    table.rows.push_back(
        {name, out_of(right), out_of(other_right), lesson.number(bits), lesson.number(other_bits)});
    sharper = sharper && bits < other_bits;
    better = better && right.first == right.second && 2 * other_right.first < right.second;
  }
  lesson.table(table);
  lesson.claim(
      "As trained, every word is right; with the numbers in another order, most are wrong.",
      better);
  lesson.claim(
      "The same numbers in another order make every head look more widely: its entropy is higher.",
      sharper);
}

}  // namespace

void tell_what_heads_learn(Telling& lesson) {
  lesson.say(
      "Nobody wrote the weights of the next three models. Each was trained on one task, and its "
      "heads found out what to look at.");
  tell_induction(lesson, lesson.attended());
  tell_reversal(lesson);
  tell_words(lesson);
  tell_wiring(lesson);

  lesson.next("heatmap {} --overview", "both heads of this model");
  lesson.next("generate {} --text \"cup hat pen cup\"", "how it continues this");
  lesson.next("new --sample 16-reversal -o reversal.json", "save the second model");
  lesson.next("generate reversal.json --text \"<bos>\"", "it writes backwards");
}

}  // namespace attn
