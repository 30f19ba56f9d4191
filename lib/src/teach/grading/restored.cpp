// What was handed in, with everything printed as it was printed.
#include "teach/grading/restored.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "attn/tool/phrases.hpp"
#include "teach/check/judged.hpp"

namespace attn {
namespace {

/// A spreadsheet may write 0.1 as 0.1000000000000001.
bool same_number(double a, double b) {
  if (!std::isfinite(a) || !std::isfinite(b)) return a == b;
  return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(a));
}

Answer blank_answer(const SheetStep& step) {
  return {
      .id = step.id,
      .shape = step.shape,
      .numbers = std::vector<double>(step.numbers.size(), std::numeric_limits<double>::quiet_NaN()),
      .states = std::vector<CellState>(step.numbers.size(), CellState::Empty)};
}

/// Puts the printed numbers back; returns how many of them had become other numbers.
Index put_back(const SheetStep& step, Answer& answer) {
  Index changed = 0;
  answer.states.resize(answer.numbers.size(), CellState::Filled);
  for (std::size_t i = 0; i < answer.numbers.size(); ++i) {
    CellState& state = answer.states[i];
    if (step.blank[i] != 0) {
      if (state == CellState::Given) state = CellState::Filled;
      continue;
    }
    const bool readable = !std::isnan(answer.numbers[i]);  // erasing is not tampering
    changed += readable && !same_number(step.numbers[i], answer.numbers[i]);
    answer.numbers[i] = step.numbers[i];
    state = CellState::Given;
  }
  return changed;
}

bool fits(const Trace& truth, const SheetStep& step, const Answer& answer) {
  const Step* meant = truth.find(step.id);
  return answer.numbers.size() == step.numbers.size() && meant != nullptr &&
         has_shape(answer, meant->value.shape());
}

}  // namespace

Answers restored(const Trace& truth, const Sheet& original, const Answers& submitted,
                 std::vector<Flag>& flags) {
  const Answers given = filled_up(truth, submitted);
  Answers answers{.source = given.source};
  Index found = 0;
  for (const SheetStep& step : original.steps) {
    const auto at =
        std::find_if(given.matrices.begin(), given.matrices.end(), [&](const Answer& a) {
          const Step* named = truth.find_named(a.id);
          return named != nullptr && named->id == step.id;
        });
    if (at == given.matrices.end()) {
      Answer blank = blank_answer(step);
      put_back(step, blank);
      answers.matrices.push_back(std::move(blank));
      continue;
    }
    ++found;
    Answer answer = *at;
    answer.id = step.id;
    const Index changed = fits(truth, step, answer) ? put_back(step, answer) : 0;
    if (changed > 0) {
      flags.push_back({"file.given_changed", counted(changed, "printed cell") + " of " + step.id +
                                                 (changed == 1 ? " was" : " were") +
                                                 " changed; graded with the original numbers"});
    }
    answers.matrices.push_back(std::move(answer));
  }
  if (found == 0 && !original.steps.empty() && !original.bug) {
    std::vector<std::string> ids;
    for (const SheetStep& step : original.steps) ids.push_back(step.id);
    throw input_error({.id = "no-answers",
                       .what = "none of the matrices of this sheet was handed in",
                       .places = {{.file = submitted.source}},
                       .fix = "Fill in " + listed(ids) + " on the sheet itself."});
  }
  for (const Answer& each : given.matrices) {
    if (truth.find_named(each.id) == nullptr) answers.matrices.push_back(each);
  }
  return answers;
}

}  // namespace attn
