// Grades the empty sheet, the key, rounded work, guesses and mistakes, and lists what is not right.
#include "teach/exercise/proof.hpp"

#include <algorithm>
#include <cmath>

#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "teach/exercise/bug.hpp"
#include "teach/exercise/guesses.hpp"
#include "teach/exercise/inverse_sheet.hpp"
#include "teach/exercise/points.hpp"

namespace attn {
namespace {

CheckReport graded(const SheetModel& paper, const Sheet& sheet, const Suspects& suspects,
                   Search search) {
  CheckOptions options;
  options.tolerance = Tolerance{.absolute = sheet.accept_within};
  return check_answers(paper.truth, answers_of(sheet), options, &suspects.all, search, kMostWork,
                       Blanks::AreEmpty);
}

/// The share of the points that the sheet gets, as grading gives them.
double score(const SheetModel& paper, const Sheet& sheet, const Suspects& suspects) {
  CheckReport report = graded(paper, sheet, suspects, Search::None);
  add_points(paper.truth, sheet, 1.0, report);
  return report.max_score == 0.0 ? 0.0 : report.score / report.max_score;
}

/// Keeps the guess that scores most beside what it may score.
void keep_best(Proof& proof, const Guess& guess, double score) {
  if (score / guess.luck <= proof.guess_share()) return;
  proof.guess_score = score;
  proof.guess = guess.words;
  proof.guess_luck = guess.luck;
}

void prove_fitting(Proof& proof, const SheetModel& paper, const Sheet& sheet, const Sheet& key) {
  proof.blank_score = inverse_score(paper, sheet);
  proof.key_score = proof.rounded_score = inverse_score(paper, key);
  for (const Guess& guess : guesses(paper)) {
    const double guessed = inverse_score(paper, filled_in(sheet, guess.cells));
    keep_best(proof, guess, guessed);
  }
  prove_that_blanks_matter(proof, paper, key);
}

/// The codes that the search gives for the first wrong step: the best and what ties with it.
std::vector<std::string> named(const CheckReport& report) {
  for (const StepReport& step : report.steps) {
    if (step.id != report.first_wrong || step.findings.empty()) continue;
    std::vector<std::string> codes = step.findings.front().same_as;
    codes.insert(codes.begin(), step.findings.front().code);
    return codes;
  }
  return {};
}

void require(Proof& proof, bool holds, std::string problem) {
  if (!holds) proof.problems.push_back(std::move(problem));
}

void prove_bug(Proof& proof, const SheetModel& paper, const Sheet& sheet, const Sheet& key,
               const Suspects& suspects) {
  const std::optional<BugAnswer> found = find_bug(paper, sheet, suspects);
  const BugAnswer solution = key.bug.value_or(BugAnswer{});
  proof.blank_score = found ? bug_score(*sheet.bug, *found) : 0.0;
  proof.key_score = proof.rounded_score = found ? bug_score(solution, *found) : 0.0;
  if (!solution.code) return;
  (proof.key_score == 1.0 ? proof.found : proof.missed).push_back(*solution.code);
}

void prove_blanks(Proof& proof, const SheetModel& paper, const Sheet& sheet, const Sheet& key,
                  const Suspects& suspects, std::span<const std::string> enabled) {
  proof.blank_score = score(paper, sheet, suspects);
  proof.key_score = score(paper, key, suspects);
  proof.rounded_score = honest_score(paper, sheet, suspects);
  for (const Guess& guess : guesses(paper)) {
    const double guessed = score(paper, filled_in(sheet, guess.cells), suspects);
    keep_best(proof, guess, guessed);
  }
  const WorkedMistakes work = worked_by_all(paper, suspects);
  Sight sight = look(paper, suspects, work);
  std::vector<std::string> wanted(enabled.begin(), enabled.end());
  if (wanted.empty()) wanted.assign(sight.seen.begin(), sight.seen.end());
  for (const std::string& code : wanted) {
    std::vector<std::string> codes;
    if (sight.seen.contains(code)) {
      const auto& all = suspects.mistakes;
      const auto at = std::find(all.begin(), all.end(), suspects.find(code)) - all.begin();
      const auto& cells = *work[static_cast<std::size_t>(at)];
      codes = named(graded(paper, filled_in(sheet, cells), suspects, Search::FirstWrong));
    }
    const bool found = std::find(codes.begin(), codes.end(), code) != codes.end();
    if (found) proof.found.push_back(code);
    if (!found && !enabled.empty()) proof.missed.push_back(code);
    for (const std::string& other : codes) {
      if (found && other != code) sight.ties.insert(std::minmax(code, other));
    }
  }
  require(proof, proof.missed.empty(), "the blanks do not show " + listed(proof.missed));
  proof.blindness = {{sight.unseen.begin(), sight.unseen.end()}, grouped(sight.ties)};
}

}  // namespace

Proof prove(const SheetModel& paper, const Sheet& sheet, const Sheet& key, const Suspects& suspects,
            std::span<const std::string> enabled, double most_for_guesses) {
  Proof proof;
  proof.work = paper.work();
  proof.tried_mistakes = !paper.truth.is_model();
  if (sheet.inverse) {
    prove_fitting(proof, paper, sheet, key);
  } else if (sheet.bug) {
    prove_bug(proof, paper, sheet, key, suspects);
  } else {
    prove_blanks(proof, paper, sheet, key, suspects, enabled);
  }
  require(proof, proof.blank_score == 0.0, "the sheet scores points before it is filled in");
  require(proof, proof.key_score == 1.0, "the key does not get full points");
  require(proof, proof.rounded_score == 1.0,
          "a solver who rounds every number does not get full points");
  require(proof, proof.guess_score <= proof.guess_luck * most_for_guesses,
          guess_text(proof, most_for_guesses));
  return proof;
}

double honest_score(const SheetModel& paper, const Sheet& sheet, const Suspects& suspects) {
  const std::optional<Cells> honest = worked(paper, honest_work(paper.truth));
  return honest ? score(paper, filled_in(sheet, *honest), suspects) : 0.0;
}

std::string guess_text(const Proof& proof, double most) {
  const double guessed = 100.0 * proof.guess_score, allowed = 100.0 * proof.guess_luck * most;
  int decimals = 0;
  while (decimals < kMostDecimals &&
         format_trimmed(guessed, decimals) == format_trimmed(allowed, decimals))
    ++decimals;
  return filled("{} scores {}% of the points, and {}% is the most", proof.guess,
                format_trimmed(guessed, decimals), format_trimmed(allowed, decimals));
}

double most_for_guesses(const ExerciseSpec& spec) {
  constexpr double kUsual = 0.5, kChosen = 0.05, kOfOne = 0.2;  // a fifth: one cell of five
  if (spec.force || spec.find_the_bug) return 1.0;
  const bool chosen = spec.blanks.kind == BlankRule::Kind::Share && spec.problems.empty();
  const auto counted = std::count_if(spec.steps.begin(), spec.steps.end(),
                                     [](const AskedStep& step) { return step.points > 0.0; });
  return !chosen ? kUsual : counted == 1 ? kOfOne : kChosen;
}

Proof prove_sheet(const Sheet& sheet, const Sheet& key, std::span<const std::string> mistakes,
                  double most_for_guesses) {
  Sheet whole = sheet;
  if (whole.bug || whole.inverse) whole.problem = key.problem;
  const SheetModel paper(whole);
  return prove(paper, whole, key, Suspects(paper.truth), mistakes, most_for_guesses);
}

Answers answers_of(const Sheet& sheet) {
  Answers answers{.source = "the sheet"};
  for (const SheetStep& step : sheet.steps) {
    Answer answer{.id = step.id, .shape = step.shape, .numbers = step.numbers};
    for (std::size_t i = 0; i < step.numbers.size(); ++i) {
      answer.states.push_back(!step.blank[i]                ? CellState::Given
                              : std::isnan(step.numbers[i]) ? CellState::Empty
                                                            : CellState::Filled);
    }
    answers.matrices.push_back(std::move(answer));
  }
  return answers;
}

Sheet solved(const SheetModel& paper, const Sheet& sheet, const Suspects& suspects) {
  Sheet solved = filled_in(sheet, paper.numbers);
  if (solved.bug) solved.bug = find_bug(paper, sheet, suspects).value_or(BugAnswer{});
  return solved;
}

Sheet solved_sheet(const Sheet& sheet) {
  const SheetModel paper(sheet);
  return solved(paper, sheet, Suspects(paper.truth));
}

}  // namespace attn
