// The computation as a graph of steps: what `attend` records and everything else reads.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "attn/core/not_finite.hpp"
#include "attn/operation.hpp"
#include "attn/problem.hpp"
#include "attn/tensor.hpp"

namespace attn {

/// What a step is for. Code asks for the role of a step, never for its id.
enum class StepRole {
  Plain,
  QueryInput,    ///< what queries are made from; without a memory, keys and values too
  KeyInput,      ///< the memory: what only keys and values are made from
  Mask,          ///< 1 = may attend
  Bias,          ///< added to the scores; −∞ hides
  MaskedScores,  ///< scores after bias and mask
  RowMaximum,
  Exponentials,
  Weights,         ///< shares of attention: text shows sums, a strip, and · where a key is hidden;
                   ///< the last of them multiplies V
  SinkWeights,     ///< the share of each row that no key gets: text shows it beside the weights
  Past,            ///< cached keys or values, before the new ones
  Extra,           ///< keys or values added at the end
  KeptQueries,     ///< 0 = this query is padding
  Logits,          ///< scores of the words of a vocabulary
  Probabilities,   ///< shares of those words
  Contributions,   ///< what each part of a model adds to a logit
  SingularValues,  ///< of a circuit: by how much it stretches rows
  Residual,        ///< what came into a part of a layer, plus what it made
  FeedForward,     ///< made of each token by itself, between two residuals
  Loss,            ///< how unlikely the right words were
  Gradient,        ///< how the loss changes with another step or given
};

/// What makes an optional step appear.
struct Appearance {
  const char* with = "";     ///< "several heads"; empty: nothing in particular
  const char* setting = "";  ///< the setting to change, "heads"; empty: none
  const char* value = "";    ///< a value that brings the step about, "2"
};

/// What a step means: a row of the step table, found by the last word or two of the step's id.
struct StepInfo {
  const char* id;        ///< "weights"
  const char* symbol;    ///< "A": as in formulas, see attn/render/formula.hpp
  const char* title;     ///< "attention weights"
  const char* phrase;    ///< "how each query shares its attention"
  const char* why;       ///< one sentence: why this step exists
  const char* row_axis;  ///< "query"
  const char* col_axis;  ///< "key"
  const char* row_name;  ///< "x" names the rows x0, x1, …; empty: their tokens do
  const char* col_name;  ///< the same for columns
  StepRole role = StepRole::Plain;
  Appearance appears = {};
  const StepInfo* gradient_of = nullptr;  ///< of a gradient: the row of what it belongs to

  /// The row itself; of a gradient, that of what it belongs to, whose rows and columns it has.
  const StepInfo& forward() const { return gradient_of == nullptr ? *this : *gradient_of; }
  /// Whether rows are queries and columns keys.
  bool is_pairwise() const { return col_axis == std::string_view("key"); }
  /// Whether it is no step, but what steps are made from: w_q, past_k …
  bool is_no_step() const;
};

/// The row of an id, found by its last words without their numbers: "weights" in
/// "h.0.attn.weights", "norm.weight" in "h.0.norm1.weight". Givens (w_q, past_k …) have rows too,
/// and so do gradients: that of "weights.grad", or of a part "weights.grad2", is made from that of
/// "weights". nullptr if there is none.
const StepInfo* find_step_info(std::string_view id);

/// The id that a gradient, or a part of one, belongs to: "x" for "x.grad" and "x.grad1"; empty for
/// other ids.
std::string_view owner_of_gradient(std::string_view id);

/// Whether `id` is a step, not a given such as w_q. Every gradient is a step.
bool is_step_id(std::string_view id);

/// All step ids, in the order of the computation.
std::vector<std::string> step_ids();

/// All ids of givens, which steps are made from but no step makes: w_q, past_k …
std::vector<std::string> given_ids();

/// The facts of one attention that are not matrices: how it was computed, and its sizes.
struct Settings : AttentionSettings {
  bool has_batch = false, has_heads = false;
  Index batch = 1, heads = 1, kv_heads = 1;
  std::optional<Index> d_model;
  Index d_k = 0, d_v = 0, n_queries = 0, n_keys = 0;
  std::vector<std::string> masks;  ///< as written
};

/// What all steps of one attention share.
struct Scope {
  std::string name;  ///< "decoder.layers.0.self_attn"; empty if there is only one
  TokenLists query_tokens, key_tokens;  ///< one list, or one per batch entry
  Settings settings;
  std::shared_ptr<const Visibility>
      visibility;                            ///< why hidden cells are hidden; absent without masks
  std::vector<std::string> vocabulary = {};  ///< the words of logits; empty: numbered ones
  Index n_extra = 0;                         ///< keys that are added after those of all tokens
};

/// Where a scope is in a whole model: "decoder.layers", 0 and "self_attn" for
/// "decoder.layers.0.self_attn"; without a number, all of the name is the stack.
struct ModelPlace {
  std::string stack;
  std::optional<Index> layer;
  std::string module;

