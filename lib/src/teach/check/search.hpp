// Which mistakes explain a matrix that is wrong.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "teach/check/evaluation.hpp"
#include "teach/check/graded_answer.hpp"
#include "teach/mistakes/mistake_rows.hpp"

namespace attn {

/// One mistake in one of its variants.
struct Candidate {
  const MistakeRow* row;
  Variation change;
  bool fitted = false;  ///< whether a number of it was read off the answers
};

/// Every mistake that can occur in the problem, and every other route to a right result.
std::vector<Candidate> candidates(const Trace& truth);

/// The wrong steps whose mistakes are looked for. Without a search, the numbers alone decide
/// whether a cell is right or follows.
enum class Search { All, FirstWrong, None };

/// How many numbers a search may compute. For each step, either all mistakes are tried or none; for
/// the first, always all.
inline constexpr double kMostWork = 3e8;

/// `check_answers` where the candidates of the truth are there already.
CheckReport check_answers(const Trace& truth, Answers answers, const CheckOptions& options,
                          const std::vector<Candidate>* known, Search search = Search::All,
                          double most_work = kMostWork);

/// What is known when the search begins.
struct Case {
  const Trace& truth;
  const Evaluation& right;             ///< the truth
  const Evaluation& follows;           ///< the truth, from the student's own matrices
  std::vector<GradedAnswer>& answers;  ///< in the order of the computation
  double& work;                        ///< how many numbers the search has computed

  std::vector<std::string> ids() const;
  GradedAnswer* find(const std::string& id) const;
};

/// How a candidate explains a wrong step.
struct Explanation {
  const Candidate* candidate;
  Basis basis;                     ///< for the step asked about
  std::vector<std::size_t> steps;  ///< all wrong steps that it explains, as indices of the answers
  double residual;                 ///< the largest difference in the step asked about
};

/// The explanations of answer number `at`, best first: those of more steps, then those that agree
/// more closely. Empty if no single mistake explains it.
std::vector<Explanation> explain_step(const Case& known, const std::vector<Candidate>& all,
                                      std::size_t at);

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kHides = -1e4;  ///< a score as good as −∞, in any number type

/// What a candidate is computed from, for how many queries, and whether only for the step asked
/// about.
struct Trying {
  Basis basis = Basis::Own;
  Index most_queries = kAllQueries;
  bool only_here = false;
};

/// Fills in the residuals of the answers that a candidate changes, infinity for the others; on the
/// true matrices, only that of answer `at`. Returns false at the first settled matrix that the
/// candidate contradicts.
bool try_out(const Case& known, const Candidate& candidate, std::size_t at, const Trying& how,
             std::vector<double>& residuals);

/// The largest difference between the filled cells of an answer and a matrix; infinity where they
/// do not agree, the shapes differ, or nothing is filled. With `part`, `made` has only the first
/// rows of the matrix: only they are compared, and they agree if nothing in them is filled.
double residual(const GradedAnswer& judged, const Tensor& made, bool part = false);

/// The answers that come next after answer `at` and are right, although they do not follow from it.
/// A mistake in it must make them, too: otherwise they contradict it.
std::vector<std::size_t> right_all_the_same(const Case& known, std::size_t at);

/// Whether a candidate with these residuals makes all of these answers.
bool all_made(const std::vector<std::size_t>& answers, const std::vector<double>& residuals);

}  // namespace attn
