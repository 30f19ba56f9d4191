// Judges cells by the truth and by the matrices before, then seeks what explains each wrong step.
#include "attn/check.hpp"
#include "attn/phrases.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "teach/check/closing.hpp"
#include "teach/check/equivalent.hpp"
#include "teach/check/estimated_fill.hpp"
#include "teach/check/evidence.hpp"
#include "teach/check/facts.hpp"
#include "teach/check/finding.hpp"
#include "teach/check/implausible.hpp"
#include "teach/check/narrow_run.hpp"
#include "teach/check/near_ties.hpp"
#include "teach/check/search.hpp"
#include "teach/check/slip.hpp"

namespace attn {
namespace {

/// Why later steps are not computed from an answer; nullptr if they are. It must be finite where
/// `made` is (masked scores may be −∞ anywhere) and never NaN, its numbers must not all be the
/// same, and the student must have filled in at least half of the blanks. What a program computed
/// on from NaN is NaN, and follows.
const char* why_unused(const GradedAnswer& judged, const Tensor& made, bool by_program) {
  const NumberSpan theirs = judged.theirs->data();
  const bool masked = judged.step->info().role == StepRole::MaskedScores;
  std::size_t filled = 0, blanks = 0;
  bool varied = theirs.size() < 2;
  const double* first = nullptr;
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    const bool printed = judged.state(i) == CellState::Given;
    blanks += printed ? 0 : 1;
    if (!judged.filled(i)) continue;
    filled += printed ? 0 : 1;
    const bool hides = masked && theirs[i] < 0.0;
    const bool misses = std::isinf(theirs[i]) && std::isfinite(made.data()[i]) && !hides;
    if (std::isnan(theirs[i]) || misses) return by_program ? nullptr : "not all numbers are finite";
    if (first == nullptr) first = &theirs[i];
    varied |= theirs[i] != *first;
  }
  if (2 * filled < blanks) return "most cells are blank";
  return varied ? nullptr : "the numbers are all the same";
}

/// The student's matrix, with numbers of `made` in its blanks.
Tensor filled_with(const GradedAnswer& judged, const Tensor& made) {
  if (judged.answer->states.empty() && made.shape() == judged.theirs->shape())
    return *judged.theirs;
  Tensor own = made;
  const std::span<double> numbers = own.edit();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (judged.filled(i)) numbers[i] = judged.theirs->data()[i];
  }
  return own;
}

/// Judges the cells by the truth alone, and returns whether it contradicts none: if so, nothing
/// needs to be computed from the student's own matrices.
bool agree_with_truth(std::vector<GradedAnswer>& answers) {
  for (GradedAnswer& each : answers) {
    if (each.theirs) judge(each, each.step->value, each.step->value);
    if (each.wrong()) return false;
  }
  return true;
}

/// What follows from the student's own matrices; fills in their blanks on the way, and judges
/// cells.
Evaluation followed(const Trace& truth, const Evaluation& right, std::vector<GradedAnswer>& answers,
                    bool by_program) {
  std::vector<std::string> ids;
  std::unordered_map<std::string_view, GradedAnswer*> by_id;
  for (GradedAnswer& each : answers) {
    ids.push_back(each.step->id);
    if (each.theirs) by_id.emplace(each.step->id, &each);
  }
  const auto visit = [&](const std::string& id, const Tensor& made, bool, const Tensor*& own) {
    const auto at = by_id.find(id);
    if (at == by_id.end()) return true;
    GradedAnswer& each = *at->second;
    if (made.shape() == each.step->value.shape()) judge(each, each.step->value, made);
    each.unused = why_unused(each, made, by_program);
    if (!each.used()) return true;
    each.own = filled_with(each, made);
    own = &each.own;
    return true;
  };
  return Evaluation(truth, right, {}, ids, visit);
}

