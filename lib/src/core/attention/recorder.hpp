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
  /// Whether results are computed, or only the shapes that they would have.
  enum class Keep { Numbers, Shapes };

  Recorder(Trace& trace, std::shared_ptr<const Scope> scope, const Recipe& recipe,
           Keep keep = Keep::Numbers);

  /// Records a given, which nothing computes, or what the recipe puts in its place.
  std::string input(const std::string& word, Tensor given, Parameters parameters = {});

  /// Computes `operation` of the inputs, as changed by the recipe, and records the result. `shape`
  /// is for a result whose shape does not follow from inputs. Throws Error (input, id
  /// "shape-mismatch") if the inputs do not fit together.
  std::string operator()(const std::string& word, const Operation& operation,
                         std::vector<std::string> inputs, Parameters parameters = {},
                         const Shape& shape = {});

 private:
  std::string id_of(const std::string& word) const;
  /// Ids of `names`; "{0}", "{1}" … are the inputs `own` of the step that is rewired.
  std::vector<std::string> resolved(const std::vector<std::string>& names,
                                    const std::vector<std::string>& own) const;
  Trace& trace_;
  std::shared_ptr<const Scope> scope_;
  const Recipe& recipe_;
  Keep keep_;
};

/// Computes a step, or its shape alone, and appends it to the trace.
void compute(Trace& trace, Step step, const Shape& shape, Recorder::Keep keep);

}  // namespace attn
