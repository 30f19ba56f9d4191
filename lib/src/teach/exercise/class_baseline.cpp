// Draws sheets in advance, tallies work, mistakes and ties, and refuses an exercise that fails.
#include "teach/exercise/class_baseline.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "core/trace/missing_step.hpp"
#include "teach/exercise/blanks.hpp"
#include "teach/exercise/drawn_sheet.hpp"
#include "teach/exercise/own_problems.hpp"
#include "teach/exercise/proof.hpp"
#include "teach/exercise/spec_check.hpp"
#include "teach/exercise/variant_seed.hpp"

namespace attn {
namespace {

constexpr int kDrawn = 31;            // problems, to know the usual amount of work
constexpr int kSolved = 8;            // of these, to know what can be seen
constexpr double kNearlyAll = 0.85;   // of the solved ones: what so many show, a sheet must show
constexpr double kMoreOrLess = 0.07;  // then all sheets are within 15 % of each other
constexpr double kNothing = 1e-9;     // a tolerance that forgives nothing
constexpr double kMuch = 0.5;         // of the points, for guesses
constexpr double kAlwaysSame = 2.0;   // products: of few, 7 % is less than one
constexpr int kMoreDecimals = 3;      // that are tried
constexpr const char* kAdvice = "?";  // in place of which decimals and tolerance would do

bool is_listed(const ExerciseSpec& spec, const std::string& code) {
  return std::find(spec.mistakes.begin(), spec.mistakes.end(), code) != spec.mistakes.end();
}

/// Throws Error for a step that problems of this kind do not have, or that is asked and given, and
/// for more cells than a sheet can have.
void require_steps(const ExerciseSpec& spec, const Sheet& sheet) {
  const Trace truth = attend(make_problem(sheet.problem));
  Index cells = 0;
  for (const AskedStep& step : spec.steps) {
    const Step* found = truth.find(step.id);
    cells += found == nullptr ? 0 : found->value.shape().count();
    if (found != nullptr && (step.points == 0.0 || !found->is_given())) continue;
    const Error refused =
        found == nullptr
            ? missing_step(truth, step.id)
            : spec_error("exercise-spec", step.id + " is given, so there is nothing to work out",
                         "Write \"steps\" without it: a sheet shows what is given.");
    Diagnostic wrong = refused.diagnostics().front();
    wrong.places = {{.pointer = "/steps/" + step.id}};
    throw Error(refused.kind(), {std::move(wrong)});
  }
  if (cells > kMostCells)
    throw spec_error(
        "exercise-spec",
        filled("the sheet would have {} cells, and {} are the most", cells, kMostCells),
        "Ask for fewer steps, or give a smaller problem.", "steps");
}

/// Why a mistake is not seen: the last words of a sentence.
std::string reason(const ExerciseSpec& spec, const SheetModel& paper, const Candidate* mistake) {
  if (paper.truth.is_model()) return "what shows in a whole model is not known before it is graded";
  if (mistake == nullptr) return "it cannot occur in this problem";
  if (!worked(paper, mistake->change))
    return "its result does not have the shape on the sheet, or is not a number";
  if (!spec.problems.empty()) return "it changed no blank enough to be seen";
  return filled("in {} problems of this kind, it changed no blank enough to be seen", kSolved);
}

/// How often each mistake was seen and named, and each tie.
struct Tally {
  std::map<std::string, int> seen, named;
  std::map<std::pair<std::string, std::string>, int> tied;
  int honest = 0;       ///< solvers without a mistake who got full points
  Proof hardest_guess;  ///< where guesses scored least

