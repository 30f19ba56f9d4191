// The parts of make_problem.
#pragma once

#include <string>

#include "attn/problem.hpp"
#include "core/problem/foreign_weights.hpp"
#include "core/text/complaints.hpp"

namespace attn {

/// What to do about an array that should be a matrix.
inline constexpr const char* kCheckBrackets =
    "Check the brackets: a matrix is a list of rows, [[1, 2], [3, 4]].";

/// The rule where keys and values are not equally many.
inline constexpr const char* kOneValueEach = "Every key has one value.";

/// A problem while it is made from a draft. Each part fills in some fields of `problem`, in this
/// order, and complains about what does not fit; later parts may rely on what earlier ones checked.
struct Build {
  const ProblemDraft& draft;
  ProblemFacts& problem;
  Complaints complaints = {};
  AdoptedWeights weights = {};            // draft.weights under attn's own names
  bool has_gated_queries = false;         // w_q had the gate of concat, too
  MemoryBudget budget{draft.max_memory};  // for arrays made from those of the draft
};

void build_inputs(Build& build);    ///< x, memory or q k v, with one batch axis; n_queries, n_keys
void build_tokens(Build& build);    ///< labels of queries and keys
void check_settings(Build& build);  ///< those that do not depend on sizes
void build_projections(Build& build);    ///< w_q … b_o, and what build_heads finds
void split_gated_queries(Build& build);  ///< w_q and w_gate, where a file has both in one matrix
void build_heads(Build& build);          ///< heads, d_k, d_v
void build_latent(Build& build);         ///< both, where the weights are those of latent attention
void default_settings(Build& build);     ///< those of the draft, with every default filled in
void build_keys(Build& build);           ///< past keys and values, and added ones (bias_k)
void build_offsets(Build& build);        ///< the positions of queries among the keys
void build_positions(Build& build);      ///< how the positions of queries and keys are encoded
/// Complains about parameters that belong to another kind of positions, and a base that is none.
void check_parameters(const Positions& given, PositionKind kind, Complaints& complaints);
void build_score_kind(Build& build);  ///< v_score
void build_material(Build& build);    ///< given weights, dropout, a target
void build_prediction(Build& build);  ///< vocabulary and labels
void build_qk_norm(Build& build);     ///< the norm of queries and keys, with its gains
void build_sinks(Build& build);       ///< the sinks of softmax

/// The activations that a gate may have: names of operations.
std::vector<std::string> gate_activations();
/// The gate of `inputs`, from the weights and the setting; nothing if there is none.
void build_gate(Build& build, const std::optional<Tensor>& inputs);

/// How many columns of a head RoPE may rotate: the last ones, where keys are made from latents.
inline Index rotated_width(const ProblemFacts& p) { return p.latent ? p.latent->rope_dim : p.d_k; }

/// Bias, masks and empty rows; masks may hide what is zero in the rows that queries and keys are
/// made from, if they are known.
void build_scores(Build& build, const Tensor* queries, const Tensor* keys);

/// Complains about a table of positions that is missing or does not fit; about masks and empty rows
/// that do not go with the way in which scores become weights.
void check_position_table(Build& build);
void check_normalizing(Build& build);

/// What to do where a vocabulary is missing.
inline constexpr const char* kAddVocabulary =
    "Add \"vocabulary\": {\"tokens\": […], \"w\": one row for each column of the output}.";

/// Complains about a vocabulary that does not fit an output of `width` columns.
void check_vocabulary(Index width, const Prediction& prediction, Complaints& complaints);

/// `array` as T_q × T_k, with a batch and a head axis if it differs along them. Its sizes are those
/// of the scores, or 1, aligned at the right (NumPy's rule); keys that it does not reach, at the
/// end of a shorter last axis, get `missing`, and added ones (bias_k) 0. Without a head axis an
/// array of rank 3 is batch × T_q × T_k. Complains and returns nothing if it does not fit.
std::optional<Tensor> broadcast(Build& build, const Array& array, const std::string& name,
                                double missing);

/// The given labels, checked against `n` rows and the batch; or numbered ones.
TokenLists labels(Build& build, const TokenLists& given, const std::string& prefix, Index n,
                  const std::string& pointer, const std::string& rows_of);

/// Complains about an array, or all arrays of a draft, that do not have as many numbers as their
/// shapes say.
void check_array(const Array& array, const std::string& pointer, Complaints& complaints);
void check_arrays(const ProblemDraft& draft, Complaints& complaints);

/// Complains about numbers of heads and masks that are out of range, and about labels that nothing
/// reads.
void check_counts(Build& build);

/// Counts the matrices of a problem, as `take` does.
void count_given(Build& build);
/// Counts what is about to be made for every query and key of what is at `pointer`, in `bytes` of
/// the problem. Throws Error (id "too-large") if that is more than it may take.
void take(Build& build, double bytes, const std::string& pointer);

/// The weight of that name, or nullptr; and its place.
const Array* weight(const Build& build, const std::string& name);
std::string weight_pointer(const Build& build, const std::string& name);

/// `array` of rank 2 (rows × cols), or rank 3 with a batch axis in front; a rank-1 array is one
/// row.
Tensor stacked(Array array);

/// "/1/0" for number 2 of a 2×2 array.
std::string cell_pointer(const Array& array, std::size_t index);

/// Complains about the first number of `array` that is NaN or infinite; −∞ may be allowed.
void check_finite(Build& build, const Array& array, const std::string& pointer,
                  bool minus_infinity_allowed = false);

/// Whether one empty query comes right after another in the same heads.
bool follows(const EmptyQuery& before, const EmptyQuery& after);

/// `query 2 "sat" of batch entry 1 sees no key in head 0`, or `queries 2 "sat" to 4 "it" see no
/// key`.
std::string empty_queries_text(const ProblemFacts& problem, const EmptyQuery& first, Index last);

}  // namespace attn
