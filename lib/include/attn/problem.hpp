// A problem as written (ProblemDraft) and checked (Problem).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "attn/core/array.hpp"
#include "attn/core/memory_budget.hpp"
#include "attn/mask.hpp"
#include "attn/model.hpp"
#include "attn/settings.hpp"
#include "attn/tensor.hpp"

namespace attn {

/// The weights as a file gives them, by name: w_q, w_k, w_v, w_o, b_q, b_k, b_v, b_o, q_norm,
/// k_norm, sinks, w_gate …, or the names of another library.
using WeightArrays = std::map<std::string, Array>;

/// Tokens and their vectors, in file order.
using EmbeddingTable = std::vector<std::pair<std::string, std::vector<double>>>;

/// What keys and values are made from in cross attention, as somebody wrote it.
struct MemoryDraft {
  TokenLists tokens;
  Array embeddings;                  ///< what keys and values are made from; empty: the table
  std::optional<Array> values = {};  ///< what values are made from instead
  EmbeddingTable embedding_table = {};
  std::vector<std::vector<Index>> ids = {};  ///< of a source: one list per batch entry, or one
};

/// Multi-head latent attention (DeepSeek-V2, 2024, section 2.1) as somebody wrote it: widths per
/// head, which the weights say, too.
struct LatentDraft {
  std::optional<Index> nope_dim, rope_dim;  ///< columns of keys without positions, and with RoPE
  std::optional<Index> v_dim;
  bool rope_interleave = false;  ///< neighbours are put into halves before RoPE
  std::optional<double> eps;     ///< of the norms of the latents; 1e-6
};

/// Dropout on the weights, with what it kept.
struct DropoutDraft {
  double p = 0.0;  ///< the share that is dropped on average: 0 to below 1
  Array keep;      ///< 1 = kept; broadcast to N × h × T_q × T_k
};

/// A problem as somebody wrote it: every field of the problem file, nothing checked against
/// anything else. Field `a.b` is at JSON pointer "/a/b", which errors name.
struct ProblemDraft : AttentionSettings {
  std::string title;
  std::string description;

  TokenLists tokens;
  std::optional<Array> embeddings;  // T × d_model, N × T × d_model
  using EmbeddingTable = attn::EmbeddingTable;
  EmbeddingTable embedding_table;   // in file order
  std::optional<std::string> text;  // --text: words for the table

  using Memory = MemoryDraft;
  std::optional<Memory> memory;

  WeightArrays weights;                 // also v_score; bias_k, bias_v: one more key and value
  FusedKind fused = FusedKind::ByName;  // of q, k and v in one tensor
  std::string family;          // "Qwen2": the model they are of, if known; not part of a file
  bool cross_weights = false;  // named as those of cross attention; not part of a file
  bool needs_memory = false;   // it is cross attention of a model; not part of a file
  bool add_zero_attn = false;  // one more key and value of zeros, as in nn.MultiheadAttention

  std::optional<Array> q, k, v;            // rank 2, 3 or 4
  std::optional<Array> attention_weights;  // A itself, instead of q and k
  MatrixLayout layout = MatrixLayout::Rows;
  struct Past {
    std::vector<std::string> tokens;
    Array k, v;
  };
  std::optional<Past> past;
  TokenLists key_tokens;

  std::optional<Index> heads, kv_heads;
  std::optional<LatentDraft> latent;

  std::vector<MaskSpec> masks;
  std::optional<Array> allowed;
  std::optional<Array> hidden;  // the opposite of allowed
  bool says_hidden = false;     // `allowed` was made from `hidden`; not part of a file
  std::optional<Array> bias;
  std::optional<DropoutDraft> dropout;
  std::optional<Array> target;  // of the output, for a mean squared error
  std::optional<Array> sinks;   // one number, or one per head; also among the weights
  std::vector<Index> key_lengths;

  std::optional<VocabularyDraft> vocabulary;
  std::vector<std::vector<LabelDraft>> labels;  // one list, or one per batch entry

  std::optional<ModelDraft> model;  // a whole model, instead of one attention
  ModelTensors model_weights;       // of a model, beside `weights`
  std::vector<std::vector<Index>> ids;
  std::optional<MemoryDraft> source;  // what the encoder of a transformer reads
  std::vector<MaskSpec> source_masks, memory_masks;
  std::shared_ptr<const ModelCache> cache;  // of a model, while it generates; not part of a file
  std::shared_ptr<HeldWeights> held;        // likewise

  double max_memory = kUsualMemory;  // bytes for the problem and its trace; not part of a file
  std::vector<std::string> notes;    // what reading it chose and left out; not part of a file

  /// Whether X is given, or can be looked up.
  bool has_rows() const { return embeddings || !embedding_table.empty(); }
};

/// X · W + b for one of Q, K, V, O. w: d_in × d_out; b: 1 × d_out.
struct Projection {
  Tensor w;
  std::optional<Tensor> b;
};

/// What multi-head latent attention has in place of W_k: queries may be made from a latent, keys
/// and values are, and all heads share the columns of the keys that RoPE rotates.
struct Latent {
  std::optional<Projection> to_q_latent;  ///< d_model × q_rank; absent: queries are made from X
  std::optional<Tensor> q_norm, kv_norm;  ///< gains of RMS norms, 1 × rank
  Projection to_kv_latent;                ///< d_model × kv_rank
  Projection to_k_nope;                   ///< kv_rank × h·nope_dim
  std::optional<Projection> to_k_rope;    ///< d_model × rope_dim
  double epsilon = 1e-6;
  Index nope_dim = 0, rope_dim = 0;  ///< d_k = nope_dim + rope_dim
};

/// What a norm multiplies by and adds, 1 × its width; of each head, h × 1 × d_k.
struct Gains {
  std::optional<Tensor> weight, bias;
};

/// A query that sees no key, and the heads in which it sees none.
struct EmptyQuery {
  Index batch = 0, query = 0;
  std::vector<Index> heads;
};

/// The words that logits are about, and the right ones.
struct Prediction {
  std::vector<std::string> words;      ///< empty: numbered ones
  std::optional<Projection> to_words;  ///< d_model × V; a model may have its own
  std::vector<Index> labels;           ///< N·T_q of them, −1 for none; empty: no labels
};

struct ModelFacts;

/// What a Problem holds; T_q = n_queries, T_k = n_keys (past included), d_k and d_v per head.
struct ProblemFacts : AttentionSettings {
  std::string title;
  std::string description;
  TokenLists query_tokens;  ///< T_q labels per batch entry
  TokenLists key_tokens;    ///< T_k labels per batch entry

