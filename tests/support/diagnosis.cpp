// Hands wrong answers in and reads what is said about them.
#include "support/diagnosis.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "attn/attend.hpp"
#include "attn/teach/mistakes.hpp"
#include "teach/check/search.hpp"

namespace attn::testing {
namespace {

const char* name_of(Confidence confidence) {
  if (confidence == Confidence::Certain) return "certain";
  return confidence == Confidence::Likely ? "likely" : "possible";
}

/// A problem that several mistakes are tried on.
struct Known {
  Trace truth;
  std::vector<Candidate> candidates;
};

/// The problem of a sample, computed once for all mistakes that are tried on it with one seed.
const Known& known(const WrongWay& way, std::uint64_t seed, const ProblemDraft& draft) {
  static std::map<std::pair<SmallProblem, bool>, Known> all;
  static std::uint64_t seed_of_all = seed;
  if (seed != seed_of_all) all.clear();
  seed_of_all = seed;
  const bool back = is_made_backwards(way.code);
  const auto [at, is_new] = all.try_emplace({way.problem, back});
  if (is_new) {
    at->second.truth = truth_for(way, draft);
    at->second.candidates = candidates(at->second.truth);
  }
  return at->second;
}

}  // namespace

bool says(const Finding& finding, const std::string& code) {
  return finding.code == code ||
         std::count(finding.same_as.begin(), finding.same_as.end(), code) > 0;
}

Diagnosis diagnosed(const CheckReport& report, const std::string& code) {
  if (!report.first_wrong) return {Outcome::NotNamed, "nothing wrong"};
  const auto wrong = std::find_if(report.steps.begin(), report.steps.end(),
                                  [&](const auto& step) { return step.id == *report.first_wrong; });
  if (wrong == report.steps.end() || wrong->findings.empty()) {
    return {Outcome::NotNamed, *report.first_wrong + ": no finding"};
  }
  const std::vector<Finding>& found = wrong->findings;
  const bool beside_nan = found.size() > 1 && found.front().code == "evidence.not_finite";
  const Finding& first = found[beside_nan ? 1 : 0];
  std::string said = wrong->id + ": " + first.code + " (" + name_of(first.confidence) + ")";
  for (const std::string& other : first.same_as) said += " = " + other;
  if (first.code == code) return {Outcome::Named, said};
  if (says(first, code)) return {Outcome::Tied, said};
  const bool sure = first.confidence == Confidence::Certain;
  return {sure ? Outcome::Misnamed : Outcome::NotNamed, said};
}

Diagnosis diagnose(const WrongWay& way, std::uint64_t seed, const Handed& handed) {
  const Sample sample = sample_of(way, seed, handed);
  const Known& problem = known(way, seed, sample.draft);
  const Trace& truth = problem.truth;
  const Answers answers = answers_of(truth, sample.steps, handed);
  if (!first_visible(truth, answers)) return {Outcome::Invisible, "nothing differs"};
  const CheckReport report = check_answers(truth, answers, {}, &problem.candidates);
  // what is barely off may follow from earlier numbers that are off by less
  const bool barely = report.right && !first_visible(truth, answers, 3);
  return barely ? Diagnosis{Outcome::Invisible, "hardly differs"} : diagnosed(report, way.code);
}

}  // namespace attn::testing