  bool same_layer(const ModelPlace& other) const {
    return stack == other.stack && layer == other.layer;
  }
};
ModelPlace place_of(const Scope& scope);

/// One matrix of the computation: what it is, the operation that made it, and from what.
struct Step {
  std::string id;              ///< unique: scope and word, "h.0.attn.weights"
  const Operation* operation;  ///< never null
  Parameters parameters;
  std::vector<std::string> inputs;     ///< ids of steps or givens
  std::shared_ptr<const Scope> scope;  ///< never null
  const StepInfo* meaning;             ///< the row of `id`, never null
  Tensor value;
  NotFinite not_finite = {};  ///< among the numbers, when they were computed; not read from files

  const StepInfo& info() const { return *meaning; }
  /// Whether nothing computed it: x, w_q …
  bool is_given() const { return operation->derive == nullptr; }
  /// Whether it is only what steps are made from: w_q, past_k …
  bool is_no_step() const { return meaning->is_no_step(); }
  /// Whether it is an outline: a shape, but no numbers that could be read.
  bool is_outline() const { return value.stored().empty() && value.shape().count() > 0; }
  /// Whether it only cuts columns into heads, or puts heads side by side.
  bool only_rearranges() const {
    return operation->only_rearranges != nullptr && operation->only_rearranges(parameters);
  }
  /// The id within the scope: "norm1" of "h.0.norm1".
  std::string_view local_id() const;
};

/// Steps in order, found by id and by scope in the same time however many there are. Ids are
/// unique; only `rearrange` may change them, or the scope of a step. Several threads may read a
/// list.
class StepList {
 public:
  using Steps = std::vector<Step>;
  using value_type = Step;

  void push_back(Step step);
  /// Lets `change` do anything to the steps.
  void rearrange(const std::function<void(Steps& steps)>& change);

  /// The step of that id, or nullptr.
  const Step* find(std::string_view id) const;
  /// The first (last) step of a scope for which that is true, or nullptr.
  using Is = std::function<bool(const Step& step)>;
  const Step* first_in(const Scope& scope, const Is& is) const;
  const Step* last_in(const Scope& scope, const Is& is) const;

  std::size_t size() const { return steps_.size(); }
  bool empty() const { return steps_.empty(); }
  const Step& operator[](std::size_t i) const { return steps_[i]; }
  Step& operator[](std::size_t i) { return steps_[i]; }
  const Step& front() const { return steps_.front(); }
  const Step& back() const { return steps_.back(); }
  Step& back() { return steps_.back(); }
  Steps::const_iterator begin() const { return steps_.begin(); }
  Steps::const_iterator end() const { return steps_.end(); }
  Steps::iterator begin() { return steps_.begin(); }
  Steps::iterator end() { return steps_.end(); }
  Steps::const_reverse_iterator rbegin() const { return steps_.rbegin(); }
  Steps::const_reverse_iterator rend() const { return steps_.rend(); }

 private:
  struct Hash {
    using is_transparent = void;  // so that a view can be looked up
    std::size_t operator()(std::string_view id) const { return std::hash<std::string_view>{}(id); }
  };
  void index_from(std::size_t first);