  std::optional<Index> batch;  ///< number of batch entries, absent without a batch axis
  std::optional<Index> heads;  ///< number of query heads, absent without a head axis
  Index kv_heads = 1;
  Index n_queries = 0, n_keys = 0, n_past = 0, n_extra = 0;
  std::optional<Index> d_model;  ///< absent when Q K V are given directly
  Index d_k = 0, d_v = 0;

  std::optional<Tensor> x, memory;                        ///< T_q × d_model, T_k × d_model
  std::optional<Tensor> memory_values;                    ///< T_k × d: what values are made from
  bool looked_up = false;                                 ///< x is made of rows of a table
  std::optional<Projection> to_q, to_k, to_v, to_output;  ///< absent: not projected
  std::optional<Projection> to_gate;                      ///< X · W_gate + b_gate; absent: no gate
  std::optional<Tensor> q, k, v;                          ///< given directly, instead of x
  std::optional<Latent> latent;                           ///< what to_k is absent for
  Gains q_norm, k_norm;                                   ///< used if qk_norm has a kind
  bool norm_spans_heads = false;           ///< the norm is over all heads, before they are cut
  std::optional<Tensor> sinks;             ///< 1 × 1, or one in each head: (h ×) 1 × 1
  std::optional<Tensor> v_score;           ///< 1 × d_k, perhaps per head: of additive scores
  std::optional<Tensor> extra_k, extra_v;  ///< more keys and values at the end, always visible
  std::optional<Tensor> past_k, past_v;    ///< P × d_k, P × d_v per kv head

  std::optional<Tensor> bias;                    ///< T_q × T_k, broadcast to batch and heads
  std::shared_ptr<const Visibility> visibility;  ///< absent when no mask is given
  std::optional<Tensor> kept_queries;   ///< T_q × 1; 0 = this row of weights is set to zero
  std::vector<std::string> mask_texts;  ///< the masks as written, for settings
  std::vector<Index> query_offsets;     ///< p_i = i + offset: one, or one per batch entry

  std::optional<Tensor> given_weights;  ///< T_q × T_k: A itself; then there are no q, k and scores
  std::optional<Tensor> dropout_keep;   ///< T_q × T_k: 1 = kept
  double dropout_p = 0.0;
  std::optional<Tensor> target;  ///< of the shape of the output

  std::optional<Prediction> prediction;
  std::shared_ptr<const ModelFacts> model;  ///< null: one attention

  double bytes = 0.0, max_memory = 0.0;  ///< what this takes, and may take with its trace

  bool cross_weights = false;           ///< named as those of cross attention
  std::vector<std::string> idle_masks;  ///< as written: those that hide nothing
  std::vector<EmptyQuery> empty_queries;
  std::vector<std::string> notes;  ///< what was chosen and converted while building it
};

/// Which rows attend to which in a model: those of the target (or the only) stack to each other, or
/// to the memory; those of the source to each other.
enum class Attends { Target, Memory, Source };

/// What the attentions of a model that attend alike have in common: their settings as they were
/// written, tokens, positions, masks and bias.
struct ModelAttention {
  ProblemDraft draft;
  ProblemFacts facts;
  /// Pointers of settings that one layer has for itself, and where it has them.
  std::vector<std::pair<std::string, std::string>> places = {};
};

struct ModelKind;

/// A whole model: its draft, and its weights under the names of its library.
struct ModelFacts {
  ProblemDraft draft;     ///< without its weights, and what else only making the problem needs
  ModelTensors weights;   ///< without the prefix of the whole model
  const ModelKind* kind;  ///< never null
  std::map<Attends, ModelAttention> attentions;               ///< those that the model has
  std::vector<std::shared_ptr<const ModelAttention>> layers;  ///< each layer's, if they differ

  /// What an attention of that layer is like.
  const ModelAttention& attention(Attends attends, std::optional<Index> layer) const {
    const bool own = attends == Attends::Target && layer && *layer < std::ssize(layers);
    return own ? *layers[static_cast<std::size_t>(*layer)] : attentions.at(attends);
  }
};

/// A problem in which every size fits every other: `attend` can fail only for lack of memory, or
/// because of the weights of a whole model, which only running it checks. Only `make_problem` makes
/// one, and it is read-only from then on.
class Problem {
 public:
  const ProblemFacts* operator->() const { return &facts_; }
  const ProblemFacts& operator*() const { return facts_; }

 private:
  explicit Problem(ProblemFacts facts) : facts_(std::move(facts)) {}
  friend Problem make_problem(const ProblemDraft& draft);

  ProblemFacts facts_;
};

/// Checks a draft and fits its parts together. Throws Error with one diagnostic per independent
/// mistake (shapes, counts, ranges), each with the JSON pointer of its place.
Problem make_problem(const ProblemDraft& draft);

}  // namespace attn
