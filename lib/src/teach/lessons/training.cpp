// Training is inference: token by token with a cache gives the rows of one masked pass.
#include <algorithm>

#include "attn/attend.hpp"
#include "attn/generate.hpp"
#include "attn/phrases.hpp"
#include "core/operations/positions/rope_frequencies.hpp"
#include "core/text/thousands.hpp"
#include "core/trace/multiplications.hpp"
#include "teach/lessons/changes.hpp"
#include "teach/lessons/followed.hpp"

namespace attn {
namespace {

Array as_array(const Tensor& t) {
  Array array{{t.rows(), t.cols()}, t.data().copy()};
  if (t.shape().heads) array.shape.insert(array.shape.begin(), *t.shape().heads);
  return array;
}

/// Tokens `first` to `last` alone: with the keys and values that `before` kept, if there is one.
ProblemDraft part_of(const ProblemDraft& all, const Tensor& x, Index first, Index last,
                     const Trace* before) {
  ProblemDraft part = all;
  const auto& words = all.tokens.front();
  part.tokens = {{words.begin() + first, words.begin() + last + 1}};
  const auto rows = x.data().begin();
  part.embeddings =
      Array{{last + 1 - first, x.cols()}, {rows + first * x.cols(), rows + (last + 1) * x.cols()}};
  part.embedding_table.clear();
  part.text.reset();
  for (std::vector<Index>& ids : part.positions.ids)
    ids = {ids.begin() + first, ids.begin() + last + 1};
  if (before == nullptr) return part;
  part.past = {{words.begin(), words.begin() + first},
               as_array(before->input(before->at("scores"), 1).value),
               as_array(before->input(mixed_step(*before), 1).value)};
  if (is_added(part.positions.kind) && part.positions.ids.empty())
    part.positions.offset = part.positions.offset.value_or(0) + first;
  return part;
}

bool same_row(const Trace& a, Index row_of_a, const Trace& b, Index row_of_b) {
  const auto left = a.value("output").row(0, 0, row_of_a),
             right = b.value("output").row(0, 0, row_of_b);
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](double x, double y) { return is_close(x, y); });
}

/// The same for a whole model, which generates.
void tell_of_a_model(Telling& lesson) {
  const ProblemDraft sample = draft_of_sample("16-reversal");
  const Trace pass = attend(make_problem(sample));
  ProblemDraft begun = sample;
  begun.text = "<bos>";
  const Generation made = generate(begun);

  lesson.say(
      "A whole model can do the same, because attention is the only place where its tokens meet. "
      "The sample 16-reversal has learned to write words backwards. Let it reverse 'stressed', "
      "each letter fed back as the next input, and compare with one masked pass over the answer, "
      "as in training.");
  lesson.ask(
      "The pass sees the right letters, generation only its own. When do the two agree?",
      "As long as every letter that it writes is right, as here. After a mistake, the inputs "
      "differ.");
  Table table{{"it writes", "probability", "in the pass", "multiplications", "without cache"}, {}};
  const Tensor& probabilities = pass.value("probabilities");
  bool right = made.tokens.size() == sample.labels.front().size(), same = right;
  double with = 0.0, without = 0.0;
  for (std::size_t t = 0; right && t < made.tokens.size(); ++t) {
    const GeneratedToken& token = made.tokens[t];
    const double taught =
        probabilities.row(0, 0, static_cast<Index>(t))[static_cast<std::size_t>(token.id)];
    right = sample.labels.front()[t].text == token.token;
    same = same && is_close(token.probability, taught);
    with += token.multiplications;
    without += token.multiplications_without_cache;
    table.rows.push_back({token.token, lesson.share(token.probability), lesson.share(taught),
                          in_thousands(token.multiplications),
                          in_thousands(token.multiplications_without_cache)});
  }
  lesson.table(table);
  lesson.claim("It writes the letters that training uses as labels.", right);
  lesson.claim("Each has, to twelve digits, the probability that the masked pass gives it.", same);
  lesson.claim(filled("The cache saves {} of {} multiplications.", in_thousands(without - with),
                      in_thousands(without)),
               with < without);
}

/// Each token alone, with what was kept of those before it.
struct OneByOne {
  SharedTrace last;
  bool cached = true;                ///< every row is that of the masked pass
  bool again = true;                 ///< so is the last row of each prefix, without a cache
  double with = 0.0, without = 0.0;  ///< multiplications
  Table work{{"token", "keys", "with a cache", "from scratch"}, {}};
};

