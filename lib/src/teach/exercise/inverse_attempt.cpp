// Finds which printed numbers use which blanks, computes them, and blames who misses them.
#include "teach/exercise/inverse_attempt.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

#include "attn/error.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "core/trace/axis_names.hpp"
#include "teach/check/equivalent.hpp"
#include "teach/check/evidence.hpp"
#include "teach/check/finding.hpp"
#include "teach/exercise/inverse.hpp"
#include "teach/exercise/inverse_operands.hpp"

namespace attn {
namespace {

constexpr double kRounding = 1e-9;  // what computing changes; relative
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

}  // namespace

InverseAttempt::InverseAttempt(const Trace& truth, const Sheet& sheet,
                               const std::vector<GradedAnswer>& answers, const CheckReport& report)
    : truth_(truth), sheet_(sheet), right_(truth) {
  for (const SheetStep& step : sheet.steps) {
    begin_.push_back(written_.size());
    const auto at = std::find_if(answers.begin(), answers.end(), [&](const GradedAnswer& each) {
      return each.step->id == step.id;
    });
    for (std::size_t i = 0; i < step.blank.size(); ++i) {
      const bool own = step.blank[i] != 0;
      const bool written = at != answers.end() && at->theirs && at->state(i) == CellState::Filled;
      const bool filled = written && !std::isnan(at->theirs->data()[i]);
      if (own) blanks_.push_back({begin_.size() - 1, i, filled, written && !filled});
      written_.push_back(!own ? step.numbers[i] : filled ? at->theirs->data()[i] : 0.0);
    }
  }
  if (std::ssize(blanks_) > kMostInverseBlanks)
    throw input_error({.id = "too-large",
                       .what = filled("an inverse sheet can have {} blanks, and this one has {}",
                                      kMostInverseBlanks, blanks_.size()),
                       .fix = "Leave fewer cells blank."});
  find_printed(report.tolerance);
  find_uses();
  compare();
  blame();
}

/// What each printed matrix is computed to from these cells; NaN in all others.
Cells InverseAttempt::made(const Cells& written, const Variation& change) const {
  Cells made(written.size(), kNoNumber);
  std::deque<Tensor> own;
  std::vector<std::string> ids;
  for (const SheetStep& step : sheet_.steps) ids.push_back(step.id);
  const auto visit = [&](const std::string& id, const Tensor& computed, bool, const Tensor*& used) {
    const auto at = std::find(ids.begin(), ids.end(), id);
    const Step* step = truth_.find(id);
    if (at == ids.end() || step == nullptr || !(computed.shape() == step->value.shape()))
      return true;
    const std::size_t from = begin_[static_cast<std::size_t>(at - ids.begin())];
    Tensor& mine = own.emplace_back(computed);
    const std::span<double> cells = mine.edit();
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (!step->is_given()) made[from + i] = cells[i];
      cells[i] = written[from + i];
    }
    used = &mine;
    return true;
  };
  Evaluation(truth_, right_, change, ids, visit);
  return made;
}

bool InverseAttempt::fits(const PrintedNumber& number, double made) const {
  return Closeness{.tolerance = tolerances_[number.step]}.agree(made, number.printed);
}

void InverseAttempt::find_printed(const Tolerance& tolerance) {
  for (std::size_t s = 0; s < sheet_.steps.size(); ++s) {
    const SheetStep& step = sheet_.steps[s];
    tolerances_.push_back(accepted_gap(tolerance, magnitude(truth_, truth_.at(step.id))));
    if (has_blanks(step) || truth_.at(step.id).is_given()) continue;
    for (std::size_t i = 0; i < step.numbers.size(); ++i) {
      const bool erased = std::isnan(step.numbers[i]);
      if (!erased) numbers_.push_back({s, i, step.numbers[i], kNoNumber});
    }
  }
}

