// Builds each mistake into the computation and compares the steps that are looked at.
#include "attn/teach/mutants.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "attn/error.hpp"
#include "teach/check/graded_answer.hpp"

namespace attn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The largest difference of two numbers of a step; infinite where only one is finite.
double difference_of(const Step& right, const Step* wrong) {
  if (wrong == nullptr || wrong->value.shape().sizes() != right.value.shape().sizes())
    return kInfinity;
  const NumberSpan ours = right.value.data(), theirs = wrong->value.data();
  double most = 0.0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const bool same = ours[i] == theirs[i] || (std::isnan(ours[i]) && std::isnan(theirs[i]));
    const double gap = same ? 0.0 : std::abs(ours[i] - theirs[i]);
    most = std::max(most, std::isnan(gap) ? kInfinity : gap);
  }
  return most;
}

}  // namespace

void each_mutant(const Trace& truth, const std::vector<std::string>& steps,
                 const Tolerance& tolerance, const std::function<void(const Mutant& mutant)>& use) {
  for (const Mistake& mistake : mistakes()) {
    Trace wrong;
    try {
      wrong = with_mistake(truth, mistake.code);
    } catch (const Error&) {  // it cannot occur in this problem
      continue;
    }
    Mutant mutant{mistake, wrong};
    for (const std::string& id : steps) {
      const Step& right = truth.at(id);
      const double gap = difference_of(right, wrong.find(id));
      const double most = accepted_gap(tolerance, magnitude(truth, right));
      mutant.seen = mutant.seen || !Closeness{.tolerance = most}.covers(gap);
      mutant.difference = std::max(mutant.difference, gap);
    }
    use(mutant);
  }
}

}  // namespace attn