/// Judges the cells of a sheet once more: a cell follows only if every number that it uses was
/// printed or written, and none is implausible, which the notes say. NaN takes the place of all
/// others; whatever uses one is NaN, which nobody's answer follows. Nor do large wrong numbers make
/// others less exact, as they do in what a program computed.
void judge_by_what_is_written(const Trace& truth, const Evaluation& right,
                              std::vector<GradedAnswer>& answers, std::vector<std::string>& notes) {
  std::vector<std::string> ids;
  std::unordered_map<std::string_view, GradedAnswer*> by_id;
  for (GradedAnswer& each : answers) {
    ids.push_back(each.step->id);
    by_id.emplace(each.step->id, &each);
  }
  std::deque<Tensor> written;
  const auto visit = [&](const std::string& id, const Tensor& made, bool, const Tensor*& own) {
    const auto at = by_id.find(id);
    if (at == by_id.end()) return true;
    GradedAnswer& each = *at->second;
    each.largest = 0.0;
    if (each.theirs) judge(each, each.step->value, made);
    for (std::size_t i = 0; i < each.report.cells.size(); ++i) {
      CellVerdict& cell = each.report.cells[i];
      if (cell == CellVerdict::Follows && !std::isfinite(made.data()[i])) cell = CellVerdict::Wrong;
    }
    std::vector<char>& large = each.report.too_large;
    if (each.theirs)
      large =
          implausible_cells(truth, *each.step, each.theirs->data(), each.report.cells, made.data());
    const auto several = std::count(large.begin(), large.end(), 1);
    if (several > 0)
      notes.push_back(
          several == 1
              ? filled("1 number in {} is larger than any right one, and nothing follows from it",
                       each.step->id)
              : filled(
                    "{} numbers in {} are larger than any right one, and nothing follows from them",
                    several, each.step->id));
    Tensor& used = written.emplace_back(made);
    const std::span<double> numbers = used.edit();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const bool there = each.theirs && each.filled(i) && (large.empty() || large[i] == 0);
      numbers[i] = there ? each.theirs->data()[i] : std::numeric_limits<double>::quiet_NaN();
    }
    own = &used;
    return true;
  };
  Evaluation(truth, right, {}, ids, visit);
}

/// The explanations that are as good as the first one.
std::vector<const Explanation*> ties(const std::vector<Explanation>& found,
                                     const GradedAnswer& judged) {
  std::vector<const Explanation*> best;
  const Explanation& first = found.front();
  const double limit =
      std::max(4.0 * first.residual, 4.0 * judged.close.grain) + 1e-9 * judged.close.tolerance;
  for (const Explanation& each : found) {
    const bool known = std::any_of(best.begin(), best.end(), [&](const Explanation* other) {
      return other->candidate->row == each.candidate->row;
    });
    const bool alike = is_equivalent(*each.candidate->row) == is_equivalent(*first.candidate->row);
    if (!known && alike && each.steps.size() == first.steps.size() && each.residual <= limit)
      best.push_back(&each);
  }
  return best;
}

/// How many more cells than fitted numbers must be explained for certainty.
constexpr Index kConfirming = 8;

/// Whether no number of a matrix is finite, so that whatever spreads NaN makes it.
bool is_nowhere_finite(const GradedAnswer& judged) {
  return judged.theirs && judged.finite_cells() == 0;
}

/// The finding of the first of `best`; the others explain the same cells, and what is `near` nearly
/// does.
Finding explained_by(const std::vector<const Explanation*>& best, std::set<std::string> near,
                     const Case& known, const GradedAnswer& judged) {
  const Index filled = judged.filled_cells();
  const Candidate& first = *best.front()->candidate;
  Finding finding = finding_of(first.row->words, filled, filled);
  finding.basis = best.front()->basis;
  finding.scope = first.scope;
  finding.facts = facts_of(known.truth, first);
  for (const Rewiring& each : best.front()->candidate->change.recipe) {
    if (!each.words.empty() && finding.message.find(each.words) == finding.message.npos)
      finding.message += " " + each.words;
  }
  if (best.front()->alone) finding.message += " What comes after it is right all the same.";
  const Index wrong = judged.theirs ? count(judged.report.cells, CellVerdict::Wrong) : filled;
  near.erase(finding.code);
  for (std::size_t i = 1; i < best.size(); ++i) {
    finding.same_as.emplace_back(best[i]->candidate->row->words.code);
    near.erase(finding.same_as.back());
  }
  finding.same_as.insert(finding.same_as.end(), near.begin(), near.end());
  const bool is_seen = !judged.theirs || wrong > judged.not_finite_cells();
  const bool is_sure = is_seen && finding.same_as.empty() && known.search.left_out.empty() &&
                       (first.fitted == 0 || wrong >= first.fitted + kConfirming);
  const bool guess = wrong < 2 || best.front()->alone || is_nowhere_finite(judged);
  finding.confidence = guess     ? Confidence::Possible
                       : is_sure ? Confidence::Certain
                                 : Confidence::Likely;
  return finding;
}

