// Ways to multiply Q, K, V and the weights wrongly, and to take one axis for another.
#include <algorithm>
#include <string>
#include <utility>

#include "support/wrong_attention.hpp"

namespace attn::testing {
namespace {

/// Q·K: works only where there are as many keys as columns.
void keys_not_transposed(Spoiling& spoiling) {
  spoiling.habits().score = [](const Facts&, const Habits&, const Heads& qkv) {
    return filled(qkv.q.batch, qkv.q.heads, qkv.q.rows, qkv.k.cols,
                  [&](Index b, Index h, Index i, Index j) {
                    double sum = 0;
                    for (Index c = 0; c < qkv.q.cols; ++c) {
                      sum += qkv.q.at(b, h, i, c) * qkv.k.at(b, h, c, j);
                    }
                    return sum;
                  });
  };
}

void scores_transposed(Spoiling& spoiling) {
  spoiling.habits().score = [](const Facts& facts, const Habits& habits, const Heads& qkv) {
    return right_score(facts, habits, {qkv.k, qkv.q, qkv.v});
  };
}

void query_value(Spoiling& spoiling) {
  spoiling.habits().score = [](const Facts& facts, const Habits& habits, const Heads& qkv) {
    return right_score(facts, habits, {qkv.q, qkv.v, qkv.v});
  };
}

void query_query(Spoiling& spoiling) {
  spoiling.habits().score = [](const Facts& facts, const Habits& habits, const Heads& qkv) {
    return right_score(facts, habits, {qkv.q, qkv.q, qkv.v});
  };
}

void weights_transposed(Spoiling& spoiling) {
  spoiling.habits().mix = [](const Facts& facts, const Habits& habits, const Block& weights,
                             const Block& v) {
    const Block turned =
        filled(weights.batch, weights.heads, weights.cols, weights.rows,
               [&](Index b, Index h, Index i, Index j) { return weights.at(b, h, j, i); });
    return right_mix(facts, habits, turned, v);
  };
}

/// N × T × d as T × N × d, or back.
Array turned(const Array& array) {
  const Index first = array.shape[0], second = array.shape[1], width = array.shape[2];
  Array result{{second, first, width}, {}};
  for_each(1, second, first, width, [&](Index, Index j, Index i, Index c) {
    result.data.push_back(array.data[static_cast<std::size_t>((i * second + j) * width + c)]);
  });
  return result;
}

/// Batch entries take the place of tokens; what is one row for each token keeps its layout.
void batch_as_tokens(Spoiling& spoiling) {
  ProblemDraft& draft = spoiling.draft();
  draft.embeddings = turned(*draft.embeddings);
  spoiling.habits().afterwards.push_back([](Steps& steps) {
    for (const char* id : {"x", "q", "k", "v", "concat", "output"}) {
      steps.at(id) = turned(steps.at(id));
    }
  });
}

}  // namespace

WrongWays wrong_products() {
  return {
      {"keys.not_transposed", "", square_keys_problem, keys_not_transposed},
      {"scores.transposed", "", causal_problem, scores_transposed},
      {"scores.transposed", "no mask", unmasked_problem, scores_transposed},
      {"scores.query_value", "", causal_problem, query_value},
      {"scores.query_query", "", causal_problem, query_query},
      {"context.weights_transposed", "", causal_problem, weights_transposed},
      {"context.weights_transposed", "no mask", unmasked_problem, weights_transposed},
      {"axes.batch_token", "", batch_problem, batch_as_tokens},
  };
}

}  // namespace attn::testing
