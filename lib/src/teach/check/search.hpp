// Which mistakes explain a matrix that is wrong.
#pragma once

#include <deque>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "teach/check/evaluation.hpp"
#include "teach/check/graded_answer.hpp"
#include "teach/mistakes/mistake_rows.hpp"

namespace attn {

/// One mistake in one of its variants.
struct Candidate {
  const MistakeRow* row;
  Variation change;
  std::string scope = {};  ///< in a whole model: see Variant
  Index fitted = 0;        ///< how many of its numbers were read off the answers
};

/// Whether a mistake may let tokens see later ones, so that the first tokens cannot rule it out.
bool looks_ahead(const MistakeRow& row);

/// Adds the outline of a candidate; returns whether it can be computed.
bool plan(const Trace& truth, Candidate& candidate);

/// Every mistake that can occur in the problem, and every other route to a right result. None for a
/// whole model: there are too many to make before it is known which may matter.
std::vector<Candidate> candidates(const Trace& truth);

/// The wrong steps whose mistakes are looked for. Without a search, the numbers alone decide
/// whether a cell is right or follows.
enum class Search { All, FirstWrong, None };

/// What later steps use of a blank cell: the right number, so that they can be checked all the
/// same, or nothing, so that whatever uses it cannot follow.
enum class Blanks { AreRight, AreEmpty };

/// How long a search may take, in products: about 20 seconds. In a whole model it ends there; else,
/// for each step, either all mistakes are tried or none, and for the first always all.
inline constexpr double kMostWork = 1.6e11;

/// `check_answers` where the candidates of the truth are there already.
CheckReport check_answers(const Trace& truth, Answers answers, const CheckOptions& options,
                          const std::vector<Candidate>* known, Search search = Search::All,
                          double most_work = kMostWork, Blanks blanks = Blanks::AreRight);

/// What the search has done so far.
struct Searching {
  double most_work;
  double work = 0.0;                                ///< in products, see Evaluation::work
  std::set<std::string> tried = {}, left_out = {};  ///< codes
  std::set<std::string> near = {};  ///< codes that nearly explained the step asked about last
  std::deque<Candidate> made = {};  ///< for parts of a whole model
};

/// What is known when the search begins.
struct Case {
  Case(const Trace& the_truth, const Parts& its_parts, const Evaluation& is_right,
       const Evaluation& that_follows, std::vector<GradedAnswer>& given, Searching& searching,
       std::optional<Dtype> of_program);

  const Trace& truth;
  const Parts& parts;                  ///< of the truth
  const Evaluation& right;             ///< the truth
  const Evaluation& follows;           ///< the truth, from the student's own matrices
  std::vector<GradedAnswer>& answers;  ///< in the order of the computation
  Searching& search;
  std::optional<Dtype> dtype;  ///< that a program computed in; nothing says so of other answers
  bool is_causal;              ///< no token of a whole model sees a later one
  std::unordered_map<std::string_view, GradedAnswer*> by_id;

  std::vector<std::string> ids() const;
  GradedAnswer* find(const std::string& id) const;
  /// The first row of answer `at` with a wrong cell, in any batch entry and head.
  Index first_wrong_row(std::size_t at) const;
};

/// How a candidate explains a wrong step.
struct Explanation {
  const Candidate* candidate;
  Basis basis;                     ///< for the step asked about
  std::vector<std::size_t> steps;  ///< all wrong steps that it explains, as indices of the answers
  double residual;                 ///< the largest difference in the step asked about
  bool alone = false;              ///< later steps are right, which it does not make them
};

/// What explains an answer.
struct Explanations {
  /// Best first: those of more steps, then other routes, then those that agree more closely. Those
  /// with fitted numbers are there only if nothing else explains the step.
  std::vector<Explanation> found;
  std::set<std::string> near;  ///< codes that miss no cell by more than four tolerances
};

/// The explanations of answer number `at` among `all` and, in a whole model, among the mistakes in
/// its parts.
Explanations explain_step(const Case& known, const std::vector<Candidate>& all, std::size_t at);

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

inline constexpr double kNear = 4.0;  ///< tolerances

/// What a candidate is computed from, for how many tokens, and whether only for the step asked
/// about.
struct Trying {
  Basis basis = Basis::Own;
  FirstRows first = {};
  bool only_here = false;
};

/// What became of a candidate.
struct Tried {
  bool possible = true;  ///< it contradicts no settled matrix
  bool near = false;     ///< it misses nothing by more than `kNear` tolerances, here or there
};

/// Fills in the residuals of the answers that a candidate changes, infinity for the others; on the
/// true matrices, only that of answer `at`. Ends at the first settled matrix that the candidate
/// contradicts clearly.
Tried try_out(const Case& known, const Candidate& candidate, std::size_t at, const Trying& how,
              std::vector<double>& residuals);

/// The largest difference between the filled cells of an answer and a matrix; infinity where they
/// differ by more than `slack` tolerances (by its growth more, where `made` is much larger: the
/// result is without it), the shapes differ, or nothing is filled. With `part`,
/// `made` has only the first rows of the matrix: only they are compared, and they agree if nothing
/// in them is filled.
double residual(const GradedAnswer& judged, const Tensor& made, bool part = false,
                double slack = 1.0);

/// The answers that come next after answer `at` and are right, although they do not follow from it.
/// A mistake in it must make them, too: otherwise they contradict it.
std::vector<std::size_t> right_all_the_same(const Case& known, std::size_t at);

/// Whether a candidate with these residuals makes all of these answers.
bool all_made(const std::vector<std::size_t>& answers, const std::vector<double>& residuals);

}  // namespace attn