  void add(const Sight& sight, const Proof& proof) {
    for (const std::string& code : proof.found) ++named[code];
    honest += proof.rounded_score == 1.0;
    if (hardest_guess.work == 0.0 || proof.guess_share() < hardest_guess.guess_share())
      hardest_guess = proof;
    for (const std::string& code : sight.seen) ++seen[code];
    for (const auto& pair : sight.ties) ++tied[pair];
  }
};

/// Whether guesses would score too much even if no other number passed for a right one.
bool are_guesses_right(Sheet sheet, const Sheet& key, const SheetModel& paper,
                       const Suspects& suspects) {
  sheet.accept_within = kNothing;
  return prove(paper, sheet, key, suspects, {}, 1.0).guess_score > kMuch;
}

void refuse(const ExerciseSpec& spec, const Tally& tally, const Sheet& sheet,
            const SheetModel& paper, const Suspects& suspects) {
  if (tally.honest == 0)
    throw spec_error("exercise-spec",
                     filled("±{} is too strict for {}: a solver who rounds every number would not "
                            "get full points",
                            format_exact(sheet.accept_within), counted(spec.decimals, "decimal")),
                     kAdvice, "accept_within");
  const std::string within = "with ±" + format_exact(sheet.accept_within) + ", ";
  if (tally.hardest_guess.guess_score > tally.hardest_guess.guess_luck * most_for_guesses(spec)) {
    const bool right = are_guesses_right(sheet, solved(paper, sheet, suspects), paper, suspects);
    std::vector<Diagnostic> wrong =
        spec_error("exercise-blind",
                   within + guess_text(tally.hardest_guess, most_for_guesses(spec)),
                   right ? "Ask for other steps or for fewer blanks, or take it as it is."
                         : "Accept less, ask for other steps, or take it as it is.",
                   "accept_within")
            .diagnostics();
    wrong.front().changes.push_back({"force", ""});
    throw Error(ErrorKind::Usage, std::move(wrong));
  }
  ExerciseSpec usual = spec;
  usual.accept_within.reset();
  if (tally.named.empty() && sheet.accept_within > tolerance_of(usual) && !spec.force)
    throw spec_error("exercise-blind", within + "no mistake can be seen in the blanks", kAdvice,
                     "accept_within");
  for (const std::string& code : spec.mistakes) {
    if (tally.seen.contains(code) || spec.force) continue;
    throw spec_error(
        "exercise-blind",
        code + " cannot be seen in this exercise: " + reason(spec, paper, suspects.find(code)),
        spec.problems.empty() ? "Choose other sizes, ask for other steps, or do without it."
                              : "Choose other numbers, ask for other steps, or do without it.",
        "mistakes");
  }
}

/// For whom sheets are drawn before any is handed out: nobody, or all who have their own problem.
std::vector<std::string> students_drawn(const ExerciseSpec& spec) {
  if (spec.problems.empty()) return std::vector<std::string>(kDrawn);
  std::vector<std::string> students;
  for (const auto& each : spec.problems) students.push_back(each.first);
  return students;
}

ClassBaseline baseline_of(const ExerciseSpec& spec, std::string_view salt);

/// Whether an exercise with these decimals and this tolerance is not refused.
bool would_do(const ExerciseSpec& spec, std::string_view salt) {
  try {
    baseline_of(spec, salt);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// "Ask for 4 decimals, or accept ±0.02.": what has been tried and would not be refused.
std::string advice_for(const ExerciseSpec& spec, std::string_view salt) {
  std::string advice;
  ExerciseSpec usual = spec;
  usual.accept_within.reset();
  const int most = std::min(spec.decimals + kMoreDecimals, kMostDecimals);
  for (ExerciseSpec more = usual; advice.empty() && more.decimals < most;) {
    ++more.decimals;
    if (would_do(more, salt))
      advice = filled("Ask for {} decimals{}", more.decimals,
                      spec.accept_within ? ", without accept_within" : "");
  }
  for (const double within :
       {tolerance_of(usual), 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5}) {
    ExerciseSpec other = spec;
    other.accept_within = within;
    if (!would_do(other, salt)) continue;
    return (advice.empty() ? "Accept ±" : advice + ", or accept ±") + format_exact(within) + ".";
  }
  return advice.empty() ? "Choose other numbers, or ask for other steps." : advice + ".";
}

}  // namespace

bool ClassBaseline::is_usual_work(double other) const {
  return !work || std::abs(other - *work) <= std::max(kMoreOrLess * *work, kAlwaysSame);
}

bool ClassBaseline::is_enough(const Sight& sight) const {
  const auto wanted = [&](const std::string& code) {
    return std::binary_search(enabled.begin(), enabled.end(), code);
  };
  for (const auto& tie : sight.ties) {
    if (ties_matter && !ties.contains(tie) && (wanted(tie.first) || wanted(tie.second)))
      return false;
  }
  return std::includes(sight.seen.begin(), sight.seen.end(), enabled.begin(), enabled.end());
}

ClassBaseline class_baseline(const ExerciseSpec& spec, std::string_view salt) {
  try {
    return baseline_of(spec, salt);
  } catch (const Error& error) {
    std::vector<Diagnostic> wrong = error.diagnostics();
    if (wrong.front().fix != kAdvice) throw;
    wrong.front().fix = advice_for(spec, salt);
    throw Error(error.kind(), std::move(wrong));
  }
}

namespace {

ClassBaseline baseline_of(const ExerciseSpec& spec, std::string_view salt) {
  using Kind = BlankRule::Kind;
  const BlankRule rule = spec.find_the_bug ? BlankRule{.kind = Kind::All} : spec.blanks;
  const VariantSeed seed = variant_seed(salt, spec.name, "");
  const bool own = !spec.problems.empty();
  const std::vector<std::string> students = students_drawn(spec);
  const int solved_sheets = std::min(kSolved, static_cast<int>(students.size()));
  std::vector<double> work;
  Tally tally;
  for (int i = 0; i < static_cast<int>(students.size()); ++i) {
    const auto number = static_cast<std::uint64_t>(i);
    Sheet sheet = drawn_sheet(spec, seed.blanks + number, students[static_cast<std::size_t>(i)]);
    if (i == 0 || own) require_steps(spec, sheet);
    if (i >= kSolved && own) continue;
    SheetModel paper(sheet);
    work.push_back(paper.work());
    if (i >= kSolved) continue;
    const Suspects suspects(paper.truth);
    Draws draws(seed.bug + number);
    choose_blanks(paper, rule, suspects, spec.mistakes, draws);
    print(sheet, paper);
    tally.add(look(paper, suspects, worked_by_all(paper, suspects)),
              prove(paper, sheet, solved(paper, sheet, suspects), suspects, spec.mistakes, 1.0));
    if (i + 1 == solved_sheets) refuse(spec, tally, sheet, paper, suspects);
  }
  ClassBaseline common;
  const auto middle = work.begin() + std::ssize(work) / 2;
  std::nth_element(work.begin(), middle, work.end());
  if (!own) common.work = *middle;
  // a row or a cell of each step, or a problem of one's own, shows different mistakes on each sheet
  common.ties_matter = !own && (rule.kind == Kind::Share || rule.kind == Kind::All);
  for (const auto& seen : tally.seen) {
    const std::string& code = seen.first;
    const bool usual = (common.ties_matter || spec.find_the_bug) &&
                       tally.named[code] >= kNearlyAll * solved_sheets;
    if (spec.mistakes.empty() ? usual : is_listed(spec, code)) common.enabled.push_back(code);
  }
  for (const auto& [tie, count] : tally.tied) {
    if (count > (1.0 - kNearlyAll) * solved_sheets) common.ties.insert(tie);
  }
  return common;
}

}  // namespace
}  // namespace attn
