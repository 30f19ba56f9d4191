#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "attn/operation.hpp"
#include "attn/tensor.hpp"

namespace attn {

/// What the numbers of a step are; output treats hidden cells and row sums accordingly.
enum class StepRole { Plain, MaskedScores, Exponentials, Weights };

/// What a step means: the fixed words that go with its id (contract section 4).
struct StepInfo {
  const char* id;        ///< "weights"
  const char* symbol;    ///< "A"
  const char* latex;     ///< "A"
  const char* title;     ///< "attention weights"
  const char* phrase;    ///< "how much each query listens to each key": one plain phrase
  const char* why;       ///< one sentence: why this step exists
  const char* row_axis;  ///< "query"
  const char* col_axis;  ///< "key"
  const char* row_name;  ///< rows are called "x0", "x1", … for "x"; empty: by their tokens
  const char* col_name;  ///< likewise
  StepRole role = StepRole::Plain;
};

/// The row of a step id, or nullptr. Ids of givens that are not steps (w_q, past_k …) are found
/// too.
const StepInfo* find_step_info(std::string_view id);

/// Whether `id` is a step (and not a given such as w_q).
bool is_step_id(std::string_view id);

/// All step ids in the order in which they happen.
std::vector<std::string> step_ids();

/// One matrix of the computation: what it is, the operation that made it, and from what.
struct Step {
  std::string id;
  Op op = Op::Given;
  Parameters parameters;
  std::vector<std::string> inputs;  ///< ids of steps or givens
  Tensor value;

  const StepInfo& info() const;  ///< the row of `id`
};

/// The facts of a run that are not matrices.
struct Settings {
  bool has_batch = false, has_heads = false;
  Index batch = 1, heads = 1, kv_heads = 1;
  std::optional<Index> d_model;
  Index d_k = 0, d_v = 0, n_queries = 0, n_keys = 0;
  std::vector<std::string> masks;
  double scale = 1.0;
  std::vector<std::pair<std::string, std::variant<double, std::string>>>
      others;  ///< not at default
};

/// The whole computation as a graph: the steps in order, and the givens (weights, past) they use.
struct Trace {
  std::string title;
  std::string description;
  TokenLists query_tokens, key_tokens;  ///< one list, or one per batch entry
  Settings settings;
  std::vector<std::string> notes;
  std::vector<Step> steps;
  std::vector<Step> givens;
  std::optional<Visibility> visibility;  ///< why hidden cells are hidden

  /// The step or given of that id, or nullptr.
  const Step* find(std::string_view id) const;
  /// The same by id or by symbol, as people see it: "scores" or "S", "S′" or "S'".
  const Step* find_named(std::string_view name) const;
  /// The weights that the values are mixed with, after all that masks do to them, or nullptr.
  const Step* last_weights() const;
  /// The tensor of a step or given that is known to be there.
  const Tensor& value(std::string_view id) const;
  /// The inputs of a step, in order.
  std::vector<const Tensor*> inputs(const Step& step) const;
};

/// The steps of these ids or symbols, in the order of the computation; all steps if there are none.
/// Throws Error (usage, id "no-such-step") for a name that is none of them.
std::vector<const Step*> chosen_steps(const Trace& trace, const std::vector<std::string>& names);

/// The ids of the steps that hold NaN, in order.
std::vector<std::string> steps_with_nan(const Trace& trace);

/// "S′ = S / √d_k" from the operation's pattern and the symbols of the inputs.
std::string formula_text(const Trace& trace, const Step& step);
std::string formula_latex(const Trace& trace, const Step& step);

/// How one cell of a step came about; leaves refer to `step.inputs`.
/// The cell must lie inside the step's shape.
Expression derive(const Trace& trace, const Step& step, const Cell& cell);

}  // namespace attn