/// Whether an explanation accounts for one wrong cell, of several that are filled in.
bool is_lone(const Case& known, const Explanation& explanation, const GradedAnswer& judged) {
  Index wrong = 0;
  for (const std::size_t i : explanation.steps)
    wrong += count(known.answers[i].report.cells, CellVerdict::Wrong);
  return wrong == 1 && judged.filled_cells() > 1;
}

/// Whether one number is in every blank of a sheet that is filled in, four at least, though the
/// right ones differ: a guess, which a mistake explains by chance alone.
bool repeat_one_number(const std::vector<GradedAnswer>& answers) {
  std::vector<double> written, right;
  for (const GradedAnswer& each : answers) {
    if (!each.theirs || each.answer->states.empty()) return false;
    for (std::size_t i = 0; i < each.answer->states.size(); ++i) {
      if (each.state(i) != CellState::Filled) continue;
      written.push_back(each.theirs->data()[i]);
      right.push_back(each.step->value.data()[i]);
    }
  }
  return written.size() >= 4 && all_are(written, written.front(), 0.0) &&
         !all_are(right, right.front(), 0.0);
}

/// Says that every blank holds the same number.
void name_repetition(GradedAnswer& judged) {
  judged.report.findings.push_back({.code = "evidence.same",
                                    .confidence = Confidence::Possible,
                                    .matched = 0,
                                    .of = count(judged.report.cells, CellVerdict::Wrong),
                                    .message = "The same number is in every blank.",
                                    .hint = "How is the first of these numbers computed?"});
}

/// Names what explains a wrong step, in it and in all others that the same mistake explains.
void diagnose(const Case& known, const std::vector<Candidate>& all, std::size_t at) {
  GradedAnswer& judged = known.answers[at];
  if (all_are_of_narrow_type(known) && name_narrow_type(known, judged)) return;
  const Explanations explained = explain_step(known, all, at);
  const std::vector<Explanation>& found = explained.found;
  known.search.near = explained.near;
  if (found.empty()) {
    if (name_narrow_type(known, judged)) return;
    // one wrong cell of many: any fitted number, and many a pair, would explain it
    const bool lone =
        count(judged.report.cells, CellVerdict::Wrong) == 1 && judged.filled_cells() > 1;
    const bool shaped = judged.theirs.has_value();  // two mistakes are not looked for by shapes
    // what fits numbers, or slips in single ones, says nothing of NaN
    const bool finite = judged.not_finite_cells() == 0;
    const bool is_named = (finite && !lone && recognise(known, all, at)) ||
                          (finite && name_slips(known, judged)) ||
                          (!lone && shaped && name_pair(known, all, at));
    add_evidence(known, judged, is_named);
    return;
  }
  if (!known.truth.is_model() && is_lone(known, found.front(), judged) && name_slips(known, judged))
    return;
  const std::vector<const Explanation*> best = ties(found, judged);
  const bool equivalent = is_equivalent(*best.front()->candidate->row);
  const bool is_from_wrong = std::any_of(
      known.answers.begin(), known.answers.begin() + static_cast<std::ptrdiff_t>(at),
      [](const GradedAnswer& each) { return each.graded && each.wrong() && !each.explained; });
  if (equivalent && is_from_wrong) return;  // another route to a result that is wrong
  for (const std::size_t i : best.front()->steps) {
    GradedAnswer& each = known.answers[i];
    if (i < at || each.explained || !each.wrong()) continue;
    each.explained = true;
    if (equivalent) {
      accept(each, explained_by({best.front()}, {}, known, each));
    } else {
      each.report.findings.push_back(explained_by(best, explained.near, known, each));
      add_evidence(known, each, true);
      if (is_nowhere_finite(each))  // what is seen is sure, its cause is not
        std::reverse(each.report.findings.begin(), each.report.findings.end());
    }
  }
}

constexpr const char* kCommaNote = " with a decimal comma: 0,5 is read as 0.5";

}  // namespace