  Steps steps_;
  /// Where each id is, and the steps of each scope. Empty while there are few: looking at them all
  /// is as fast then.
  std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> places_;
  std::unordered_map<const Scope*, std::vector<std::size_t>> scopes_;
};

/// The steps in order, and the givens (weights, past) they use. Every input of a step comes before
/// it.
struct Trace {
  std::string title;
  std::string description;
  std::string model;  ///< the kind of a whole model: "llama"; empty: none, or the file lacks it
  std::vector<std::string> notes;
  std::vector<std::shared_ptr<const Scope>> scopes;  ///< at least one
  StepList steps;
  StepList givens;

  /// The facts of the only attention, or of a whole model.
  const Scope& scope() const { return *scopes.front(); }
  const Settings& settings() const { return scope().settings; }
  bool is_model() const;  ///< whether some scope has a name
  /// The only attention, or the first one of a model.
  const Scope& attention() const;

  /// The step or given of that id, or nullptr.
  const Step* find(std::string_view id) const;
  /// The same; throws std::out_of_range if there is none.
  const Step& at(std::string_view id) const;
  const Tensor& value(std::string_view id) const { return at(id).value; }
  /// The same by id or by symbol: "scores" or "S", "S′" or "S'". Of several with that symbol, the
  /// one of the whole model, or the first of a scope; nullptr if several scopes have it.
  const Step* find_named(std::string_view name) const;

  /// The first (last) step or given of that role in a scope, or nullptr.
  const Step* first_of(StepRole role, const Scope& scope) const;
  const Step* last_of(StepRole role, const Scope& scope) const;
  /// The weights that multiply the values, after all masking, or nullptr. Of a model, those of its
  /// first attention.
  const Step* last_weights() const { return last_of(StepRole::Weights, attention()); }

  /// Input number `i` of a step, and all of their tensors, in order.
  const Step& input(const Step& step, std::size_t i) const { return at(step.inputs.at(i)); }
  std::vector<const Tensor*> inputs(const Step& step) const;
  /// The first input of that role, or nullptr.
  const Step* input_of(StepRole role, const Step& step) const;
};

/// All steps in the order of the computation, each given before the first step made from it.
std::vector<const Step*> steps_and_givens(const Trace& trace);

/// The step of that id (in a model only if it has a dot); otherwise all steps of that name. A name
/// is a symbol; in a model, the id within a scope, with or without its number ("weights", "norm1",
/// "norm"), which names the steps of all scopes; or a pattern of ids, in which * is any text and ?
/// any character. Givens only if there is no such step.
std::vector<const Step*> steps_named(const Trace& trace, const std::string& name);

/// The steps that have a number, in order, which documents print: 6/9 is the sixth of nine. The
/// mask has none, because the masked scores show it, unless softmax is opened too (`full`).
std::vector<const Step*> numbered_steps(const Trace& trace, bool full);

/// Whether a text is the id, the symbol or the title of a step as people write them: capitals,
/// spaces, hyphens and the kind of apostrophe do not matter.
bool is_name_of(std::string_view text, const StepInfo& info);

/// The step that somebody means by an id, a symbol or a title, written in any of these ways, or by
/// the number printed before it ("6", "6/9"); nullptr if it is none.
const Step* step_meant(const Trace& trace, std::string_view text);

/// All steps and givens with one of these names, in the order of the computation; without names all
/// steps, no givens. Throws Error (usage, id "no-such-step") for a name that none has.
std::vector<const Step*> chosen_steps(const Trace& trace, const std::vector<std::string>& names);

/// The ids of the steps that contain NaN, in order.
std::vector<std::string> steps_with_nan(const Trace& trace);

/// The symbol of a step with the number that its id has in a model: "S′"; "N1" for "h.0.norm1".
std::string symbol_text(const Step& step);

/// Whether the numbers of a step, and those that it was made from, are there.
bool can_derive(const Trace& trace, const Step& step);

/// "S′ = S / √d_k" from the operation's pattern, the symbols of the inputs and the parameters.
/// Its notation is that of attn/render/formula.hpp, which makes LaTeX and MathML of it.
std::string formula_text(const Trace& trace, const Step& step);

/// How one cell of a step is made; leaves refer to `step.inputs`. The cell must be inside the
/// step's shape. If the numbers that it was made from are not there, only its own number.
Expression derive(const Trace& trace, const Step& step, const Cell& cell);

}  // namespace attn