/// Changes each blank alone: a printed number uses it if it changes, too, by more than rounding.
/// The weight of the only key that a query sees is always 1, and uses nothing. Whether a number
/// changes depends on what else the matrices with blanks hold, so that two fillings are tried:
/// numbers that all differ, for products of two blanks, and zeros, so that no softmax is near 0 or
/// 1. What is NaN needs a cell that was erased.
void InverseAttempt::find_uses() {
  for (const bool zeros : {false, true}) {
    Cells whole = written_;
    for (std::size_t s = 0; s < sheet_.steps.size(); ++s) {
      if (!has_blanks(sheet_.steps[s])) continue;
      for (std::size_t i = begin_[s]; i < begin_[s] + sheet_.steps[s].blank.size(); ++i) {
        if (!std::isnan(whole[i])) whole[i] = zeros ? 0.0 : std::sin(static_cast<double>(i + 1));
      }
    }
    const Cells before = made(whole);
    const auto unknown = [&](const PrintedNumber& n) { return std::isnan(before[place(n)]); };
    if (!zeros) {
      for (PrintedNumber& number : numbers_) number.open = unknown(number);
    }
    for (InverseBlank& blank : blanks_) {
      for (const double change : {1.0, -1000.0, 1000.0}) {
        Cells other = whole;
        other[place(blank)] += change;
        const Cells after = made(other);
        for (std::size_t n = 0; n < numbers_.size(); ++n) {
          const std::size_t at = place(numbers_[n]);
          const Closeness same{.tolerance = kRounding * (1.0 + std::abs(before[at]))};
          if (unknown(numbers_[n]) || same.agree(before[at], after[at])) continue;
          const bool known = std::find(blank.uses.begin(), blank.uses.end(), n) != blank.uses.end();
          if (!known) blank.uses.push_back(n);
        }
      }
    }
  }
  for (InverseBlank& blank : blanks_) std::sort(blank.uses.begin(), blank.uses.end());
}

void InverseAttempt::compare() {
  for (const InverseBlank& blank : blanks_) {
    for (const std::size_t n : blank.uses) numbers_[n].open = numbers_[n].open || !blank.filled;
  }
  const Cells made_now = made(written_);
  for (PrintedNumber& number : numbers_) {
    number.made = made_now[place(number)];
    number.met = !number.open && fits(number, number.made);
  }
}

/// Blames those that miss the largest share of the numbers that use them, until every number that
/// is missed has somebody to blame. Numbers that use a blank that is blamed say nothing more.
void InverseAttempt::blame() {
  const auto missed_share = [&](const InverseBlank& blank) {
    double missed = 0.0, all = 0.0;
    for (const std::size_t n : blank.uses) {
      const PrintedNumber& number = numbers_[n];
      all += !number.explained;
      missed += !number.explained && !number.open && !number.met;
    }
    return blank.filled && !blank.blamed && all > 0.0 ? missed / all : 0.0;
  };
  for (;;) {
    double most = 0.0;
    for (const InverseBlank& blank : blanks_) most = std::max(most, missed_share(blank));
    if (most == 0.0) return;
    std::vector<InverseBlank*> worst;
    for (InverseBlank& blank : blanks_) {
      if (missed_share(blank) == most) worst.push_back(&blank);
    }
    for (InverseBlank* blank : worst) {
      blank->blamed = true;
      for (const std::size_t n : blank->uses) numbers_[n].explained = true;
    }
  }
}

CellVerdict InverseAttempt::verdict(const InverseBlank& blank) const {
  if (blank.blamed || blank.nan) return CellVerdict::Wrong;
  const bool all_met = std::all_of(blank.uses.begin(), blank.uses.end(), [&](std::size_t n) {
    return numbers_[n].met || numbers_[n].explained;
  });
  const bool any_met = std::any_of(blank.uses.begin(), blank.uses.end(),
                                   [&](std::size_t n) { return numbers_[n].met; });
  return blank.filled && all_met && any_met ? CellVerdict::Right : CellVerdict::Empty;
}

