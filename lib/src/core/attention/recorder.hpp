// Applies operations and keeps every result as a step of a trace; the place where recipes act.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "attn/attend.hpp"

namespace attn {

/// Records the steps of one scope, each rounded to the number type. Steps are named by their words,
/// "scores"; the functions return the id of what they recorded, including the scope.
class Recorder {
 public:
  /// Without `keeps`, the numbers of every step stay. Of the steps recorded `together`,
  /// those that `keeps` does not want exist as a whole only if another step needs them whole.
  Recorder(Trace& trace, std::shared_ptr<const Scope> scope, const Recipe& recipe,
           Numbers numbers = Numbers::All, KeepStep keeps = {});

  /// Records a given, which nothing computes, or what the recipe puts in its place.
  std::string input(const std::string& word, Tensor given, Parameters parameters = {});

  /// Computes `operation` of the inputs, as changed by the recipe, and records the result. `shape`
  /// is for a result whose shape does not follow from inputs. Throws Error (input, id
  /// "shape-mismatch") if the inputs do not fit together.
  std::string operator()(const std::string& word, const Operation& operation,
                         std::vector<std::string> inputs, Parameters parameters = {},
                         const Shape& shape = {});

  /// Records some steps whose rows belong together: they are computed in one pass over the rows,
  /// when `steps` has returned the id of their result, or when something else needs one of them as
  /// a whole.
  template <typename F>
  std::string together(F steps) {
    waits_ = numbers_ == Numbers::All;
    std::string id = steps();
    catch_up([&](const std::string& each) { return each == id || !keeps_ || keeps_(each); });
    waits_ = false;
    return id;
  }

 private:
  /// Whether a step can be computed in one pass with those that wait.
  bool can_wait(const Step& step) const;
  /// Computes what waits, and keeps the numbers of those steps that are `needed` as a whole.
  void catch_up(const KeepStep& needed);
  bool is_waiting(const std::string& id) const;
  /// Records a step that the recipe wants before `step`; its shape may follow from what it is like.
  void add_extra(const ExtraStep& extra, const Step& step);
  void add(Step step, const Shape& shape);
  std::string id_of(const std::string& word) const;
  /// The id that a recipe means by `name`: a step of this scope or, after a dot, of any.
  std::string meant(const std::string& name) const;
  /// Ids of `names`; "{0}", "{1}" … are the inputs `own` of the step that is rewired. What ends in
  /// "?" ("{1?}", "exp_sink?") is left out where there is none.
  std::vector<std::string> resolved(const std::vector<std::string>& names,
                                    const std::vector<std::string>& own) const;
  Trace& trace_;
  std::shared_ptr<const Scope> scope_;
  const Recipe& recipe_;
  Numbers numbers_;
  KeepStep keeps_;
  bool waits_ = false;
  std::vector<std::size_t> waiting_;  ///< steps of the trace, still outlines
};

/// Finds the shape of a step that is not in the trace yet, and then its numbers.
void set_shape(const Trace& trace, Step& step, const Shape& shape);
void set_numbers(const Trace& trace, Step& step);

}  // namespace attn
