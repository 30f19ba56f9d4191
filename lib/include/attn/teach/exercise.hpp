// Exercises: one problem per student, the cells to fill in, and proof that its sheet can be graded.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attn/teach/answers.hpp"
#include "attn/teach/sheet.hpp"
#include "attn/trace.hpp"

namespace attn {

/// The most decimals that a sheet can have.
inline constexpr int kMostDecimals = 6;

/// Which cells of an asked step are blank.
struct BlankRule {
  enum class Kind { Share, All, Row, One } kind = Kind::Share;
  double share = 0.4;  ///< of the cells of each step; more where a mistake would not be seen
};

/// A step on the sheet, and what its blanks are worth; without points it is printed in full.
struct AskedStep {
  std::string id;
  double points = 1.0;
};

/// What an exercise asks for: the same for every student of a class.
struct ExerciseSpec {
  std::string name = {};    ///< letters, digits, - and _
  std::string preset = {};  ///< a name of exercise_presets(); "" where only `problems` say more
  std::string title = {};   ///< of the sheets; empty: that of the problem, or `name`
  std::string instructions = {};  ///< before the usual ones; in JSON, in place of them
  std::string self_check = {};    ///< see Sheet
  bool decimal_comma = false;     ///< see Sheet
  OwnTexts mistake_texts = {};    ///< see Sheet
  std::string language = {};      ///< see Sheet
  /// The teacher's own problems, by student; that of "" is for everybody else. None: each sheet
  /// gets a random one, of the sizes and masks below.
  std::map<std::string, ProblemDraft> problems = {};
  Index tokens = 4, d_model = 6, d_k = 3;
  std::vector<std::string> words = {};  ///< names of the tokens; none: t0, t1, …
  std::optional<Index> heads = {}, memory_tokens = {};
  bool qkv_given = false;               ///< the problem gives Q, K and V, not X and weights
  std::vector<std::string> masks = {};  ///< as written: "causal"
  int decimals = 3;
  std::optional<double> accept_within = {};  ///< absent: what suits the decimals
  BlankRule blanks = {};
  std::vector<AskedStep> steps = {};
  /// Codes that must be found; none: those that nearly all problems of this kind show.
  std::vector<std::string> mistakes = {};
  bool find_the_bug = false;  ///< everything is filled in, with one mistake built in
  double bug_points = 2.0;    ///< for finding it; its steps are printed, whatever their points
  bool inverse = false;       ///< blanks in what is given, see Sheet
  bool force = false;         ///< accept sizes and tolerances that hide mistakes
};

/// How far an answer may be from the right number: `accept_within`, or else what suits somebody who
/// rounds every number to the decimals asked for.
double tolerance_of(const ExerciseSpec& spec);

/// A kind of exercise to start from.
struct ExercisePreset {
  const char* name;     ///< "causal"
  const char* summary;  ///< "self-attention with a causal mask"
  ExerciseSpec spec;
};
std::span<const ExercisePreset> exercise_presets();

/// Of the steps of the preset (without one, of "multihead"), those that all of the exercise's own
/// problems compute.
std::vector<AskedStep> usual_steps(const ExerciseSpec& spec);

/// The version of the generator: the same version, salt, exercise and student give the same sheet.
inline constexpr const char* kExerciseGenerator = "attn-gen/2";

/// What the blanks of a sheet cannot show.
struct Blindness {
  std::vector<std::string> unseen;             ///< codes that change no blank by enough
  std::vector<std::vector<std::string>> tied;  ///< codes that cannot be told apart
};

/// What was found when a sheet was graded before anybody saw it. Scores are shares, 0 to 1.
struct Proof {
  double blank_score = 0.0;    ///< of the sheet as handed out: 0
  double key_score = 0.0;      ///< of the solved sheet: 1
  double rounded_score = 0.0;  ///< of a solver who rounds every intermediate: 1
  double guess_score = 0.0;    ///< of somebody who does no work, nearest to the limit
  std::string guess = {};      ///< what that is: "a sheet of zeros"
  double guess_luck = 1.0;     ///< how many times the limit it may score: 3 if it takes luck
  double guess_share() const { return guess_score / guess_luck; }
  std::vector<std::string> found;     ///< codes of mistakes that grading names
  std::vector<std::string> missed;    ///< codes that it must name, but does not
  Blindness blindness;                ///< over all mistakes that can occur
  bool tried_mistakes = true;         ///< false: a whole model, whose mistakes are too many
  double work = 0.0;                  ///< products of numbers that are not 0
  std::vector<std::string> problems;  ///< why this sheet must not be handed out, as sentences
};

/// One student's sheet, solved and proved.
struct ExerciseVariant {
  Sheet sheet;  ///< to hand out
  Sheet key;    ///< solved; find-the-bug: with the mistake that was built in
  Proof proof;
  Index tries = 1;  ///< problems, or choices of blanks, that were drawn until one passed
};

/// Sheets for a class: one per student, all different, each with about the same amount of work
/// (within 7 % of the usual one, or 2 products), unless the problems are the teacher's own. `salt`
/// is any secret bytes; an empty roster gives one sheet for the student "". `made` is called after
/// each sheet of a roster, with the number so far. Throws Error: usage, "exercise-…" for a spec
/// that cannot be met (sizes that hide a mistake, unless `force`; an unknown code), with the
/// reason; "no-such-step" for a step that the problem does not have; whatever `random_draft` and
/// `parse_mask` throw.
std::vector<ExerciseVariant> make_exercise(
    const ExerciseSpec& spec, std::string_view salt, std::span<const std::string> students,
    const std::function<void(std::size_t sheets)>& made = nullptr);

/// The codes of the mistakes that show on every sheet of this class, and that grading names: those
/// that the spec lists, or that nearly all problems of this kind show. Throws as `make_exercise`
/// does.
std::vector<std::string> mistakes_of_class(const ExerciseSpec& spec, std::string_view salt);

/// Proves one sheet again. `mistakes`: the codes that must be found; if empty, none need be, and
/// those that are found are listed.
Proof prove_sheet(const Sheet& sheet, const Sheet& key, std::span<const std::string> mistakes,
                  double most_for_guesses = 0.5);

/// The share of the points that somebody may have without work: 5 % (20 % of a single step) where
/// the blanks are chosen among many, 50 % where the spec says which they are or gives the numbers,
/// all with `force`.
double most_for_guesses(const ExerciseSpec& spec);

/// The sheet with every blank filled in, to its decimals, and with the answer to "find the bug".
/// Not for an inverse sheet, which has many solutions.
Sheet solved_sheet(const Sheet& sheet);

/// A sheet as students get it: a find-the-bug sheet without Q and K, since attn would find the bug
/// by computing its problem; an inverse one without the matrices that have blanks.
Sheet handed_out(Sheet sheet);

/// The steps of a sheet with their shapes: the right computation, or one with zeros in place of
/// what was left out.
Trace layout_of(const Sheet& sheet);

/// The share of the points of a sheet, as it was handed out, that attn can earn by computing the
/// problem that is on it; of a find-the-bug sheet, also a problem that somebody makes of the
/// printed scores.
double solved_by_attn(const Sheet& sheet, const Sheet& key);

/// What is written on a sheet, as `check_answers` takes it; printed cells are Given.
Answers answers_of(const Sheet& sheet);

}  // namespace attn
