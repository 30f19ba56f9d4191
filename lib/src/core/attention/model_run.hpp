// What whole models are made of: layers, and what comes before and after them.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "attn/attend.hpp"
#include "core/attention/recorder.hpp"
#include "core/problem/foreign_weights.hpp"
#include "core/problem/model_kinds.hpp"
#include "core/text/complaints.hpp"

namespace attn {

/// What to do where the shapes of weights are not those of the model.
inline constexpr const char* kBelongTogether = "Check that model and weights belong together.";

/// Whose tokens the rows of a step are: those of the only or last stack, or those of its memory.
enum class Side { Target, Source };

/// The weights of one attention: the four projections, d_in × d_out, and what else it has.
struct AttentionWeights {
  AdoptedWeights others;  ///< the arrays of projections have become those
  std::optional<Projection> q, k, v, o;
};

/// One of the matrices of a tensor with one for each expert: rows × cols, where columns are in turn
/// with others, every `step`-th from `first` on.
struct ExpertShape {
  Index rows, cols, first = 0, step = 1;
};

struct HeldWeights {
  std::map<std::pair<std::string, bool>, Tensor> matrices;  ///< by name, and whether turned
  std::map<std::string, AttentionWeights> attentions;       ///< by their scopes
};

/// A model while it runs: its weights, and the trace that it makes.
class ModelRun {
 public:
  ModelRun(Trace& trace, const ProblemFacts& problem, const Recipe& recipe, Numbers numbers,
           KeepStep keeps);

  const ProblemFacts& problem() const { return problem_; }
  const ProblemDraft& draft() const { return problem_.model->draft; }
  const ModelKind& kind() const { return *problem_.model->kind; }
  /// Where the norms of layers are.
  LayerForm form() const {
    const bool apart = !draft().model->parallel_residual.value_or(true);
    return apart || draft().model->norm_first ? LayerForm::NormFirst : kind().form;
  }

  /// Whether there is a tensor of that name, or one whose name begins so.
  bool has(const std::string& tensor) const;
  bool has_some(const std::string& begin) const;
  /// The numbers of a tensor, or their outline; 0 rows or columns: whatever it has. `transposed`:
  /// it is stored the other way round. What does not fit is remembered, for `check`.
  Tensor weight(const std::string& tensor, Index rows, Index cols, bool transposed = false);
  /// Matrix `number` of a tensor with one for each expert; 0 columns: as many as it has.
  Tensor stacked_weight(const std::string& tensor, Index number, ExpertShape shape);
  /// Whether that norm has a bias; once one norm has, all later ones must.
  bool norm_has_bias(const std::string& module);
  /// Whether layers of this model have biases, all of them, as one argument of nn.Transformer says.
  bool layers_have_biases();
  /// Those of an attention whose tensors' names begin with `scope`; without projections if one is
  /// missing.
  AttentionWeights attention_weights(const std::string& scope);
  /// What multiplies embeddings, the branches of layers, and logits.
  double embedding_factor(Index d_model) const;
  double branch_factor() const { return draft().model->residual_multiplier.value_or(1.0); }

  /// The keys and values that an attention made of earlier tokens, or nullptr.
  const ModelCache::Keys* cached(const std::string& scope) const;
  /// The encoder's output, if it is known already.
  std::optional<Tensor> cached_memory() const;

  /// Passes `x` through `layer(part, x)` for each layer of a stack. A layer is called `name`, a dot
  /// and a number.
  template <typename F>
  std::string stack(const std::string& name, Side side, std::string x, F layer);

  /// Throws all that is wrong with the weights.
  void check() const;
  /// Throws if a layer, or a model that reads ids, has weights that no part has read, and that are
  /// of no other output layer: they belong to another model.
  void refuse_unread() const;
  /// Bytes of the largest weight that is stored the other way round: while it is turned, there are
  /// two of it.
  double turned() const { return turned_; }

 private:
  friend class ModelPart;

  /// A name that some layers of a stack have, and this one does not.
  struct UnevenName {
    std::string stack, layer, name;
  };

  Index count_layers(const std::string& stack);
  bool is_beside(const std::string& tensor) const;
  /// How many tensors are missing or do not fit, so far.
  std::size_t faults() const { return missing_.size() + complaints_.count(); }
  /// The numbers of a tensor; throws Error (id "shape-mismatch") if there are too few or too many.
  static Array read(const ModelTensors::value_type& tensor);
  /// What the tensors of an attention are called and how they are stored, as attn has it.
  AdoptedWeights adopted_weights(const std::string& scope);
  /// Notes what no other attention has noted before; `scope` in front, if there is one.
  void note_once(const std::vector<std::string>& notes, const std::string& scope = "");
  /// From these steps and givens on, drops the numbers that are not kept; the last step stays for
  /// the next layer.
  void forget(std::size_t first_step, std::size_t first_given);

