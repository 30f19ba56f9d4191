// Random problems: reproducible, and within the promised bounds.
#include "attn/core/random_problem.hpp"
#include "attn/eigen.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "attn/torch_random.hpp"
#include "core/tensor/integer_draws.hpp"
#include "support/errors.hpp"

namespace attn::testing {
namespace {

using Numbers = std::vector<double>;

const RandomProblem kWishes[] = {
    {},
    {.tokens = 1, .d_model = 1},
    {.tokens = 3, .d_model = 4, .d_k = 2, .d_v = 5},
    {.tokens = 4, .d_model = 6, .heads = 2},
    {.tokens = 6, .d_model = 12, .heads = 3, .d_k = 4, .d_v = 2},
    {.tokens = 8, .d_model = 16, .heads = 1},
};

/// The rows of a matrix.
std::vector<Numbers> rows_of(const Array& matrix) {
  std::vector<Numbers> rows;
  for (auto i = matrix.data.begin(); i != matrix.data.end(); i += matrix.shape[1]) {
    rows.emplace_back(i, i + matrix.shape[1]);
  }
  return rows;
}

/// How many columns hold only zeros.
int zero_columns(const Array& matrix) {
  int count = 0;
  for (std::ptrdiff_t j = 0; j < matrix.shape[1]; ++j) {
    bool zero = true;
    for (const Numbers& row : rows_of(matrix)) zero &= row[static_cast<std::size_t>(j)] == 0;
    count += zero ? 1 : 0;
  }
  return count;
}

bool is_small_and_whole(const Array& matrix) {
  return std::all_of(matrix.data.begin(), matrix.data.end(),
                     [](double x) { return std::trunc(x) == x && std::abs(x) <= 2; });
}

void check_scores(const Tensor& scores, double largest) {
  for (Index head = 0; head < scores.heads(); ++head) {
    const auto s = view(scores, 0, head);
    CHECK(s.cwiseAbs().maxCoeff() <= largest);
    for (Index i = 0; i < s.rows() && s.cols() > 1; ++i) {
      CHECK(s.row(i).maxCoeff() > s.row(i).minCoeff());
    }
  }
}

/// The first diagnostic of what the wish throws.
Diagnostic refused(const RandomProblem& wish) {
  const Error error = error_from([&] { random_draft(wish); });
  CHECK(error.kind() == ErrorKind::Usage);
  return error.diagnostics().front();
}

}  // namespace

TEST_CASE("draws: every number of the range comes up, and none beyond it") {
  Draws draws(1);
  std::map<int, int> count;
  for (int i = 0; i < 5000; ++i) ++count[draws.between(-2, 2)];
  REQUIRE(count.size() == 5);
  CHECK(count.begin()->first == -2);
  CHECK(count.rbegin()->first == 2);
  for (const auto& [number, times] : count) CHECK(std::abs(times - 1000) < 150);
}

TEST_CASE("random problem: a seed gives the same numbers on every platform") {
  const ProblemDraft draft = random_draft({.tokens = 3, .d_model = 4, .d_k = 2, .seed = 7});
  CHECK(draft.embeddings->data == Numbers{-2, -1, 0, 0, 1, -1, 0, 2, -1, 0, 1, -1});
  CHECK(draft.weights.at("w_q").data == Numbers{1, -1, -1, 0, 0, 0, -1, 0});
  CHECK(draft.weights.at("w_k").data == Numbers{-1, 0, -1, -1, 0, -1, -1, 0});
  CHECK(draft.weights.at("w_v").data == Numbers{-2, -1, 0, -1, -1, 0, 1, 1});
}

TEST_CASE("random problem: all 64 bits of a seed count") {
  std::set<Numbers> inputs{random_draft({.seed = 0}).embeddings->data};
  for (unsigned bit = 0; bit < 64; ++bit) {
    inputs.insert(random_draft({.seed = std::uint64_t{1} << bit}).embeddings->data);
  }
  CHECK(inputs.size() == 65);
}

TEST_CASE("random problem: whole numbers are fit for work by hand" * doctest::test_suite("long")) {
  for (RandomProblem wish : kWishes) {
    for (wish.seed = 0; wish.seed < 30; ++wish.seed) {
      CAPTURE(wish.d_model);
      CAPTURE(wish.seed);
      const ProblemDraft draft = random_draft(wish);
      CHECK(is_small_and_whole(*draft.embeddings));
      const auto rows = rows_of(*draft.embeddings);
      CHECK(std::set<Numbers>(rows.begin(), rows.end()).size() == rows.size());
      CHECK(std::count(rows.begin(), rows.end(), Numbers(rows[0].size(), 0.0)) == 0);
      for (const auto& [name, matrix] : draft.weights) {
        CHECK(is_small_and_whole(matrix));
        CHECK(zero_columns(matrix) == 0);
      }
      check_scores(attend(make_problem(draft)).value("scaled_scores"), 3);
    }
  }
}

TEST_CASE("random problem: about half of the numbers of the weights are not 0") {
  int count = 0, nonzero = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    for (const auto& [name, matrix] : random_draft({.seed = seed}).weights) {
      count += static_cast<int>(matrix.data.size());
      for (const double x : matrix.data) nonzero += x != 0 ? 1 : 0;
    }
  }
  CHECK(nonzero > 0.45 * count);
  CHECK(nonzero < 0.65 * count);
}

