// Puts the printed numbers back, and several matrices for one step together.
#include "teach/grading/restored.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "attn/error.hpp"
#include "attn/language.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "teach/check/answer_shape.hpp"

namespace attn {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// A spreadsheet may write 0.1 as 0.1000000000000001.
bool same_number(double a, double b) {
  if (!std::isfinite(a) || !std::isfinite(b)) return a == b;
  return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(a));
}

Answer blank_answer(const SheetStep& step) {
  return {.id = step.id,
          .shape = step.shape,
          .numbers = std::vector<double>(step.numbers.size(), kNan),
          .states = std::vector<CellState>(step.numbers.size(), CellState::Empty)};
}

/// Puts the printed numbers back; returns how many of them had become other numbers.
Index put_back(const SheetStep& step, Answer& answer) {
  Index changed = 0;
  for (std::size_t i = 0; i < answer.numbers.size(); ++i) {
    CellState& state = answer.states[i];
    if (step.blank[i] != 0) {
      if (state == CellState::Given) state = CellState::Filled;
      continue;
    }
    state = CellState::Given;
    if (std::isnan(step.numbers[i])) continue;             // not known: there is no key
    const bool readable = !std::isnan(answer.numbers[i]);  // erasing is not tampering
    changed += readable && !same_number(step.numbers[i], answer.numbers[i]);
    answer.numbers[i] = step.numbers[i];
  }
  return changed;
}

/// Second matrices for steps under the ids of these, too.
Answers with_all_ids(const Trace& truth, const std::string& language, Answers answers) {
  const LanguageInUse in_use(language_of(language));
  for (Answer& each : answers.matrices) {
    const Step* meant = step_meant(truth, each.id);
    const Step* named = meant == nullptr ? step_named(truth, each.id) : nullptr;
    if (named != nullptr && has_shape(each, named->value.shape())) meant = named;
    if (meant != nullptr) each.id = meant->id;
  }
  return answers;
}

bool fits(const Trace& truth, const SheetStep& step, const Answer& answer) {
  const Step* meant = truth.find(step.id);
  return answer.numbers.size() == step.numbers.size() && meant != nullptr &&
         has_shape(answer, meant->value.shape());
}

/// A matrix that was handed in, and its name in the file.
struct Named {
  Answer answer;
  std::string name;
};

/// What is in a blank, also if the file says that it is printed.
CellState state_in(const Answer& answer, std::size_t cell) {
  const CellState state = answer.states[cell];
  if (state != CellState::Given) return state;
  return std::isnan(answer.numbers[cell]) ? CellState::Empty : CellState::Filled;
}

/// Adds to a matrix what another one holds in the blanks of the step; returns how many blanks have
/// two answers, which make them unreadable.
Index add_second(const SheetStep& step, Named& first, const Named& second) {
  Answer& own = first.answer;
  Index differ = 0;
  for (std::size_t i = 0; i < own.numbers.size(); ++i) {
    const CellState mine = state_in(own, i), other = state_in(second.answer, i);
    if (step.blank[i] == 0 || other == CellState::Empty) continue;
    const bool filled_in = mine == CellState::Filled && other == CellState::Filled;
    const double a = own.numbers[i], b = second.answer.numbers[i];
    const bool room = own.unread.size() < kMostUnread;
    if (mine == CellState::Empty) {
      own.states[i] = other;
      own.numbers[i] = b;
      if (other == CellState::Unreadable && room)
        own.unread.push_back({i, written_text(second.answer, i)});
    } else if (!filled_in || !same_number(a, b)) {
      ++differ;
      if (room)
        own.unread.push_back({i, written_text(own, i) + "; " + written_text(second.answer, i)});
      own.states[i] = CellState::Unreadable;
      own.numbers[i] = kNan;
    }
  }
  if (differ > 0) {
    own.unreadable.push_back({.id = "unreadable-cell",
                              .what = filled("\"{}\" and \"{}\" differ in {}", first.name,
                                             second.name, counted(differ, "blank")),
                              .places = {},
                              .fix = "Keep one of the two matrices."});
  }
  return differ;
}

/// One matrix of all that were handed in for a step: the first that has its shape, one with its
/// id before others, and what the rest hold in its blanks. Flags say what does not count.
Answer together_for(const Trace& truth, const SheetStep& step, std::vector<Named> all,
                    std::vector<Flag>& flags) {
  std::stable_partition(all.begin(), all.end(),
                        [&](const Named& each) { return each.name == step.id; });
  const auto first = std::find_if(
      all.begin(), all.end(), [&](const Named& each) { return fits(truth, step, each.answer); });
  Named& kept = first == all.end() ? all.front() : *first;
  kept.answer.id = step.id;
  for (Named& each : all) each.answer.states.resize(each.answer.numbers.size(), CellState::Filled);
  for (const Named& each : all) {
    if (&each == &kept) continue;
    if (!fits(truth, step, each.answer) || !fits(truth, step, kept.answer)) {
      flags.push_back({kSecondMatrix, filled("\"{}\" is a second matrix for {}; it has another "
                                             "shape, and does not count",
                                             each.name, step.id)});
    } else if (const Index differ = add_second(step, kept, each); differ > 0) {
      flags.push_back({kSecondMatrix,
                       filled("\"{}\" is a second matrix for {}; blanks that have two answers earn "
                              "nothing ({})",
                              each.name, step.id, std::to_string(differ))});
    }
  }
  return std::move(kept.answer);
}

}  // namespace

Answers restored(const Trace& truth, const Sheet& original, const Answers& submitted,
                 std::vector<Flag>& flags) {
  const Answers as_named = with_step_ids(truth, original.language, submitted);
  const Answers given = filled_up(truth, with_all_ids(truth, original.language, as_named));
  Answers answers{.source = given.source};
  Index found = 0, changed = 0;
  std::vector<std::string> changed_in;
  for (const SheetStep& step : original.steps) {
    std::vector<Named> all;
    for (std::size_t i = 0; i < given.matrices.size(); ++i) {
      const Step* named = truth.find_named(given.matrices[i].id);
      if (named != nullptr && named->id == step.id)
        all.push_back({given.matrices[i], as_named.matrices[i].id});
    }
    found += all.empty() ? 0 : 1;
    Answer answer =
        all.empty() ? blank_answer(step) : together_for(truth, step, std::move(all), flags);
    const Index here = fits(truth, step, answer) ? put_back(step, answer) : 0;
    changed += here;
    if (here > 0) changed_in.push_back(step.id);
    answers.matrices.push_back(std::move(answer));
  }
  if (changed > 0) {
    flags.push_back({kGivenChanged, counted(changed, "printed cell") + " of " +
                                        separated(changed_in, ", ") +
                                        (changed == 1 ? " was" : " were") +
                                        " changed; graded with the original numbers"});
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
