// Hands wrong answers in and reads what is said about them.
#include "support/diagnosis.hpp"

#include <algorithm>

#include "attn/attend.hpp"

namespace attn::testing {
namespace {

const char* name_of(Confidence confidence) {
  if (confidence == Confidence::Certain) return "certain";
  return confidence == Confidence::Likely ? "likely" : "possible";
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
  const Finding& first = wrong->findings.front();
  std::string said = wrong->id + ": " + first.code + " (" + name_of(first.confidence) + ")";
  for (const std::string& other : first.same_as) said += " = " + other;
  if (first.code == code) return {Outcome::Named, said};
  if (says(first, code)) return {Outcome::Tied, said};
  const bool sure = first.confidence == Confidence::Certain;
  return {sure ? Outcome::Misnamed : Outcome::NotNamed, said};
}

Diagnosis diagnose(const WrongWay& way, std::uint64_t seed, const Handed& handed) {
  const Sample sample = sample_of(way, seed, handed);
  const Trace truth = attend(make_problem(sample.draft));
  const Answers answers = answers_of(truth, sample.steps, handed);
  if (!first_visible(truth, answers)) return {Outcome::Invisible, "nothing differs"};
  const CheckReport report = check_answers(truth, answers);
  // what is barely off may follow from earlier numbers that are off by less
  const bool barely = report.right && !first_visible(truth, answers, 3);
  return barely ? Diagnosis{Outcome::Invisible, "hardly differs"} : diagnosed(report, way.code);
}

}  // namespace attn::testing