/// Whether `p->heads = 2` compiles for a P.
template <class P>
constexpr bool kCanBeChanged = requires(P p) {
  p->heads = 2;
};
static_assert(kCanBeChanged<ProblemDraft*>);
static_assert(!kCanBeChanged<Problem>);  // what make_problem has checked stays as it is
static_assert(!std::is_default_constructible_v<Problem>);
static_assert(!std::is_constructible_v<Problem, ProblemFacts>);

TEST_CASE("random problem: the sizes are those of the wish") {
  const Problem plain = make_problem(random_draft({}));
  CHECK(plain->n_queries == 4);
  CHECK(plain->d_model == 6);
  CHECK(plain->d_k == 4);
  CHECK(plain->d_v == 4);
  CHECK_FALSE(plain->heads);
  CHECK_FALSE(plain->to_output);

  const Problem heads = make_problem(random_draft({.tokens = 5, .d_model = 8, .heads = 4}));
  CHECK(heads->heads == 4);
  CHECK(heads->d_k == 1);
  CHECK(heads->to_output->w.cols() == 8);

  const Problem given = make_problem(random_draft({.heads = 2, .d_k = 2, .d_v = 4}));
  CHECK(given->d_k == 2);
  CHECK(given->d_v == 4);
  CHECK(given->to_output->w.rows() == 8);
}

TEST_CASE("random problem: keys and values of a memory keep the same promises") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const ProblemDraft draft = random_draft({.memory_tokens = 5, .seed = seed});
    REQUIRE(draft.memory);
    CHECK(draft.memory->embeddings.shape == std::vector<Index>{5, 6});
    CHECK(is_small_and_whole(draft.memory->embeddings));
    const auto rows = rows_of(draft.memory->embeddings);
    CHECK(std::set<Numbers>(rows.begin(), rows.end()).size() == rows.size());
    const Trace trace = attend(make_problem(draft));
    CHECK(trace.value("scores").cols() == 5);
    check_scores(trace.value("scaled_scores"), 3);
  }
  CHECK(refused({.memory_tokens = 33}).what ==
        "memory tokens must be 1 to 32 in a random problem, not 33");
}

TEST_CASE("random problem: by default the root of d_k is whole, and scores are from -8 to 8") {
  for (const Index heads : {1, 2, 3, 6}) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const Trace trace =
          attend(make_problem(random_draft({.heads = heads, .d_v = 2, .seed = seed})));
      CHECK(trace.settings().d_k == (heads < 3 ? 4 : 1));
      CHECK(trace.settings().d_v == 2);
      check_scores(trace.value("scores"), 8);
    }
  }
  const ProblemDraft wide = random_draft({.heads = 1, .d_k = 16});
  check_scores(attend(make_problem(wide)).value("scores"), 8);
}

TEST_CASE("random problem: normal numbers are randn's, with consecutive seeds") {
  const ProblemDraft draft =
      random_draft({.tokens = 40, .d_model = 64, .heads = 4, .seed = 10, .normal = true});
  const auto weights = [](std::uint64_t seed) { return randn({64, 64}, seed, 0.125).data; };
  CHECK(draft.embeddings->data == randn({40, 64}, 10).data);
  CHECK(draft.weights.at("w_q").data == weights(11));
  CHECK(draft.weights.at("w_k").data == weights(12));
  CHECK(draft.weights.at("w_v").data == weights(13));
  CHECK(draft.weights.at("w_o").data == weights(14));
  CHECK(draft.description ==
        "torch.randn: X with seed 10; the weights, in the order w_q, w_k, w_v, w_o, with the next "
        "seeds, times 1/√64.");
  CHECK(make_problem(draft)->d_k == 16);
}

TEST_CASE("random problem: sizes out of range are refused") {
  CHECK(refused({.tokens = 0}).id == "random-size");
  CHECK(refused({.d_model = -1}).what == "d_model must be 1 to 32 in a random problem, not -1");
  CHECK(refused({.heads = 0}).id == "random-size");
  CHECK(refused({.tokens = 1000}).fix ==
        "Choose a smaller problem, or normal numbers for a large one.");
  CHECK(refused({.heads = 8, .d_k = 8}).what ==
        "heads·d_k must be 1 to 32 in a random problem, not 64");
  CHECK(refused({.heads = 8, .d_k = 2, .d_v = 8}).id == "random-size");
  CHECK(refused({.tokens = 0, .normal = true}).fix == "Choose a number from 1 to 1024.");
  CHECK(refused({.tokens = 1025, .normal = true}).fix ==
        "Choose a number from 1 to 1024. In a larger problem, write {\"randn\": [rows, columns], "
        "\"seed\": 1} in place of each matrix.");
  CHECK(refused({.tokens = Index{1} << 62, .d_model = Index{1} << 62, .normal = true}).id ==
        "random-size");
}

TEST_CASE("random problem: when none is found, the error gives the reason") {
  const Diagnostic rows = refused({.tokens = 6, .d_model = 1});
  CHECK(rows.id == "random-gave-up");
  CHECK(rows.what ==
        "found no small whole numbers for 6 tokens with d_model 1: in each of 1000 tries, two rows "
        "of X were equal");
  const Diagnostic scores = refused({.tokens = 32, .d_model = 32, .heads = 4});
  CHECK(scores.what.find("a score was beyond ±8, a scaled score beyond ±3") != std::string::npos);
}

}  // namespace attn::testing
