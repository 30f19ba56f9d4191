// One attention as mistakes see it: its steps, sizes and masks, and ways to wire them wrongly.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "attn/attend.hpp"

namespace attn {

/// The steps that mistakes change. A mistake is a list of recipes, its variants; an empty list
/// means that it cannot occur in the problem.
class Wiring {
 public:
  explicit Wiring(const Trace& truth) : truth_(truth) {}

  const Trace& truth() const { return truth_; }
  const Settings& settings() const { return truth_.settings(); }
  const Step* find(const char* word) const { return truth_.find(word); }
  bool has(const char* word) const { return find(word) != nullptr; }
  /// Whether that step is made by an operation of this name.
  bool made_by(const char* word, const char* operation) const;

  /// Whether softmax makes the weights, in one step or in several.
  bool has_softmax() const;
  /// The id of the scores that softmax, or what is in its place, works on; "" without weights.
  std::string softmax_input() const;
  /// The step that mixes the values, A·V, and the one that multiplies by w_o; nullptr: none.
  const Step* mixture() const;
  const Step* to_output() const;

 private:
  const Trace& truth_;
};

using Recipes = std::vector<Recipe>;

/// The recipes, and each of them with what other programs make of a row without a visible key: NaN,
/// or equal weights because they fill with −1e9 instead of −∞.
Recipes also_filled(const Wiring& wiring, Recipes recipes);

/// `step` made by another operation; "{0}" … are its own inputs, which remain if none are named.
Rewiring instead(const std::string& step, const char* operation,
                 std::vector<std::string> inputs = {}, Parameters parameters = {});
/// `step` made with other inputs or other parameters.
Rewiring from(const std::string& step, std::vector<std::string> inputs);
Rewiring with(const std::string& step, Parameters parameters);
/// The ids of the whole, after a dot: what a recipe means by them in any scope.
std::vector<std::string> in_whole(std::vector<std::string> ids);
/// Whether a norm makes the step.
bool is_norm(const Step& step);
/// `step` as a copy of its first input, and the given matrix `step` replaced by `value`.
Rewiring skipped(const std::string& step);
Rewiring replaced(const std::string& step, Tensor value);

}  // namespace attn
