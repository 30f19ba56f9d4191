// Problems with random numbers: small whole ones, or normal ones.
#include "attn/core/random_problem.hpp"
#include "core/tensor/eigen.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "attn/error.hpp"
#include "attn/phrases.hpp"
#include "attn/torch_random.hpp"
#include "core/tensor/integer_draws.hpp"

namespace attn {
namespace {

constexpr Index kLargestNormal = 1024;  // some 5 million numbers, a file of 100 MB
constexpr double kLargestScaled = 3;    // e³ and e⁻³ still matter with three decimals
constexpr double kLargestScore = 8;     // before scaling: products that are easy to add up
constexpr int kTries = 1000;            // for X, and for each head, at each density
constexpr int kDensities[] = {60, 45, 30, 20, 12, 8, 5};  // percentage of numbers that are not 0

struct Sizes {
  Index tokens, memory, d_model, heads, d_k, d_v;  // memory: 0 without one
};

/// For work by hand, √d_k should be whole: d_k is 4 or 1, whichever is nearer to d_model / heads.
Index width_of(const RandomProblem& wish) {
  const Index heads = std::max<Index>(wish.heads.value_or(1), 1);
  if (wish.normal) return std::max<Index>(wish.d_model / (wish.heads ? heads : 2), 1);
  return 2 * wish.d_model >= 5 * heads ? 4 : 1;
}

Sizes sizes_of(const RandomProblem& wish) {
  const Index d_k = wish.d_k.value_or(width_of(wish));
  return {wish.tokens, wish.memory_tokens.value_or(0), wish.d_model, wish.heads.value_or(1),
          d_k,         wish.d_v.value_or(d_k)};
}

/// Complains about every size outside 1 to the largest allowed, or else about products of sizes.
void check_sizes(const Sizes& sizes, bool normal) {
  const Index largest = normal ? kLargestNormal : kLargestWhole;
  std::vector<Diagnostic> wrong;
  const auto check = [&](const char* name, Index size) {
    if (size >= 1 && size <= largest) return;
    const bool normal_helps = size > largest && size <= kLargestNormal && !normal;
    wrong.push_back(
        {.id = "random-size",
         .what = filled("{} must be 1 to {} in a random problem, not {}", name, largest, size),
         .fix = normal_helps ? "Choose a smaller problem, or normal numbers for a large one."
                : size > kLargestNormal
                    ? filled("Choose a number from 1 to {}. In a larger problem, write {} in place "
                             "of each matrix.",
                             largest, "{\"randn\": [rows, columns], \"seed\": 1}")
                    : filled("Choose a number from 1 to {}.", largest)});
    if (normal_helps) wrong.back().changes = {{"normal", ""}};
  };
  check("tokens", sizes.tokens);
  if (sizes.memory != 0) check("memory tokens", sizes.memory);
  check("d_model", sizes.d_model);
  check("heads", sizes.heads);
  check("d_k", sizes.d_k);
  check("d_v", sizes.d_v);
  if (wrong.empty()) check("heads·d_k", sizes.heads * sizes.d_k);
  if (wrong.empty()) check("heads·d_v", sizes.heads * sizes.d_v);
  if (!wrong.empty()) throw Error(ErrorKind::Usage, std::move(wrong));
}

/// ±1, or ±2 in one of five cases.
double draw_nonzero(Draws& draws) {
  const int size = draws.between(1, 5) == 1 ? 2 : 1;
  return draws.chance(50) ? size : -size;
}

Matrix draw_matrix(Draws& draws, Index rows, Index cols, int density) {
  Matrix m = Matrix::Zero(rows, cols);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) {
      if (draws.chance(density)) m(i, j) = draw_nonzero(draws);
    }
  }
  return m;
}

/// d_in × d_out, with no column of zeros.
Matrix draw_weights(Draws& draws, Index rows, Index cols, int density) {
  Matrix w = draw_matrix(draws, rows, cols, density);
  for (Index j = 0; j < cols; ++j) {
    if (!w.col(j).isZero(0)) continue;
    const int row = draws.between(0, static_cast<int>(rows) - 1);
    w(row, j) = draw_nonzero(draws);
  }
  return w;
}

bool has_equal_rows(const Matrix& m) {
  for (Index i = 0; i < m.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      if (m.row(i) == m.row(j)) return true;
    }
  }
  return false;
}

/// X or the memory, tokens × d_model; empty if none was found.
Matrix draw_input(Draws& draws, Index tokens, Index d_model, int density) {
  for (int i = 0; i < kTries; ++i) {
    const Matrix transposed = draw_weights(draws, d_model, tokens, density);
    Matrix x = transposed.transpose();
    if (!has_equal_rows(x)) return x;
  }
  return {};
}

/// Whether the scores stay small, scaled or not, and every query, unless there is only one key,
/// prefers some key.
bool is_telling(const Matrix& scores, Index d_k) {
  const double largest = scores.cwiseAbs().maxCoeff();
  if (largest > kLargestScore) return false;
  if (largest / std::sqrt(static_cast<double>(d_k)) > kLargestScaled) return false;
  for (Index i = 0; i < scores.rows() && scores.cols() > 1; ++i) {
    if (scores.row(i).maxCoeff() == scores.row(i).minCoeff()) return false;
  }
  return true;
}

