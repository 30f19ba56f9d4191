// Compares what is in the blanks of a sheet, whatever format it came in.
#include "files/same_answers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "attn/phrases.hpp"
#include "attn/teach/grading.hpp"

namespace attn::app {
namespace {

const Answer* matrix_of(const Answers& answers, const SheetStep& step) {
  const auto at = std::find_if(answers.matrices.begin(), answers.matrices.end(),
                               [&](const Answer& each) { return each.id == step.id; });
  return at == answers.matrices.end() ? nullptr : &*at;
}

/// Whether a matrix has a name that is not on the sheet, so that it may be that of any step.
bool has_strangers(const Answers& answers, const Sheet& key) {
  return std::any_of(answers.matrices.begin(), answers.matrices.end(), [&](const Answer& each) {
    return std::none_of(key.steps.begin(), key.steps.end(),
                        [&](const SheetStep& step) { return step.id == each.id; });
  });
}

/// What is in a blank: a number, NaN if it is empty; nothing if it cannot be read.
std::optional<double> written_in(const Answers& answers, const SheetStep& step, std::size_t cell,
                                 bool strangers) {
  constexpr double kEmpty = std::numeric_limits<double>::quiet_NaN();
  const Answer* matrix = matrix_of(answers, step);
  if (matrix == nullptr) return strangers ? std::nullopt : std::optional(kEmpty);
  if (matrix->numbers.size() != step.numbers.size()) return std::nullopt;
  const CellState state = matrix->states.empty() ? CellState::Filled : matrix->states[cell];
  if (state == CellState::Unreadable) return std::nullopt;
  return state == CellState::Empty ? kEmpty : matrix->numbers[cell];
}

}  // namespace

void use_step_ids(HandedIn& file, const Sheet& key) {
  constexpr std::size_t kMostNames = 100;  // each is compared with all titles in all languages
  if (!key.bug && file.answers.matrices.size() <= kMostNames && has_strangers(file.answers, key))
    file.answers = with_step_ids(computation_of(key), key.language, std::move(file.answers));
}

Answers matrices_of(const HandedIn& file, const Sheet& key) {
  if (file.sheet) return file.answers;
  Sheet sheet = key;
  return answers_on(sheet, file.answers);
}

bool have_same_answers(const HandedIn& a, const HandedIn& b, const Sheet& key) {
  const auto other = [](const std::string& one, const std::string& two) {
    return !one.empty() && !two.empty() && lowered(one) != lowered(two);
  };
  if (a.bug || b.bug) return false;
  if (other(a.variant, b.variant) || other(a.exercise, b.exercise)) return false;
  const Answers ours = matrices_of(a, key), theirs = matrices_of(b, key);
  const bool our_strangers = has_strangers(ours, key), their_strangers = has_strangers(theirs, key);
  for (const SheetStep& step : key.steps) {
    for (std::size_t i = 0; i < step.blank.size(); ++i) {
      if (step.blank[i] == 0) continue;
      const auto one = written_in(ours, step, i, our_strangers),
                 two = written_in(theirs, step, i, their_strangers);
      const bool empty = one && two && std::isnan(*one) && std::isnan(*two);
      if (!empty && !(one && two && *one == *two)) return false;
    }
  }
  return true;
}

}  // namespace attn::app