/// The mistakes with which every number that can be computed comes out as it is printed.
std::vector<const MistakeRow*> InverseAttempt::mistakes_that_fit() const {
  std::vector<const MistakeRow*> rows;
  for (const Candidate& each : candidates(truth_)) {
    if (is_equivalent(*each.row) || std::find(rows.begin(), rows.end(), each.row) != rows.end())
      continue;
    const Cells with_it = made(written_, each.change);
    const bool all = std::all_of(numbers_.begin(), numbers_.end(), [&](const PrintedNumber& n) {
      return n.open || fits(n, with_it[place(n)]);
    });
    if (all) rows.push_back(each.row);
  }
  return rows;
}

/// "weights[cat, sat]", "weights[head 1, cat, sat]".
std::string InverseAttempt::name_of(const PrintedNumber& number) const {
  const Step& step = truth_.at(sheet_.steps[number.step].id);
  const Cell cell = step.value.shape().cell_at(static_cast<Index>(number.cell));
  std::string name = step.id + "[";
  if (step.value.batch() > 1) name += filled("batch {}, ", cell.batch);
  if (step.value.heads() > 1) name += filled("head {}, ", cell.head);
  return name + unique_name(name_of_row(step, cell), cell.row) + ", " +
         unique_name(name_of_col(step, cell), cell.col) + "]";
}

bool InverseAttempt::misses_several() const {
  return std::count_if(numbers_.begin(), numbers_.end(),
                       [](const PrintedNumber& n) { return !n.open && !n.met; }) > 1;
}

/// Whether a change of 1 in any blank, alone, makes a printed number miss.
bool InverseAttempt::each_blank_matters() const {
  return std::all_of(blanks_.begin(), blanks_.end(), [&](const InverseBlank& blank) {
    Cells other = written_;
    other[place(blank)] += 1.0;
    const Cells with_it = made(other);
    return std::any_of(numbers_.begin(), numbers_.end(), [&](const PrintedNumber& number) {
      return !fits(number, with_it[place(number)]);
    });
  });
}

void InverseAttempt::add_findings(std::size_t step, const std::vector<const MistakeRow*>& mistakes,
                                  StepReport& report) const {
  std::vector<const PrintedNumber*> missed;
  Index wrong = 0;
  for (const InverseBlank& blank : blanks_) {
    if (blank.step != step || !blank.blamed) continue;
    ++wrong;
    for (const std::size_t n : blank.uses) {
      const PrintedNumber* number = &numbers_[n];
      const bool known = std::find(missed.begin(), missed.end(), number) != missed.end();
      if (!known && !number->open && !number->met) missed.push_back(number);
    }
  }
  if (missed.empty()) return;
  if (missed.size() > 1) {
    for (const MistakeRow* row : mistakes) {
      if (row != mistakes.front()) {
        report.findings.front().same_as.emplace_back(row->words.code);
        report.findings.front().confidence = Confidence::Likely;
        continue;
      }
      report.findings.push_back(finding_of(row->words, wrong, wrong));
    }
  }
  std::sort(missed.begin(), missed.end());
  const PrintedNumber& first = *missed.front();
  std::string text =
      std::isfinite(first.made)
          ? filled("With these numbers, {} comes out as {}, but {} is printed: off by {}.",
                   name_of(first), text_of(first.made), text_of(first.printed),
                   text_of(std::abs(first.made - first.printed)))
          : filled("With these numbers, {} is too large to compute, but {} is printed.",
                   name_of(first), text_of(first.printed));
  if (missed.size() > 1) text += filled(" In all, {} printed numbers are missed.", missed.size());
  report.findings.push_back(
      {.code = "evidence.printed",
       .confidence = Confidence::Possible,
       .matched = 0,
       .of = wrong,
       .message = text,
       .hint = filled("Which of your numbers is {} made from?", name_of(first)),
       .facts = {{"made", first.made},
                 {"printed", first.printed},
                 {"missed", static_cast<double>(missed.size())}}});
}

}  // namespace attn