/// Fills in the columns of one head; false if none was found that fits. Keys are made from `y`.
bool draw_head(Draws& draws, const Sizes& sizes, int density, const Matrix& x, const Matrix& y,
               Index head, Matrix& w_q, Matrix& w_k) {
  for (int i = 0; i < kTries; ++i) {
    const Matrix q = draw_weights(draws, sizes.d_model, sizes.d_k, density);
    const Matrix k = draw_weights(draws, sizes.d_model, sizes.d_k, density);
    // Lazy products: small, and Eigen's blocked one takes seconds to compile.
    const Matrix xq = x.lazyProduct(q), yk = y.lazyProduct(k);
    if (!is_telling(xq.lazyProduct(yk.transpose()), sizes.d_k)) continue;
    w_q.middleCols(head * sizes.d_k, sizes.d_k) = q;
    w_k.middleCols(head * sizes.d_k, sizes.d_k) = k;
    return true;
  }
  return false;
}

Array array_of(const Matrix& m) {
  return {{m.rows(), m.cols()}, std::vector<double>(m.data(), m.data() + m.size())};
}

/// Why nothing was found; empty if something was.
using Failure = std::string;

/// X, the memory and the weights at that density.
Failure draw_numbers(Draws& draws, const Sizes& sizes, int density, ProblemDraft& draft) {
  const Matrix x = draw_input(draws, sizes.tokens, sizes.d_model, density);
  if (x.size() == 0) return "two rows of X were equal";
  Matrix memory;
  if (sizes.memory != 0) {
    memory = draw_input(draws, sizes.memory, sizes.d_model, density);
    if (memory.size() == 0) return "two rows of the memory were equal";
    draft.memory = MemoryDraft{.tokens = {}, .embeddings = array_of(memory)};
  }
  Matrix w_q(sizes.d_model, sizes.heads * sizes.d_k);
  Matrix w_k = w_q;
  for (Index head = 0; head < sizes.heads; ++head) {
    if (!draw_head(draws, sizes, density, x, sizes.memory == 0 ? x : memory, head, w_q, w_k)) {
      return "a score was beyond ±8, a scaled score beyond ±3, or a query had the same score for "
             "all keys";
    }
  }
  const Index width = sizes.heads * sizes.d_v;
  draft.embeddings = array_of(x);
  draft.weights["w_q"] = array_of(w_q);
  draft.weights["w_k"] = array_of(w_k);
  draft.weights["w_v"] = array_of(draw_weights(draws, sizes.d_model, width, density));
  draft.weights["w_o"] = array_of(draw_weights(draws, width, sizes.d_model, density));
  return "";
}

/// The densest problem that is found.
ProblemDraft whole_numbers(const Sizes& sizes, std::uint64_t seed) {
  ProblemDraft draft;
  draft.description = filled("Small whole numbers, to work through by hand; seed {}.", seed);
  Draws draws(seed);
  Failure first;
  for (const int density : kDensities) {
    const Failure failure = draw_numbers(draws, sizes, density, draft);
    if (failure.empty()) return draft;
    if (first.empty()) first = failure;
  }
  throw Error(ErrorKind::Usage,
              {{.id = "random-gave-up",
                .what = filled(
                    "found no small whole numbers for {} with d_model {}: in each of {} tries, {}",
                    counted(sizes.tokens, "token"), sizes.d_model, kTries, first),
                .fix = "Choose fewer tokens, another d_model, another seed, or normal numbers.",
                .changes = {{"normal", ""}}}});
}

ProblemDraft normal_numbers(const Sizes& sizes, std::uint64_t seed) {
  const auto weights = [&](Index rows, Index cols, std::uint64_t step) {
    return randn({rows, cols}, seed + step, 1 / std::sqrt(static_cast<double>(sizes.d_model)));
  };
  ProblemDraft draft;
  draft.description = filled(
      "torch.randn: X with seed {}; the weights, in the order w_q, w_k, w_v, w_o, with the next "
      "seeds, times 1/√{}.",
      seed, sizes.d_model);
  draft.embeddings = randn({sizes.tokens, sizes.d_model}, seed);
  draft.weights["w_q"] = weights(sizes.d_model, sizes.heads * sizes.d_k, 1);
  draft.weights["w_k"] = weights(sizes.d_model, sizes.heads * sizes.d_k, 2);
  draft.weights["w_v"] = weights(sizes.d_model, sizes.heads * sizes.d_v, 3);
  draft.weights["w_o"] = weights(sizes.heads * sizes.d_v, sizes.d_model, 4);
  return draft;
}

}  // namespace

ProblemDraft random_draft(const RandomProblem& wish) {
  const Sizes sizes = sizes_of(wish);
  check_sizes(sizes, wish.normal);
  ProblemDraft draft = (wish.normal ? normal_numbers : whole_numbers)(sizes, wish.seed);
  draft.title = "A random problem";
  draft.heads = wish.heads;
  if (!wish.heads) draft.weights.erase("w_o");
  return draft;
}

}  // namespace attn
