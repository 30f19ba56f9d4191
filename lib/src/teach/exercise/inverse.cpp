// Puts what was written into the problem, computes the printed numbers, and finds who misses them.
#include "teach/exercise/inverse.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <utility>

#include "attn/error.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/teach/exercise.hpp"
#include "attn/teach/own_work.hpp"
#include "core/trace/missing_step.hpp"
#include "teach/check/equivalent.hpp"
#include "teach/check/evidence.hpp"
#include "teach/check/finding.hpp"
#include "teach/check/graded_answer.hpp"
#include "teach/exercise/inverse_operands.hpp"

namespace attn {
namespace {

constexpr double kRounding = 1e-9;  // what computing changes; relative
constexpr double kHole = std::numeric_limits<double>::quiet_NaN();

/// One number for each cell of a sheet, one step after another.
using Cells = std::vector<double>;

/// A number on the sheet that says whether what was written fits.
struct PrintedNumber {
  std::size_t step, cell;  ///< which of the sheet, and where in it
  double printed, made;
  bool open = false;       ///< it uses an empty blank, or a cell that was erased
  bool met = false;        ///< it comes out
  bool explained = false;  ///< it uses a blank that is blamed, so it says nothing about others
};

/// A cell of the student's, and the printed numbers that use it.
struct Blank {
  std::size_t step, cell;
  bool filled;       ///< with a number
  bool nan = false;  ///< NaN was written, which fits nothing
  std::vector<std::size_t> uses = {};
  bool blamed = false;
};

/// A sheet that was handed in, and what its printed numbers become.
class Attempt {
 public:
  Attempt(const Trace& truth, const Sheet& sheet, const std::vector<GradedAnswer>& answers,
          const CheckReport& report)
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

  CellVerdict verdict(const Blank& blank) const;
  bool misses_several() const;
  std::vector<const MistakeRow*> mistakes_that_fit() const;
  void add_findings(std::size_t step, const std::vector<const MistakeRow*>& mistakes,
                    StepReport& report) const;
  bool each_blank_matters() const;
  /// Whether NaN was written in a blank of a step.
  bool has_nan(std::size_t step) const {
    return std::any_of(blanks_.begin(), blanks_.end(),
                       [&](const Blank& blank) { return blank.nan && blank.step == step; });
  }
  const std::vector<Blank>& blanks() const { return blanks_; }
  const PrintedNumber& number(std::size_t n) const { return numbers_[n]; }

 private:
  Cells made(const Cells& written, const Variation& change = {}) const;
  void find_printed(const Tolerance& tolerance);
  void find_uses();
  void compare();
  void blame();
  std::size_t place(const Blank& blank) const { return begin_[blank.step] + blank.cell; }
  std::size_t place(const PrintedNumber& number) const { return begin_[number.step] + number.cell; }
  bool fits(const PrintedNumber& number, double made) const;
  std::string name_of(const PrintedNumber& number) const;

