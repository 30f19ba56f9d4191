// Translation: a decoder that reads English and writes French.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "attn/generate.hpp"
#include "attn/phrases.hpp"
#include "core/trace/axis_names.hpp"
#include "teach/lessons/changes.hpp"

namespace attn {
namespace {

constexpr const char* kCrossWeights = "decoder.layers.0.multihead_attn.weights";
constexpr const char* kSelf = "decoder.layers.0.self_attn.weights";
constexpr Index kJe = 1, kEats = 2, kArticle = 3, kNoun = 4;  // rows of the target

Index best(std::span<const double> row) {
  return std::max_element(row.begin(), row.end()) - row.begin();
}

/// What a model says after each word of the target.
struct Words {
  SharedTrace trace;

  const Tensor& shares() const { return trace->value("probabilities"); }
  std::span<const double> row(Index r) const { return shares().row(0, 0, r); }
  Index item(const std::string& word) const {
    const auto& words = trace->scope().vocabulary;
    return std::find(words.begin(), words.end(), word) - words.begin();
  }
  double share(Index r, const std::string& word) const {
    return row(r)[static_cast<std::size_t>(item(word))];
  }
  const std::string& first_choice(Index r) const {
    return trace->scope().vocabulary[static_cast<std::size_t>(best(row(r)))];
  }
};

/// The key that a row of weights gives most to, and the keys that it sees and does not see.
struct Looks {
  std::string most;
  std::vector<std::string> seen, hidden;
};
Looks looks_of(const Step& weights, Index row) {
  Looks looks;
  const auto shares = weights.value.row(0, 0, row);
  for (Index c = 0; c < weights.value.cols(); ++c) {
    const std::string name = quoted_token(name_of_col(weights, {0, 0, row, c}).name);
    if (c == best(shares)) looks.most = name;
    (shares[static_cast<std::size_t>(c)] == 0.0 ? looks.hidden : looks.seen).push_back(name);
  }
  return looks;
}

/// The same source with other words in the target.
Words with_words(const Telling& lesson, const std::map<Index, std::string>& words) {
  return {lesson.attended([&](ProblemDraft& draft) {
    draft.labels.clear();
    for (const auto& [at, word] : words)
      draft.tokens.front().at(static_cast<std::size_t>(at)) = word;
  })};
}

void tell_of_the_labels(Telling& lesson, const Words& words) {
  const auto& target = lesson.draft().tokens.front();
  const auto& labels = lesson.draft().labels.front();
  lesson.say(
      "How does it learn this? In training the whole translation is known. The decoder gets it "
      "without its last word, <eos>; the labels are the same without the first, <bos>.");
  lesson.ask("Which word is the label of the row of 'Je'?",
             quoted_token(*labels[kJe].text) +
                 ", the word after it: the labels are the target, shifted by one.");
  Table table{{"row", "label", "probability", "first choice", "loss"}, {}, 2};
  bool shifted = true, learned = true, logarithms = true;
  double sum = 0.0;
  for (std::size_t r = 0; r < labels.size(); ++r) {
    const auto at = static_cast<Index>(r);
    const std::string& label = *labels[r].text;
    const double share = words.share(at, label);
    const double loss = words.trace->value("loss").at({0, 0, at, 0});
    shifted = shifted && (r + 1 == target.size() ? label == "<eos>" : label == target[r + 1]);
    learned = learned && words.first_choice(at) == label;
    logarithms = logarithms && is_close(loss, -std::log(share), 1e-9);
    sum += loss;
    table.rows.push_back(
        {target[r], label, lesson.share(share), words.first_choice(at), lesson.number(loss)});
  }
  lesson.table(table);
  const double mean = words.trace->value("mean_loss").data().front();
  lesson.claim(filled("{} rows, {} labels: each is the target's next word, the last is <eos>.",
                      target.size(), labels.size()),
               shifted && target.size() == labels.size());
  lesson.claim("The first choice of every row is its label.", learned);
  lesson.claim(
      "The loss of a row is −ln of its label's probability; training makes their mean "
      "small, all rows at once.",
      logarithms && is_close(mean, sum / static_cast<double>(labels.size()), 1e-9));
  const SharedTrace padded =
      lesson.attended([](ProblemDraft& draft) { draft.labels.front().back() = {}; });
  const double fewer = sum - words.trace->value("loss").data().back();
  lesson.claim(filled("Labels of padding do not count: with the last label left out, the mean is "
                      "that of the other {}.",
                      labels.size() - 1),
               is_close(padded->value("mean_loss").data().front(),
                        fewer / static_cast<double>(labels.size() - 1), 1e-9));
}

void tell_of_the_future(Telling& lesson, const Words& words) {
  lesson.say(
      "If the decoder gets the whole translation, could a row not simply read the next word? Its "
      "own attention, from French to French, has a causal mask:");
  View one;
  lesson.beside(words.trace, kSelf, "French to French", one);
  const Looks french = looks_of(words.trace->at(kSelf), kJe);
  lesson.ask("The row of 'Je' produces " + quoted_token(words.first_choice(kJe)) +
                 ". Which French words does it see?",
             listed(french.seen) + ". The others are hidden: " + listed(french.hidden) + ".");
  const Words later = with_words(lesson, {{kArticle, "un"}, {kNoun, "citron"}});
  const Words tu = with_words(lesson, {{kJe, "Tu"}}), une = with_words(lesson, {{kJe, "une"}});
  lesson.claim(
      "With 'un citron' in place of 'une pomme', the row of probabilities of 'Je' stays the "
      "same, digit for digit.",
      std::equal(words.row(kJe).begin(), words.row(kJe).end(), later.row(kJe).begin()));
  lesson.claim(
      "With 'Tu' in place of 'Je', the first choice is 'manges': the ending depends "
      "on the French word before it, although the English source still says 'I'.",
      tu.first_choice(kJe) == "manges");
  lesson.say(
      "It is a common slip to say that 'mange' is produced given 'une'. That word is still hidden; "
      "the word to go by is 'Je'.");
  lesson.claim("Given 'une' in place of 'Je', the probability of 'mange' falls from " +
                   lesson.number(words.share(kJe, "mange")) + " to " +
                   lesson.number(une.share(kJe, "mange")) + "; the first choice is '" +
                   une.first_choice(kJe) + "'.",
               une.share(kJe, "mange") < 0.1);
}

void tell_of_generation(Telling& lesson, const Words& words) {
  ProblemDraft begun = lesson.draft();
  begun.text = "<bos>";
  const Generation made = generate(begun);
  const auto& labels = lesson.draft().labels.front();
  lesson.say("Once trained, the decoder is on its own: it gets the English sentence and <bos>.");
  lesson.ask("Where does it get the other French words from?",
             "From itself: the most probable word is fed back, until it is <eos>.");
  std::vector<std::string> written;
  bool same = made.tokens.size() == labels.size();
  for (std::size_t t = 0; t < made.tokens.size(); ++t) {
    written.push_back(made.tokens[t].token);
    same = same && labels[t].text == written.back() &&
           is_close(made.tokens[t].probability, words.share(static_cast<Index>(t), written.back()));
  }
  lesson.claim("It writes '" + separated(written, " ") +
                   "', word for word the labels, with the probabilities of the table above.",
               same);
}

}  // namespace

void tell_translation(Telling& lesson) {
  const Words words{lesson.attended()};
  const Tensor& cross = words.trace->value(kCrossWeights);
  lesson.say(
      "A small model, trained on 810 sentences, translates 'I am eating an apple.' An encoder "
      "turns the English words into rows, and they stay as they are while a decoder writes French. "
      "Its cross attention lets French ask and English answer: queries come from the decoder, keys "
      "and values from the encoder.");
  lesson.beside(words.trace, kCrossWeights, "French to English");
  lesson.ask("The row of 'Je' looks at " + looks_of(words.trace->at(kCrossWeights), kJe).most +
                 ", not at 'I'. Why?",
             "A row produces the next word. After 'Je' comes " +
                 quoted_token(words.first_choice(kJe)) + ".");
  lesson.claim("The row of 'Je' looks mostly at 'eating', that of 'mange' at 'apple'.",
               best(cross.row(0, 0, kJe)) == 2 && best(cross.row(0, 0, kEats)) == 4);
  const Words lemon{lesson.attended([](ProblemDraft& draft) {
    draft.source->tokens = {{"I", "am", "eating", "a", "lemon", "."}};
  })};
  lesson.claim(
      "The noun decides between 'une' and 'un': with 'a lemon' in the source, the first "
      "choice after 'mange' is 'un'.",
      words.first_choice(kEats) == "une" && lemon.first_choice(kEats) == "un");
  lesson.claim("Nothing is hidden here: no weight is 0.",
               all_cells(cross, [&](const Cell& cell) { return cross.at(cell) > 0.0; }));

  const Index items = words.shares().cols();
  lesson.say(filled(
      "A last linear layer compares each row with the {} words of the vocabulary, and "
      "softmax turns the results into probabilities: Y is 6 × {}. Rows and columns count from "
      "0; row 0 produces word 1.",
      items, items));
  const std::string third = words.trace->scope().vocabulary[2];
  lesson.ask(filled("Read Y[1, 2] aloud: it is {}, and column 2 is '{}'.",
                    lesson.number(words.share(kJe, third)), third),
             "Given the English sentence and '<bos> Je', the probability that word 2 of the "
             "translation is item 3 of the vocabulary, '" +
                 third + "'.");
  lesson.claim(
      filled("Y[1, {}], the probability of 'mange', is {}; the row adds up to 1.",
             words.item("mange"), lesson.number(words.share(kJe, "mange"))),
      best(words.row(kJe)) == words.item("mange") &&
          is_close(std::accumulate(words.row(kJe).begin(), words.row(kJe).end(), 0.0), 1.0));

  tell_of_the_labels(lesson, words);
  tell_of_the_future(lesson, words);
  tell_of_generation(lesson, words);

  lesson.next("new --sample 17-english-french -o fr.json", "this model, as a file");
  lesson.next("explain fr.json --summary", "every part of it");
  lesson.next("explain fr.json --cell probabilities:Je,mange", "one element of Y");
  lesson.next("explain fr.json --steps loss,mean_loss", "the loss");
  lesson.next("generate fr.json --text \"<bos>\"", "word by word");
  lesson.next("generate fr.json --text \"<bos> Nous\"", "'Nous' instead of 'Je'");
}

}  // namespace attn