std::string comma_note(const Answers& answers) {
  Index commas = 0;
  for (const Answer& each : answers.matrices) commas += each.commas;
  return commas == 0 ? "" : counted(commas, "number") + kCommaNote;
}

bool is_comma_note(std::string_view note) { return note.ends_with(kCommaNote); }

CheckReport check_answers(const Trace& truth, Answers answers, const CheckOptions& options) {
  return check_answers(truth, std::move(answers), options, nullptr);
}

CheckReport check_answers(const Trace& truth, Answers answers, const CheckOptions& options,
                          const std::vector<Candidate>* ready, Search search, double most_work,
                          Blanks blanks) {
  CheckReport report;
  if (std::string note = comma_note(answers); !note.empty()) report.notes.push_back(note);
  const bool routed = truth.is_model() && !choices_as_in(truth).empty();
  const std::optional<Dtype> narrow =
      options.tolerance ? std::nullopt : narrow_type_of(truth, answers);
  const Answers original = routed || narrow ? answers : Answers{};
  if (options.steps.empty()) answers = named_by_axes(truth, std::move(answers), report.notes);
  answers = counted_from_zero(truth, std::move(answers), report);
  answers = masks_as_here(truth, std::move(answers), options, report.notes);
  answers = arranged(truth, std::move(answers), options, report);
  answers = in_rows(truth, filled_up(truth, std::move(answers)), options, report);
  std::vector<GradedAnswer> fitted = fit(truth, answers, options, report);
  const bool rounds = answers.by_program && !options.tolerance && answers.dtype != Dtype::Float64 &&
                      answers.dtype != truth.settings().dtype;
  RouterTolerances scores;
  if (rounds && !agree_with_truth(fitted)) scores = allow_rounding(truth, answers.dtype, fitted);
  const Evaluation right(truth);
  const Evaluation follows = agree_with_truth(fitted)
                                 ? Evaluation(truth)
                                 : followed(truth, right, fitted, answers.by_program);
  if (blanks == Blanks::AreEmpty) judge_by_what_is_written(truth, right, fitted, report.notes);
  Searching searching{most_work};
  const Parts parts(truth);
  const std::optional<Dtype> dtype =
      answers.by_program ? std::optional(answers.dtype) : std::nullopt;
  const Case known(truth, parts, right, follows, fitted, searching, dtype);
  if (const NearTies ties = near_ties(known, scores); ties.rows > 0) {
    report = check_answers(replay(truth, ties.recipe), original, options, ready, search, most_work);
    name_near_ties(ties, report);
    return report;
  }
  if (narrow && !rounding_explains_all(known, *narrow)) {
    Answers again = original;
    again.dtype = *narrow;
    report = check_answers(truth, std::move(again), options, ready, search, most_work, blanks);
    report.notes.push_back(narrow_note(*narrow));
    return report;
  }
  for (GradedAnswer& each : fitted) {
    accept_fills(truth, each);
    accept_padded_rows(truth, each);
  }
  for (GradedAnswer& each : fitted) settle_verdict(each.report);
  const std::vector<Candidate> none;
  std::vector<Candidate> all;
  std::vector<std::string> unsearched;
  const bool guessed = repeat_one_number(fitted);
  for (std::size_t i = 0; i < fitted.size() && search != Search::None; ++i) {
    if (!fitted[i].graded || !fitted[i].wrong() || fitted[i].explained) continue;
    if (guessed) {
      name_repetition(fitted[i]);
      continue;
    }
    if (all.empty() && !truth.is_model()) {
      all = without_b_k(known);
      const std::vector<Candidate> made = ready ? std::vector<Candidate>{} : candidates(truth);
      const std::vector<Candidate>& single = ready ? *ready : made;
      all.insert(all.end(), single.begin(), single.end());
      for (const auto estimated : {estimated_fills, estimated_paddings}) {
        for (Candidate& each : estimated(known)) all.push_back(std::move(each));
      }
    }
    const bool spent = searching.work > most_work;
    if (spent) unsearched.push_back(fitted[i].step->id);
    diagnose(known, spent ? none : all, i);
    if (search == Search::FirstWrong && fitted[i].wrong()) break;
  }
  close_report(known, unsearched, report);
  return report;
}

}  // namespace attn