  const Trace& truth_;
  const Sheet& sheet_;
  Evaluation right_;
  std::vector<std::size_t> begin_;  ///< of each step, in cells of the sheet
  Cells written_;  ///< what is printed or written; 0 in empty blanks, NaN in erased cells
  std::vector<Blank> blanks_;
  std::vector<PrintedNumber> numbers_;
  std::vector<double> tolerances_;  ///< one for each step
};

/// What each printed matrix is computed to from these cells; NaN in all others.
Cells Attempt::made(const Cells& written, const Variation& change) const {
  Cells made(written.size(), kHole);
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

bool Attempt::fits(const PrintedNumber& number, double made) const {
  return Closeness{.tolerance = tolerances_[number.step]}.agree(made, number.printed);
}

void Attempt::find_printed(const Tolerance& tolerance) {
  for (std::size_t s = 0; s < sheet_.steps.size(); ++s) {
    const SheetStep& step = sheet_.steps[s];
    tolerances_.push_back(accepted_gap(tolerance, magnitude(truth_, truth_.at(step.id))));
    if (has_blanks(step) || truth_.at(step.id).is_given()) continue;
    for (std::size_t i = 0; i < step.numbers.size(); ++i) {
      const bool erased = std::isnan(step.numbers[i]);
      if (!erased) numbers_.push_back({s, i, step.numbers[i], kHole});
    }
  }
}

/// Changes each blank alone: a printed number uses it if it changes, too, by more than rounding.
/// The weight of the only key that a query sees is always 1, and uses nothing. Whether a number
/// changes depends on what else the matrices with blanks hold, so that two fillings are tried:
/// numbers that all differ, for products of two blanks, and zeros, so that no softmax is near 0 or
/// 1. What is NaN needs a cell that was erased.
void Attempt::find_uses() {
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
    for (Blank& blank : blanks_) {
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
  for (Blank& blank : blanks_) std::sort(blank.uses.begin(), blank.uses.end());
}

void Attempt::compare() {
  for (const Blank& blank : blanks_) {
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
void Attempt::blame() {
  const auto missed_share = [&](const Blank& blank) {
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
    for (const Blank& blank : blanks_) most = std::max(most, missed_share(blank));
    if (most == 0.0) return;
    std::vector<Blank*> worst;
    for (Blank& blank : blanks_) {
      if (missed_share(blank) == most) worst.push_back(&blank);
    }
    for (Blank* blank : worst) {
      blank->blamed = true;
      for (const std::size_t n : blank->uses) numbers_[n].explained = true;
    }
  }
}

CellVerdict Attempt::verdict(const Blank& blank) const {
  if (blank.blamed || blank.nan) return CellVerdict::Wrong;
  const bool all_met = std::all_of(blank.uses.begin(), blank.uses.end(), [&](std::size_t n) {
    return numbers_[n].met || numbers_[n].explained;
  });
  const bool any_met = std::any_of(blank.uses.begin(), blank.uses.end(),
                                   [&](std::size_t n) { return numbers_[n].met; });
  return blank.filled && all_met && any_met ? CellVerdict::Right : CellVerdict::Empty;
}

/// The mistakes with which every number that can be computed comes out as it is printed.
std::vector<const MistakeRow*> Attempt::mistakes_that_fit() const {
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
std::string Attempt::name_of(const PrintedNumber& number) const {
  const Step& step = truth_.at(sheet_.steps[number.step].id);
  const Cell cell = step.value.shape().cell_at(static_cast<Index>(number.cell));
  std::string name = step.id + "[";
  if (step.value.batch() > 1) name += filled("batch {}, ", cell.batch);
  if (step.value.heads() > 1) name += filled("head {}, ", cell.head);
  return name + unique_name(name_of_row(step, cell), cell.row) + ", " +
         unique_name(name_of_col(step, cell), cell.col) + "]";
}

bool Attempt::misses_several() const {
  return std::count_if(numbers_.begin(), numbers_.end(),
                       [](const PrintedNumber& n) { return !n.open && !n.met; }) > 1;
}

/// Whether a change of 1 in any blank, alone, makes a printed number miss.
bool Attempt::each_blank_matters() const {
  return std::all_of(blanks_.begin(), blanks_.end(), [&](const Blank& blank) {
    Cells other = written_;
    other[place(blank)] += 1.0;
    const Cells with_it = made(other);
    return std::any_of(numbers_.begin(), numbers_.end(), [&](const PrintedNumber& number) {
      return !fits(number, with_it[place(number)]);
    });
  });
}

void Attempt::add_findings(std::size_t step, const std::vector<const MistakeRow*>& mistakes,
                           StepReport& report) const {
  std::vector<const PrintedNumber*> missed;
  Index wrong = 0;
  for (const Blank& blank : blanks_) {
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

}  // namespace

CheckReport judge_inverse(const Trace& truth, const Sheet& sheet, Answers answers,
                          const CheckOptions& options, Search search) {
  CheckReport report;
  if (std::string note = comma_note(answers); !note.empty()) report.notes.push_back(note);
  for (const SheetStep& step : sheet.steps) {
    const Step* found = truth.find(step.id);
    if (found == nullptr || (has_blanks(step) && !found->is_given()))
      throw missing_step(truth, step.id);
  }
  std::vector<GradedAnswer> fitted = fit(truth, answers, options, report);
  const Attempt attempt(truth, sheet, fitted, report);
  const auto mistakes = search == Search::None || !attempt.misses_several()
                            ? std::vector<const MistakeRow*>()
                            : attempt.mistakes_that_fit();
  bool unjudged = false;
  for (GradedAnswer& each : fitted) {
    const auto at = std::find_if(sheet.steps.begin(), sheet.steps.end(),
                                 [&](const SheetStep& step) { return step.id == each.step->id; });
    const auto s = static_cast<std::size_t>(at - sheet.steps.begin());
    if (each.theirs && at != sheet.steps.end()) {
      std::vector<CellVerdict>& cells = each.report.cells;
      cells.assign(at->blank.size(), CellVerdict::Given);
      for (const Blank& blank : attempt.blanks()) {
        if (blank.step != s) continue;
        const CellVerdict verdict = attempt.verdict(blank);
        const bool unreadable = each.state(blank.cell) == CellState::Unreadable;
        cells[blank.cell] = unreadable ? CellVerdict::Unreadable : verdict;
        unjudged = unjudged || (blank.filled && verdict == CellVerdict::Empty);
      }
      attempt.add_findings(s, mistakes, each.report);
      if (attempt.has_nan(s))
        each.report.findings.push_back({.code = "evidence.not_finite",
                                        .confidence = Confidence::Possible,
                                        .matched = 0,
                                        .of = count(each.report.cells, CellVerdict::Wrong),
                                        .message = not_finite_text(each)});
    }
    settle_verdict(each.report);
    report.steps.push_back(std::move(each.report));
  }
  if (unjudged)
    report.notes.emplace_back(
        "some numbers are not judged yet, and count as blanks: the printed numbers that use them "
        "need other blanks, too");
  return report;
}

bool each_blank_matters(const Trace& truth, const Sheet& key, const CheckOptions& options) {
  CheckReport report;
  Answers answers = answers_of(key);
  const std::vector<GradedAnswer> fitted = fit(truth, answers, options, report);
  return Attempt(truth, key, fitted, report).each_blank_matters();
}

std::vector<PrintedUse> printed_uses(const Grade& grade, const Sheet& sheet,
                                     const std::string& asked, std::size_t cell) {
  CheckReport report;
  Answers answers = grade.answers;
  CheckOptions options;
  options.tolerance = grade.report.tolerance;
  const std::vector<GradedAnswer> fitted = fit(grade.truth, answers, options, report);
  const Attempt attempt(grade.truth, sheet, fitted, report);
  std::vector<PrintedUse> uses;
  for (const Blank& blank : attempt.blanks()) {
    if (sheet.steps[blank.step].id != asked || blank.cell != cell) continue;
    for (const std::size_t n : blank.uses) {
      const PrintedNumber& number = attempt.number(n);
      const std::string& id = sheet.steps[number.step].id;
      const Shape& shape = grade.truth.at(id).value.shape();
      uses.push_back({id, shape.cell_at(static_cast<Index>(number.cell)), number.printed,
                      number.open ? kHole : number.made, number.met});
    }
  }
  return uses;
}

}  // namespace attn