  Trace& trace_;
  const ProblemFacts& problem_;
  const Recipe& recipe_;
  Numbers numbers_;
  KeepStep keeps_;
  bool norms_have_bias_ = false;
  std::optional<bool> layers_have_biases_;
  double turned_ = 0.0;
  std::set<std::string> missing_, noted_;
  std::vector<UnevenName> uneven_;
  std::set<std::string> stacks_;           ///< "encoder.layers."
  std::set<std::string> read_;             ///< names of tensors that some part needs
  std::pair<std::string, Array> stacked_;  ///< the tensor of all experts that was read last
  Complaints complaints_;
};

/// A part of a model: one layer, or what is before and after all layers. A `word` is attn's own
/// name, which ModelKind::module translates; functions that record a step return its id.
class ModelPart {
 public:
  ModelPart(ModelRun& run, const std::string& scope, Side side = Side::Target,
            std::optional<Index> layer = std::nullopt);

  ModelRun& run() { return run_; }
  /// How many columns a step has.
  Index width(const std::string& id) const { return run_.trace_.value(id).cols(); }

  std::string input(const Tensor& x);    ///< `x`, with positions if they are a signal
  std::string memory(const Tensor& x);   ///< an encoder's output, given
  std::vector<Index> ids() const;        ///< of all batch entries, one after the other
  std::vector<Index> positions() const;  ///< n_past, n_past + 1, … for each of them; the table's
  /// Whether this kind of model has that part, here or in every scope.
  bool names(const std::string& word) const;
  /// The table of the weights with that name, of this part or of the whole model.
  std::string table(const std::string& word);
  std::string look_up(const std::string& word, const std::string& table, std::vector<Index> ids);
  /// The rows of the ids, or those that are given, as `x`: with those of their positions, and
  /// normed, where the model does that.
  std::string embeddings();
  std::string add(const std::string& word, std::vector<std::string> terms);
  std::string copy(const std::string& word, const std::string& x);

  /// Attention of `x` to itself, or to a memory.
  std::string attention(const std::string& module, const std::string& x,
                        const std::string& memory = "");
  /// Attention of `x` to itself, as this kind of model calls it.
  std::string attention(const std::string& x) { return attention(run_.kind().self_attn, x); }
  std::string norm(const std::string& word, const std::string& x);
  /// The same if the weights have such a norm; else `x`.
  std::string norm_if_any(const std::string& word, const std::string& x);
  /// `x` plus what was made of it, times the model's residual_multiplier.
  std::string residual(const std::string& x, const std::string& change);
  /// `columns` of the result; 0: as many as the weights have.
  std::string linear(const std::string& word, const std::string& x, Index columns = 0);
  bool has(const std::string& word) const { return run_.has(tensor(word) + ".weight"); }
  /// Whether parallel branches have a norm each: always in GPT-NeoX; in Falcon if the first is
  /// called ln_attn, the last of its names.
  bool has_second_norm() const;
  /// The model's, or `always`.
  std::string activation(const std::string& x, const std::string& word = "activation",
                         const std::string& always = "");
  std::string gate(const std::string& x, const std::string& y);
  /// Two linear layers with the activation between them, or three with a gate.
  std::string feed_forward(const std::string& x);
  /// Whether that part goes by the last of its names.
  bool has_last_name(const std::string& word) const;
  /// Whether this layer has a router that chooses experts.
  bool has_experts() const;
  /// What the experts that each token chose make of it, by weight, and what a shared one does.
  std::string experts(const std::string& x);
  /// Scores of every word by a layer of the weights, or by the rows of the token table.
  std::string logits(const std::string& x);
  /// The same by the vocabulary of the problem; empty if it has none.
  std::string logits_of_vocabulary(const std::string& x);
  /// Probabilities, and the loss if there are labels.
  void predict(const std::string& logits);

 private:
  std::string tensor(const std::string& word) const;
  /// Whether that part must have a bias.
  bool needs_bias(const std::string& word) const;
  /// How much each expert counts for each token: 0 unless it is chosen.       T × experts
  std::string router_weights(const std::string& x);
  /// A linear layer of an expert whose weights are in one tensor with those of all experts.
  std::string stacked_linear(const std::string& word, const std::string& x, Index columns);
  /// One gated feed-forward network: `name`.linear1 and so on.
  std::string expert(const std::string& name, const std::string& x);
  /// The table of T5's biases, which the first layer of a stack has for all.
  Array bias_table(Index heads);
  Index n_tokens() const;  ///< on this side

  ModelRun& run_;
  std::string scope_;
  Side side_;
  std::optional<Index> layer_;
  std::shared_ptr<Scope> facts_;
  Recorder record_;
  int residuals_ = 0;
};

template <typename F>
std::string ModelRun::stack(const std::string& name, Side side, std::string x, F layer) {
  const Index n = count_layers(name);
  for (Index i = 0; i < n; ++i) {
    const std::size_t steps = trace_.steps.size(), givens = trace_.givens.size();
    ModelPart part(*this, name + "." + std::to_string(i), side, i);
    x = layer(part, x);
    forget(steps - 1, givens);  // with what the layer was given
  }
  return x;
}

/// Records every step of the model that the problem names (models.cpp).
void run_model(ModelRun& run);

}  // namespace attn
