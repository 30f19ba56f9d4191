// What the expressions of a lesson can name: its computations, their steps, roles, functions.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "teach/lessons/changes.hpp"
#include "teach/lessons/followed.hpp"
#include "teach/lessons/lesson_script.hpp"
#include "teach/lessons/lesson_value.hpp"

namespace attn {

class Scene;
using Arguments = std::vector<LessonValue>;

/// A function that expressions may call. It throws LessonFault for arguments that it does not take.
struct LessonFunction {
  std::string_view name;
  std::size_t least, most;  ///< arguments
  LessonValue (*call)(Scene& scene, const Arguments& arguments);
};
/// Those for every lesson, and those with the code of a few.
std::span<const LessonFunction> functions_of_lessons();

/// A lesson while it is given: its problem, and the names that its blocks have defined.
class Scene {
 public:
  Scene(Telling& telling, std::string_view settings, std::string_view row);

  Telling& lesson() { return telling_; }
  /// The problem with the settings of the front matter, and what it computes.
  const ProblemDraft& draft();
  const SharedTrace& trace();
  /// The query that is followed, or another of batch entry 0 and head 0.
  const Followed& row();
  Followed row(Index query) { return followed(*trace(), {0, 0, query, 0}); }

  /// Settings as in ```show: "mask=causal fill=0", which may begin with the name of another.
  ProblemDraft changed(std::string_view settings);
  SharedTrace computed_with(std::string_view settings);

  /// A name that a block gives. Throws LessonFault if it is used already.
  void name_settings(std::string_view name, std::string_view settings) {
    define(name, {std::string(settings)});
  }
  void name_value(std::string_view name, LessonValue value) {
    define(name, {{}, std::move(value)});
  }
  /// The value of an expression. Throws LessonFault; `at` is where it stopped reading.
  /// `is_condition`: whether it compares, or joins what does.
  LessonValue value(std::string_view expression, std::string_view* at = nullptr,
                    bool* is_condition = nullptr);
  /// The value as people read it: numbers with decimals, roles as names of tokens.
  std::string text(std::string_view expression, std::string_view* at = nullptr);
  std::string text_of_value(const LessonValue& value);
  /// `text` with values in place of its braces; `exact`: numbers with all their digits.
  std::string filled_in(std::string_view text, bool exact = false);

  /// A name of the lesson; nullopt if there is none. `rest`: what follows the name of a
  /// computation, "hide.weights".
  std::optional<LessonValue> named(const std::string& name);
  /// Names that an expression can begin with: for suggestions.
  std::vector<std::string> known_names();
  /// A step or a size of a computation. Throws LessonFault if it has none of that name.
  static LessonValue within(const SharedTrace& trace, const std::string& name);
  /// A step of a computation by id, or by one of the names for what has no fixed id (mixed,
  /// final_weights, softmax_scores); nullptr without one.
  static const Step* find_step(const Trace& trace, const std::string& id);
  const Step& step(const std::string& name, SharedTrace* of);
  bool has_step(const std::string& name);
  /// The same as `step`, but nullptr for a step that this computation lacks and others have.
  const Step* step_if_any(const std::string& name, SharedTrace* of);

  std::optional<double> each = {};  ///< what a line of a table, or of a list, is about
  bool each_is_key = false;         ///< {each} is its name

 private:
  struct Defined {
    std::optional<std::string> settings = {};
    std::optional<LessonValue> value = {};  ///< of settings: once it has been asked for
  };
  void define(std::string_view name, Defined defined);
  /// Settings with those of the name that they begin with.
  std::string expanded(std::string_view settings);
  /// The computation that a dotted name begins with, and the rest of the name.
  SharedTrace trace_in(std::string& name);

  Telling& telling_;
  std::string settings_, row_text_;
  std::map<std::string, Defined, std::less<>> names_ = {};
  std::optional<ProblemDraft> draft_ = {};
  SharedTrace trace_ = {};
  std::optional<Followed> row_ = {};
  int computed_ = 0, nested_ = 0;
};

/// Reads one expression; the rest of the text after it is left in `text`.
LessonValue calculate(Scene& scene, std::string_view& text, bool* is_condition);

}  // namespace attn
