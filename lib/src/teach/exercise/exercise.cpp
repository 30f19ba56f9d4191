// Sheets for a class: drawn, proved, and drawn again until all promises are kept.
#include "attn/exercise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "attn/random_problem.hpp"
#include "attn/tool/phrases.hpp"
#include "teach/exercise/blanks.hpp"
#include "teach/exercise/bug.hpp"
#include "teach/exercise/proof.hpp"
#include "teach/exercise/spec_check.hpp"
#include "teach/exercise/variant_seed.hpp"

namespace attn {
namespace {

constexpr int kSamples = 31;      // problems drawn to know the usual amount of work
constexpr int kLookedAt = 8;      // of these, to know which mistakes can be seen
constexpr double kUsually = 0.7;  // of those looked at; a sheet without is drawn again
constexpr double kWork = 0.07;    // around the usual one: then all are within 15 % of each other
constexpr Index kMostTries = 300;
constexpr double kBugPoints = 2.0;

ProblemDraft draw_problem(const ExerciseSpec& spec, std::uint64_t seed) {
  ProblemDraft draft = random_draft({.tokens = spec.tokens,
                                     .d_model = spec.d_model,
                                     .heads = spec.heads,
                                     .d_k = spec.d_k,
                                     .memory_tokens = spec.memory_tokens,
                                     .seed = seed});
  draft.title = spec.name;
  draft.description.clear();  // it tells the seed
  for (const std::string& mask : spec.masks) draft.masks.push_back(parse_mask(mask));
  if (!spec.qkv_given) return draft;
  const Trace trace = attend(make_problem(draft));
  const auto given = [&](const std::string& id) {
    const Tensor& t = trace.value(spec.heads ? id + "_heads" : id);
    return Array{t.shape().sizes(), t.data()};
  };
  draft.q = given("q");
  draft.k = given("k");
  draft.v = given("v");
  draft.embeddings.reset();
  draft.memory.reset();
  draft.weights.clear();
  draft.heads.reset();
  return draft;
}

/// A sheet with every cell printed.
Sheet unfilled_sheet(const ExerciseSpec& spec, std::uint64_t seed) {
  Sheet sheet;
  sheet.exercise = spec.name;
  sheet.decimals = spec.decimals;
  sheet.accept_within = spec.accept_within.value_or(spec.decimals < 3 ? 0.02 : 0.01);
  sheet.problem = draw_problem(spec, seed);
  for (const AskedStep& step : spec.steps) sheet.steps.push_back({step.id, {}, step.points});
  return sheet;
}

/// The steps as the paper has them, with nothing in the blanks.
void print(Sheet& sheet, const Paper& paper) {
  for (std::size_t s = 0; s < sheet.steps.size(); ++s) {
    SheetStep& step = sheet.steps[s];
    const auto from = static_cast<std::ptrdiff_t>(paper.begin[s]);
    const auto to = static_cast<std::ptrdiff_t>(paper.begin[s + 1]);
    step.shape = paper.steps[s]->value.shape().sizes();
    step.numbers.assign(paper.numbers.begin() + from, paper.numbers.begin() + to);
    step.blank.assign(paper.blank.begin() + from, paper.blank.begin() + to);
    for (std::size_t i = 0; i < step.numbers.size(); ++i) {
      if (step.blank[i]) step.numbers[i] = std::numeric_limits<double>::quiet_NaN();
    }
  }
}

/// What all sheets of a class have in common.
struct Class {
  const ExerciseSpec& spec;
  double work = 0.0;                 ///< the median of some problems
  std::vector<std::string> enabled;  ///< what every sheet must show
  Ties ties;                         ///< what no sheet can tell apart
};

BlankRule rule_of(const ExerciseSpec& spec) {
  return spec.find_the_bug ? BlankRule{.kind = BlankRule::Kind::All} : spec.blanks;
}

/// Why a mistake that was asked for is not seen: the last words of a sentence.
std::string reason(const ExerciseSpec& spec, const Paper& paper, const std::string& code) {
  for (const Candidate& each : possible_mistakes(paper.truth)) {
    if (each.row->words.code != code) continue;
    if (!worked(paper, each.change))
      return "what it gives does not have the shape that is printed on the sheet, or is no number";
    return spec.find_the_bug ? "it changes no number on the sheet by enough"
                             : "it changes no blank by enough";
  }
  return "this problem gives it no room";
}

Class known_class(const ExerciseSpec& spec, std::string_view salt) {
  Class known{spec, 0.0, {}, {}};
  std::vector<double> work;
  std::map<std::string, int> seen;
  std::map<std::pair<std::string, std::string>, int> tied;
  const VariantSeed seed = variant_seed(salt, spec.name, "");
  for (int i = 0; i < kSamples; ++i) {
    const auto number = static_cast<std::uint64_t>(i);
    Paper paper(unfilled_sheet(spec, seed.blanks + number));
    work.push_back(paper.work());
    if (i >= kLookedAt) continue;
    const std::vector<Candidate> mistakes = possible_mistakes(paper.truth);
    Draws draws(seed.bug + number);
    choose_blanks(paper, rule_of(spec), mistakes, draws);
    const Sight sight = look(paper, mistakes, worked_by_all(paper, mistakes));
    for (const std::string& code : sight.seen) ++seen[code];
    for (const auto& pair : sight.ties) ++tied[pair];
    if (i + 1 < kLookedAt || spec.force) continue;
    for (const std::string& code : spec.mistakes) {
      if (seen.contains(code)) continue;
      throw spec_error("exercise-blind",
                       code + " cannot be seen in this exercise: " + reason(spec, paper, code),
                       "Switch it off, ask for other steps, or choose other sizes.", "mistakes");
    }
  }
  std::nth_element(work.begin(), work.begin() + kSamples / 2, work.end());
  known.work = work[kSamples / 2];
  for (const auto& [code, count] : seen) {
    const bool listed =
        std::find(spec.mistakes.begin(), spec.mistakes.end(), code) != spec.mistakes.end();
    if (spec.mistakes.empty() ? count >= kUsually * kLookedAt : listed)
      known.enabled.push_back(code);
  }
  for (const auto& [pair, count] : tied) {
    if (count > (1.0 - kUsually) * kLookedAt) known.ties.insert(pair);
  }
  return known;
}

bool is_usual(const Class& known, const Ties& ties) {
  return std::includes(known.ties.begin(), known.ties.end(), ties.begin(), ties.end());
}

/// The sheet with its blanks, if they show what they must.
bool add_blanks(const Class& known, Paper& paper, const std::vector<Candidate>& mistakes,
                Sheet& sheet, std::uint64_t seed) {
  Draws draws(seed);
  choose_blanks(paper, known.spec.blanks, mistakes, draws);
  print(sheet, paper);
  const Sight sight = look(paper, mistakes, worked_by_all(paper, mistakes));
  return is_usual(known, sight.ties) && std::includes(sight.seen.begin(), sight.seen.end(),
                                                      known.enabled.begin(), known.enabled.end());
}

/// The sheet with one of the enabled mistakes built in.
bool add_bug(const Class& known, Paper& paper, const std::vector<Candidate>& mistakes, Sheet& sheet,
             std::uint64_t seed) {
  paper.blank.assign(paper.numbers.size(), 1);
  print(sheet, paper);
  sheet.bug = BugAnswer{};
  sheet.bug_points = kBugPoints;
  for (SheetStep& step : sheet.steps) step.points = 0.0;
  const std::size_t count = known.enabled.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::string& code = known.enabled[(seed % count + i) % count];
    for (const Candidate& mistake : mistakes) {
      if (mistake.row->words.code != code) continue;
      if (std::optional<Sheet> made = with_bug(sheet, paper, mistake)) {
        sheet = std::move(*made);
        return true;
      }
    }
  }
  return false;
}

/// The numbers that a student starts from.
std::vector<double> givens_of(const Paper& paper) {
  std::vector<double> givens;
  for (const Step* step : steps_and_givens(paper.truth)) {
    if (step->is_given())
      givens.insert(givens.end(), step->value.data().begin(), step->value.data().end());
  }
  return givens;
}

/// Sheets that one class has so far, by their givens.
using Taken = std::set<std::vector<double>>;

ExerciseVariant make_variant(const Class& known, const VariantSeed& seed,
                             const std::string& student, Taken& taken) {
  std::map<std::string, Index> causes;
  for (Index i = 0; i < kMostTries; ++i) {
    const auto number = static_cast<std::uint64_t>(i);
    Sheet sheet = unfilled_sheet(known.spec, seed.problem + number);
    sheet.student = student;
    sheet.variant = seed.id;
    Paper paper(sheet);
    if (std::abs(paper.work() - known.work) > kWork * known.work) {
      ++causes["it took more or less work than the others"];
      continue;
    }
    const std::vector<Candidate> mistakes = possible_mistakes(paper.truth);
    const bool bug = known.spec.find_the_bug;
    if (!(bug ? add_bug(known, paper, mistakes, sheet, seed.bug)
              : add_blanks(known, paper, mistakes, sheet, seed.blanks + number))) {
      ++causes[bug ? "no mistake could be told from its numbers"
                   : "its numbers did not show every mistake"];
      continue;
    }
    Sheet key = solved_sheet(sheet);
    Proof proof = prove(paper, sheet, key, mistakes, known.enabled);
    if (!proof.problems.empty()) {
      ++causes[proof.problems.front()];
      continue;
    }
    if (!taken.insert(givens_of(paper)).second) {
      ++causes["another student has the same numbers"];
      continue;
    }
    return {std::move(sheet), std::move(key), std::move(proof), i + 1};
  }
  const auto most =
      std::max_element(causes.begin(), causes.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  throw spec_error(
      "exercise-gave-up",
      filled("found no sheet for {} in {} tries: most often, {}",
             student.empty() ? "this exercise" : "\"" + student + "\"", kMostTries, most->first),
      "Choose other sizes, more blanks, or fewer mistakes.");
}

}  // namespace

std::vector<ExerciseVariant> make_exercise(const ExerciseSpec& spec, std::string_view salt,
                                           std::span<const std::string> students) {
  check_spec(spec);
  check_sizes(spec);
  const Class known = known_class(spec, salt);
  std::vector<ExerciseVariant> variants;
  Taken taken;
  const std::string nobody;
  if (students.empty()) students = {&nobody, 1};
  for (const std::string& student : students)
    variants.push_back(make_variant(known, variant_seed(salt, spec.name, student), student, taken));
  return variants;
}

}  // namespace attn
