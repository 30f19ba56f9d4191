// In symbols: what the letters of two and of four tokens say about every attention.
#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "attn/phrases.hpp"
#include "teach/lessons/changes.hpp"
#include "teach/lessons/followed.hpp"

namespace attn {
namespace {

const char* subscript(Index i) {
  constexpr std::array kDigits{"₁", "₂", "₃", "₄"};
  return kDigits.at(static_cast<std::size_t>(i));
}

/// `count` tokens in letters: the scores that softmax sees, and the row that comes out. What is
/// hidden is looked up in an attention of that size.
Table in_letters(Index count, const std::string& mask) {
  ProblemDraft draft;
  draft.q = draft.k = draft.v = Array{{count, 1}, std::vector<double>(size_t(count), 1.0)};
  draft.masks = {parse_mask(mask)};
  const SharedTrace trace = computed(draft);
  Table table{{"query"}, {}, static_cast<std::size_t>(count) + 2};
  for (Index j = 0; j < count; ++j)
    table.header.push_back(std::string("key ") + std::to_string(j + 1));
  table.header.emplace_back("output");
  for (Index i = 0; i < count; ++i) {
    const std::string q = subscript(i);
    std::vector<std::string> row{std::to_string(i + 1)};
    std::string sum;
    const Followed query = followed(*trace, {0, 0, i, 0});
    for (Index j = 0; j < count; ++j) {
      const std::string k = subscript(j);
      const bool seen = query.weights[static_cast<std::size_t>(j)] != 0.0;
      row.push_back(seen ? "q" + q + "·k" + k : "−∞");
      if (seen) sum += (sum.empty() ? "" : " + ") + ("a" + q + k) + "v" + k;
    }
    row.push_back("o" + q + " = " + sum);
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::ptrdiff_t visible_scores(const Table& letters) {
  std::ptrdiff_t count = 0;
  for (const auto& row : letters.rows)
    count += std::count_if(row.begin(), row.end(),
                           [](const std::string& score) { return score.starts_with("q"); });
  return count;
}

/// Whether `holds` is true of every query of every head.
bool for_all(const Trace& trace, const std::function<bool(const Followed&)>& holds) {
  const Tensor& weights = trace.last_weights()->value;
  for (Index n = 0; n < weights.batch(); ++n) {
    for (Index h = 0; h < weights.heads(); ++h) {
      for (Index i = 0; i < weights.rows(); ++i)
        if (!holds(followed(trace, {n, h, i, 0}))) return false;
    }
  }
  return true;
}

bool passes_through(const Followed& row) {
  const std::span<const double> value = row.values[row.strongest()];
  return std::equal(value.begin(), value.end(), row.mixed.begin(), row.mixed.end());
}

/// The queries, of those shown, that give everything to one key: "that is true of 'we'."
std::string whole_rows(const Trace& trace) {
  std::vector<std::string> names;
  for (Index i = 0; i < trace.last_weights()->value.rows(); ++i) {
    const Followed row = followed(trace, {0, 0, i, 0});
    if (row.weights[row.strongest()] == 1.0) names.push_back(row.token);
  }
  return names.empty() ? "no weight is 1." : "that is true of " + listed(names, 4) + ".";
}

/// The same problem, in which each query sees only the key that it gives most to.
SharedTrace one_key_each(const Telling& lesson, const Trace& trace) {
  const Tensor& weights = trace.last_weights()->value;
  Array allowed{{weights.rows(), weights.cols()}, {}};
  for (Index i = 0; i < weights.rows(); ++i) {
    const auto strongest = static_cast<Index>(followed(trace, {0, 0, i, 0}).strongest());
    for (Index j = 0; j < weights.cols(); ++j) allowed.data.push_back(j == strongest ? 1.0 : 0.0);
  }
  return lesson.attended([&](ProblemDraft& draft) {
    mask_only(draft, {});
    draft.allowed = allowed;
  });
}

void tell_second_token(Telling& lesson) {
  lesson.say(
      "Numbers can hide a pattern that letters show. Let q₁, k₁ and v₁ be the query, the key and "
      "the value of token 1, and a₁₂ the weight that query 1 gives to key 2. Subscripts count from "
      "1, as on paper; attn counts from 0.");
  lesson.say(
      "A token on its own sees only itself. Its one weight is 1, so o₁ = v₁. Then a second token "
      "arrives.");
  const Table open = in_letters(2, "none"), masked = in_letters(2, "causal");
  lesson.ask("What happens to the row of the first token?",
             "It becomes " + open.rows[0].back() +
                 ": two weights share what one had, and v₂ joins in. The past has changed.");
  lesson.table(open);
  lesson.ask("A causal mask replaces " + open.rows[0][2] + " with " + masked.rows[0][2] +
                 ". What is left of o₁?",
             masked.rows[0].back() +
                 ": e^−∞ = 0, so a₁₁ is 1 again, and o₁ is v₁, with or without token 2.");
  lesson.table(masked);
}

void tell_four_tokens(Telling& lesson) {
  lesson.say(
      "The same with four tokens. (Without projections, a token s is its own query, key and "
      "value: read s₁·s₂ᵀ for q₁·k₂, and s₂ for v₂. Some authors name the key first, and write a₂₁ "
      "for this a₁₂.)");
  const Table four = in_letters(4, "causal");
  lesson.ask("How many of the 16 weights does the causal mask leave?",
             std::to_string(visible_scores(four)) + ": row i keeps i of them.");
  lesson.table(four);
}

void tell_mixtures(Telling& lesson, const SharedTrace& trace) {
  View one;
  one.batch = one.head = 0;
  lesson.say(
      "Each output is a weighted sum of rows of V. No weight is negative, and they add up to 1: "
      "such a sum is called a convex combination. It cannot leave the range of what it mixes.");
  lesson.beside(trace, trace->last_weights()->id, "weights", one);
  lesson.beside(trace, "v", "values", one);
  lesson.beside(trace, trace->find("context") != nullptr ? "context" : "output", "mixed", one);
  lesson.claim("No weight is negative, and the weights of each query add up to 1.",
               for_all(*trace, [](const Followed& row) {
                 const auto& w = row.weights;
                 return *std::min_element(w.begin(), w.end()) >= 0.0 &&
                        is_close(std::accumulate(w.begin(), w.end(), 0.0), 1.0);
               }));
  lesson.claim(
      "Each mixed number lies between the smallest and the largest number in that column of V, "
      "among the keys that the query sees.",
      for_all(*trace, lies_between));
}

void tell_unchanged_rows(Telling& lesson, const SharedTrace& trace) {
  lesson.ask("When does a row of V come out unchanged? Does one, here?",
             "When one weight is 1, and so all others are 0. Here " + whole_rows(*trace));
  lesson.claim(
      "If each query sees only the key to which it gives the most weight, that key's value passes "
      "through, to the last digit.",
      for_all(*one_key_each(lesson, *trace), passes_through));
  const auto causal = lesson.attended([](ProblemDraft& draft) { mask_only(draft, {"causal"}); });
  if (followed(*causal, {}).visible == std::vector<std::size_t>{0}) {
    lesson.claim("With a causal mask, row 0 of the mixture is exactly row 0 of V.",
                 passes_through(followed(*causal, {})));
  }
}

}  // namespace

void tell_symbols(Telling& lesson) {
  const auto trace = lesson.attended();
  lesson.needs(for_all(*trace, [](const Followed& row) { return !row.visible.empty(); }),
               "queries that all see a key");
  lesson.needs(!lesson.draft().add_zero_attn && !lesson.draft().weights.contains("bias_k"),
               "keys that masks can hide, so no added keys");

  tell_second_token(lesson);
  tell_four_tokens(lesson);
  tell_mixtures(lesson, trace);
  tell_unchanged_rows(lesson, trace);

  lesson.next("explain {} --cell output:" + std::to_string(followed(*trace).cell.row),
              "one output row as a sum of rows");
  if (can_unmask(lesson.draft()))
    lesson.next("explain {} --mask none --only", "every row reaches every value", to_mask("none"));
  lesson.next("explain {} --scale 100 --only", "scores so far apart that one wins",
              [](ProblemDraft& draft) {
                draft.scale = {ScaleRule::Kind::Number, 100.0};
              });
}

}  // namespace attn
