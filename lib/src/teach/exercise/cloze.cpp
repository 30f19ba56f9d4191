// What known mistakes put into the blanks of a sheet.
#include "attn/teach/cloze.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "attn/attend.hpp"
#include "attn/teach/mistakes.hpp"

namespace attn {
namespace {

/// A mistake, and the computation with it built in.
struct Faulty {
  const Mistake* mistake;
  Trace trace;
};

std::vector<Faulty> every_faulty(const Trace& truth) {
  std::vector<Faulty> all;
  for (const Mistake& mistake : mistakes()) {
    try {
      all.push_back({&mistake, with_mistake(truth, mistake.code)});
    } catch (const Error&) {  // it cannot occur in the problem
    }
  }
  return all;
}

/// What is said to whoever made the mistake: the teacher's words, if the sheet has some.
std::string hint_about(const Mistake& mistake, const OwnTexts& texts) {
  const auto own = texts.find(mistake.code);
  if (own == texts.end()) return mistake.hint;
  return own->second.hint.empty() ? own->second.message : own->second.hint;
}

/// Whether a number would be accepted where another one is meant.
bool taken(double number, const ClozeBlank& blank, double within) {
  const auto near = [&](double other) { return std::abs(number - other) <= 2.0 * within; };
  return near(blank.right) || std::any_of(blank.wrong.begin(), blank.wrong.end(),
                                          [&](const auto& each) { return near(each.number); });
}

}  // namespace

ClozeQuestion make_cloze(const Sheet& sheet, const Sheet& key) {
  ClozeQuestion question{sheet, key, {}, {}};
  const std::vector<Faulty> faulty = every_faulty(attend(make_problem(key.problem)));
  for (const Faulty& each : faulty) question.codes.emplace_back(each.mistake->code);
  for (std::size_t s = 0; s < sheet.steps.size(); ++s) {
    const SheetStep& step = sheet.steps[s];
    question.blanks.emplace_back();
    for (std::size_t i = 0; i < step.blank.size(); ++i) {
      if (step.blank[i] == 0) continue;
      ClozeBlank blank{key.steps[s].numbers[i]};
      for (const Faulty& each : faulty) {
        const Step* wrong = each.trace.find_named(step.id);
        if (wrong == nullptr || wrong->value.shape().sizes() != step.shape) continue;
        const double number = wrong->value.data()[i];
        if (!std::isfinite(number) || taken(number, blank, sheet.accept_within)) continue;
        blank.wrong.push_back({number, hint_about(*each.mistake, key.mistake_texts)});
      }
      question.blanks.back().push_back(std::move(blank));
    }
  }
  return question;
}

}  // namespace attn
