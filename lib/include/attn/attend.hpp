// Attention, step by step, and known ways to wire it wrongly.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "attn/problem.hpp"
#include "attn/trace.hpp"

namespace attn {

/// An additional step, recorded right before another.
struct ExtraStep {
  std::string id;  ///< its last word has a row in the step table
  const Operation* operation;
  /// Ids, or "{0}", "{1}" … for the inputs of the step it precedes. "{1?}" and "row_max?" are left
  /// out where there is no such input or step; without the input "{1!}" this step is.
  std::vector<std::string> inputs;
  Parameters parameters = {};
  bool unless_known = false;  ///< not recorded where an earlier extra step has the same numbers
};

/// How to wire one step differently. Absent fields leave the step unchanged; for a given, only
/// `value` counts. "scaled_scores" is that step in every scope, ".h.0.attn.scaled_scores" only
/// this one; so are the ids of inputs.
struct Rewiring {
  std::string step;                      ///< "scaled_scores"
  const Operation* operation = nullptr;  ///< replaces the operation
  std::vector<std::string> inputs = {};  ///< replace its inputs: ids, or "{0}" … for its own
  Parameters parameters = {};            ///< values to set, by name
  std::vector<ExtraStep> before = {};    ///< recorded first
  bool left_out = false;                 ///< not computed; its first input takes its place
  std::optional<Tensor> value = std::nullopt;  ///< in place of a given matrix
  std::string words = {};                 ///< a sentence for reports: which of several ways this is
  const Operation* instead_of = nullptr;  ///< nothing changes where another operation makes it
};

/// How a pipeline differs from correct attention: rewirings, applied in order while steps are
/// recorded.
using Recipe = std::vector<Rewiring>;

/// Softmax in the four steps row_max, exp_scores, row_sum and weights. Changes no number.
Recipe opened_softmax();

/// The angles of rotary positions beside the rotations: those of queries, and those of keys where
/// they differ. Changes no number.
Recipe shown_angles();

/// Both of these: what `--detail full` shows.
Recipe full_detail();

/// Masks that hide no key and no query, in place of those of a trace. Empty if the trace has none.
Recipe without_masks(const Trace& trace);

/// Whether the numbers of the step or given of that id are wanted.
using KeepStep = std::function<bool(const std::string& id)>;

/// Computes attention, or a whole model, and records every step.
/// softmax(Q·Kᵀ/√d_k + bias, hidden where the mask is 0) · V: Vaswani et al. 2017, equation 1 and
/// section 3.2.2; agrees with PyTorch's scaled_dot_product_attention and ONNX's Attention.
/// Before anything is computed, throws Error (input, id "too-large") if problem and trace would
/// take more than the problem's `max_memory`, and Error for whatever is wrong with the weights of a
/// whole model. With a recipe, throws Error (input, id "shape-mismatch") if the matrices of a
/// rewired step do not fit together, and std::invalid_argument or std::out_of_range if the recipe
/// names something that does not exist.
/// With `keeps`, only the numbers that it wants stay (of a whole model, also those outside its
/// layers and the result of each layer); the other tensors are outlines. Matrices of a single
/// attention with a number for every query and key then exist one block of rows at a time. The
/// numbers are the same; notes on scores that a mask hides are missing if the scores were not
/// computed.
Trace attend(const Problem& problem, const Recipe& recipe = {}, const KeepStep& keeps = {});

/// The result alone: the output of one attention (… × T_q × d_out), for which steps of T_q × T_k
/// exist one block of rows at a time; or the last step of a model. Throws as `attend` does.
Tensor attend_output(const Problem& problem);

/// The steps of a problem with their shapes, and no numbers.
Trace outline(const Problem& problem, const Recipe& recipe = {});

/// Whether results are computed, or only the shapes that they would have.
enum class Numbers { All, None };

/// The computation of a trace once more, wired as the recipe says. Steps whose matrices do not fit
/// together any more are left out, with everything that is made from them.
Trace replay(const Trace& trace, const Recipe& recipe, Numbers numbers = Numbers::All);

}  // namespace attn
