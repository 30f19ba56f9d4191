// What a lesson is given with: its problem, and the parts that its blocks add.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "attn/teach/lesson.hpp"
#include "teach/lessons/lesson_script.hpp"

namespace attn {

/// The parts of the lesson that is being given.
class Telling {
 public:
  Telling(const Lesson& lesson, const LessonOptions& options);

  /// The problem, in float64: the lesson's own sample, or the reader's.
  const ProblemDraft& draft() const { return draft_; }
  bool is_own() const { return options_.problem.has_value(); }  ///< whether it is the reader's
  std::optional<Index> block() const { return options_.block; }

  void add(LessonPart part) { parts_.push_back(std::move(part)); }
  void say(std::string text) { add(Paragraph{.text = std::move(text), .apart = true}); }
  /// Numbers below each other get the same number of decimals.
  void table(Table table);
  /// These steps with headings and worked cells; those that the computation lacks are left out.
  void show(const std::shared_ptr<const Trace>& trace, const std::vector<std::string>& steps,
            View view = {});
  /// One step's matrices alone, beside those before them.
  void beside(const std::shared_ptr<const Trace>& trace, const std::string& step,
              const std::string& caption, View view = {});
  /// A command to try: "explain {} --mask none", where {} is the problem. With a reader's problem
  /// it is left out if attn would refuse it, or if what its options do to the problem changes
  /// neither the weights nor the output.
  void suggest(const std::string& command, const std::string& says);

  /// A number in a sentence or a table, with at most the decimals asked for.
  std::string number(double x) const;
  /// A probability or a weight, with all of the decimals: 0.9998 is "1.000", not "1".
  std::string share(double x) const;

  /// Throws Error (input, id "lesson-problem") unless `fits`: "a problem without a past".
  void needs(bool fits, const std::string& what) const;

  std::vector<LessonPart> take() { return std::move(parts_); }

 private:
  bool is_worth_trying(const std::string& command) const;

  const Lesson& lesson_;
  const LessonOptions& options_;
  ProblemDraft draft_;
  Dtype dtype_;  ///< of the problem as given
  std::vector<LessonPart> parts_ = {};
  bool saved_ = false;  ///< whether a command has written the sample to a file
};

/// A built-in problem. Throws LessonFault if there is none of that name.
ProblemDraft draft_of_sample(const std::string& name);

/// "'the'" for a token in a sentence; in other languages, their quotation marks.
std::string quoted_token(const std::string& token);

/// Whether two numbers differ by at most `tolerance` times the larger one, or times 1 if both are
/// smaller.
bool is_close(double a, double b, double tolerance = 1e-12);

/// Adds the parts of a file to the lesson. Throws Error (input, id "lesson-file") with line and
/// column for what has no value.
void perform(const LessonScript& script, Telling& lesson);

}  // namespace attn