OneByOne one_by_one(const ProblemDraft& draft, const Tensor& x, const Trace& pass) {
  std::vector<SharedTrace> alone;
  OneByOne rows;
  for (Index t = 0; t < x.rows(); ++t) {
    const Trace* before = alone.empty() ? nullptr : alone.back().get();
    alone.push_back(computed(part_of(draft, x, t, t, before)));
    const Trace prefix = attend(make_problem(part_of(draft, x, 0, t, nullptr)));
    rows.cached = rows.cached && same_row(*alone.back(), 0, pass, t);
    rows.again = rows.again && same_row(prefix, t, pass, t);
    const double few = multiplications(*alone.back()), many = multiplications(prefix);
    rows.with += few;
    rows.without += many;
    rows.work.rows.push_back({draft.tokens.front()[static_cast<std::size_t>(t)],
                              std::to_string(t + 1), in_thousands(few), in_thousands(many)});
  }
  rows.last = alone.back();
  return rows;
}

void tell_of_the_rows(Telling& lesson, const OneByOne& rows, const Trace& pass) {
  lesson.say("So give each token to the layer by itself, with the cache. The last one:");
  lesson.show(rows.last, {"k_all", "weights", "output"});
  lesson.claim("Token by token with a cache, every row agrees with the masked pass to 12 digits.",
               rows.cached);
  lesson.claim("So does the last row of each prefix, computed from scratch.", rows.again);
  lesson.say("The rows are the same; the work is not. Multiplications for each token:");
  lesson.table(rows.work);
  const double all = multiplications(pass);
  const Settings& sizes = pass.settings();
  const Index n = sizes.n_queries, hidden = n * (n - 1) / 2,
              each = sizes.heads * (sizes.d_k + sizes.d_v);
  lesson.ask(filled("The masked pass takes {}. With a cache, all tokens together take {}. Which "
                    "multiplications are missing?",
                    in_thousands(all), in_thousands(rows.with)),
             filled("Those for the {}, which the pass computes and throws away.",
                    counted(hidden, "hidden pair")));
  lesson.claim(filled("The difference is {}·{}: for each hidden pair, a dot product of d_k numbers "
                      "and a value of d_v numbers{}.",
                      hidden, each, sizes.heads > 1 ? " in each head" : ""),
               all - rows.with == static_cast<double>(hidden * each));
  lesson.claim(filled("From scratch for each token, it would be {}.", in_thousands(rows.without)),
               rows.without > all);
  lesson.say(
      "Why, then, is training faster than writing? Its rows do not wait for each other: one pass "
      "computes them all at the same time, and only a mask is needed to make that honest.");
}

}  // namespace

void tell_training(Telling& lesson) {
  ProblemDraft draft = lesson.draft();
  mask_only(draft, {"causal"});
  draft.labels.clear();
  draft.align = Align::Start;
  const Problem problem = make_problem(draft);
  lesson.needs(problem->x && !problem->memory && !problem->batch && problem->n_past == 0 &&
                   problem->n_extra == 0 && problem->n_queries > 1,
               "one sequence of at least two embeddings, which attend to each other");
  const auto& scaling = draft.positions.scaling;
  lesson.needs(!scaling || !depends_on_length(*scaling),
               "rotary positions whose angles do not depend on the length of the text");
  draft.tokens = problem->query_tokens;
  const auto pass = std::make_shared<const Trace>(attend(problem));
  const std::string last = quoted_token(draft.tokens.front().back());

  say_what_is_set_aside(lesson);
  lesson.say(
      "In training, all tokens are known, and one pass computes all rows. A causal mask keeps each "
      "row from seeing what comes later.");
  lesson.beside(pass, "weights", "weights");
  lesson.beside(pass, "output", "output");
  lesson.say("When a model writes, the later tokens do not exist yet: rows come one by one.");
  lesson.ask(
      "What does " + last + " need from earlier tokens to get its row?",
      "Their keys and values, nothing else. In this layer they come from each token alone; in "
      "deeper layers, the causal mask keeps them from changing. So they can be kept: that is "
      "the key/value cache.");
  tell_of_the_rows(lesson, one_by_one(draft, *problem->x, *pass), *pass);
  if (!lesson.is_own()) tell_of_a_model(lesson);

  const std::string causal = causal_option(lesson.draft());
  lesson.next("explain {}" + causal + " --only", "one masked pass",
              causal.empty() ? Edit{} : to_mask("causal"));
  if (can_unmask(lesson.draft()))
    lesson.next("explain {} --mask none --only", "without the mask", to_mask("none"));
  if (lesson.is_own()) return;
  lesson.next("new --sample 16-reversal -o reversal.json", "it writes backwards");
  lesson.next("generate reversal.json --text \"<bos>\" --no-cache", "without the cache");
}

}  // namespace attn
