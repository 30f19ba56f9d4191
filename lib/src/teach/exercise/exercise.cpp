// Sheets for a class: drawn, proved, and drawn again until every promise is kept.
#include "attn/teach/exercise.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "attn/phrases.hpp"
#include "teach/exercise/blanks.hpp"
#include "teach/exercise/bug.hpp"
#include "teach/exercise/class_baseline.hpp"
#include "teach/exercise/drawn_sheet.hpp"
#include "teach/exercise/inverse_sheet.hpp"
#include "teach/exercise/proof.hpp"
#include "teach/exercise/spec_check.hpp"
#include "teach/exercise/variant_seed.hpp"

namespace attn {
namespace {

constexpr Index kMostTries = 300;
constexpr Index kMostChoices = 10;  // of blanks, where the numbers are the teacher's

/// Puts one of the enabled mistakes into a sheet that is worked out, in any step as often as in the
/// others; false if none can be told from its numbers.
bool add_bug(Sheet& sheet, SheetModel& paper, const Suspects& suspects,
             const std::vector<std::string>& enabled, std::uint64_t seed) {
  paper.blank.assign(paper.numbers.size(), 1);
  print(sheet, paper);
  sheet.bug = BugAnswer{};
  for (SheetStep& step : sheet.steps) step.points = 0.0;
  Draws draws(seed);
  std::map<std::string, Sheet> made;  // one for each step in which a mistake can begin
  for (const std::size_t i : draws.order(enabled.size())) {
    const Candidate* mistake = suspects.find(enabled[i]);
    if (mistake == nullptr) continue;
    if (std::optional<BuggySheet> each = with_bug(sheet, paper, *mistake, suspects))
      made.try_emplace(each->first_wrong, std::move(each->sheet));
  }
  if (made.empty()) return false;
  sheet = std::next(made.begin(), draws.between(0, static_cast<int>(made.size()) - 1))->second;
  return true;
}

/// The numbers that a student starts from.
std::vector<double> givens_of(const Trace& truth) {
  std::vector<double> givens;
  for (const Step* step : steps_and_givens(truth)) {
    const NumberSpan numbers = step->value.data();
    if (step->is_given()) givens.insert(givens.end(), numbers.begin(), numbers.end());
  }
  return givens;
}

/// Draws sheets for the students of one class.
class Maker {
 public:
  Maker(const ExerciseSpec& spec, std::string_view salt)
      : spec_(spec),
        salt_(salt),
        common_(spec.inverse ? ClassBaseline{} : class_baseline(spec, salt)) {}

  ExerciseVariant sheet_for(const std::string& student) {
    const VariantSeed seed = variant_seed(salt_, spec_.name, student);
    const Index most_tries = spec_.problems.empty() ? kMostTries : kMostChoices;
    std::map<std::string, Index> causes;
    ExerciseVariant made;
    for (made.tries = 1; made.tries <= most_tries; ++made.tries) {
      made.sheet =
          drawn_sheet(spec_, seed.problem + static_cast<std::uint64_t>(made.tries), student);
      made.sheet.variant = seed.id;
      const std::string problem =
          spec_.inverse ? fault_of_inverse(made, seed) : problem_of(made, seed);
      if (problem.empty()) {
        made.sheet = handed_out(std::move(made.sheet));
        return made;
      }
      ++causes[problem];
    }
    const auto most =
        std::max_element(causes.begin(), causes.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    throw spec_error(
        "exercise-gave-up",
        filled("found no sheet for {} in {} tries: most often, {}",
               student.empty() ? "this exercise" : "\"" + student + "\"", most_tries, most->first),
        spec_.problems.empty() ? "Choose other sizes, more blanks, or fewer mistakes."
                               : "Choose other numbers, other steps, or fewer mistakes.");
  }

 private:
  /// Completes a sheet, its key and its proof; returns why it must be drawn again, if it must.
  std::string problem_of(ExerciseVariant& made, const VariantSeed& seed) {
    SheetModel paper(made.sheet);
    if (!common_.is_usual_work(paper.work())) return "it took more or less work than usual";
    const Suspects suspects(paper.truth);
    if (spec_.find_the_bug) {
      if (!add_bug(made.sheet, paper, suspects, common_.enabled, seed.bug))
        return "no mistake could be recognised from its numbers";
    } else {
      Draws draws(seed.blanks + static_cast<std::uint64_t>(made.tries));
      choose_blanks(paper, spec_.blanks, suspects, spec_.mistakes, draws);
      print(made.sheet, paper);
      if (!common_.is_enough(look(paper, suspects, worked_by_all(paper, suspects))))
        return "its blanks did not show every mistake";
    }
    made.key = solved(paper, made.sheet, suspects);
    const bool all = spec_.mistakes.empty();  // list what shows, not only what is enabled
    made.proof = prove(paper, made.sheet, made.key, suspects,
                       all ? std::vector<std::string>() : common_.enabled, most_for_guesses(spec_));
    if (!made.proof.problems.empty()) return made.proof.problems.front();
    if (all && !spec_.find_the_bug && !names_enough(made.proof))
      return "grading did not name every mistake";
    const bool fresh = !spec_.problems.empty() || taken_.insert(givens_of(paper.truth)).second;
    return fresh ? "" : "another student already has its numbers";
  }

  /// The same for an inverse sheet.
  std::string fault_of_inverse(ExerciseVariant& made, const VariantSeed& seed) {
    require_inverse_steps(spec_, made.sheet);
    SheetModel paper(made.sheet);
    Draws draws(seed.blanks + static_cast<std::uint64_t>(made.tries));
    choose_inverse_blanks(paper, spec_.blanks, draws);
    print(made.sheet, paper);
    made.key = filled_in(made.sheet, paper.numbers);
    made.proof =
        prove(paper, made.sheet, made.key, Suspects(paper.truth), {}, most_for_guesses(spec_));
    if (!made.proof.problems.empty()) return made.proof.problems.front();
    const bool fresh = !spec_.problems.empty() || taken_.insert(givens_of(paper.truth)).second;
    return fresh ? "" : "another student already has its numbers";
  }

  bool names_enough(const Proof& proof) const {
    const std::set<std::string> found(proof.found.begin(), proof.found.end());
    return std::includes(found.begin(), found.end(), common_.enabled.begin(),
                         common_.enabled.end());
  }

  const ExerciseSpec& spec_;
  std::string_view salt_;
  ClassBaseline common_;
  std::set<std::vector<double>> taken_;  ///< the givens of all sheets so far
};

}  // namespace

std::vector<ExerciseVariant> make_exercise(const ExerciseSpec& spec, std::string_view salt,
                                           std::span<const std::string> students,
                                           const std::function<void(std::size_t)>& made) {
  check_spec(spec);
  check_sizes(spec);
  Maker maker(spec, salt);
  if (students.empty()) return {maker.sheet_for("")};
  std::vector<ExerciseVariant> variants;
  for (const std::string& student : students) {
    variants.push_back(maker.sheet_for(student));
    if (made) made(variants.size());
  }
  return variants;
}

std::vector<std::string> mistakes_of_class(const ExerciseSpec& spec, std::string_view salt) {
  check_spec(spec);
  if (spec.inverse) return {};
  return class_baseline(spec, salt).enabled;
}

}  // namespace attn
