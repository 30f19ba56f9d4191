// Weights under the names and layouts of other libraries.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "attn/problem.hpp"
#include "core/text/complaints.hpp"

namespace attn {

/// Weights under attn's own names and in its layout (d_in × d_out), whatever their names were.
struct AdoptedWeights {
  WeightArrays arrays;  ///< w_q … b_o, bias_k, bias_v, q_norm, k_norm …, sinks
  std::map<std::string, std::string> pointers;  ///< own name → JSON pointer of what was given
  std::vector<std::string> notes;               ///< how they were stored
  std::string library;  ///< whose layout the queries' weights have; empty: attn's own
};

/// How many heads queries have, and keys and values: what q, k and v in one tensor are cut by.
struct HeadCounts {
  Index q = 1, kv = 1;
};

/// Recognises the names of courses (W_q, heads.0.key.weight), nn.MultiheadAttention, Llama (Meta's
/// too), BERT, DistilBERT, GPT-2, GPT-NeoX, Phi-3, ViT and DeepSeek, unpacks and transposes as
/// needed. Complains about unknown names, parts given twice and packed matrices that do not split
/// into parts for these heads. Arrays without numbers become arrays of the right shapes. Notes
/// speak of the names of `family`, where it is known. `fused` says how q, k and v are laid out in
/// one tensor, in place of what its name says.
AdoptedWeights adopt_weights(const WeightArrays& given, const HeadCounts& heads,
                             Complaints& complaints, const std::string& family = "",
                             FusedKind fused = FusedKind::ByName);

/// The number of heads that names (heads.3.key.weight) or shapes of kernels say.
std::optional<Index> heads_in_weights(const WeightArrays& given);

/// Whether all four projections are there, or what latent attention has in their place.
bool is_complete(const AdoptedWeights& weights);

/// Whether some are those of multi-head latent attention.
bool is_latent(const AdoptedWeights& weights);

/// Whether a tensor of that name is part of an attention layer, in any library.
bool is_weight_name(const std::string& name);

/// The same, but not under attn's own names.
bool is_library_weight_name(const std::string& name);

/// "; did you mean …?" with the weights that an unknown name may have meant; or empty.
std::string weight_guess(const std::string& name);

/// Whether modules keep a tensor of that name beside their weights, such as a mask.
bool is_buffer_name(std::string_view name);

/// Whether it is a matrix that is stored as in × out, or in attn's own layout.
bool is_in_out(const std::string& name);

/// Whether it makes queries, alone or packed with keys and values: every attention layer has
/// exactly one such tensor, and nothing else has one.
bool makes_queries(const std::string& name);

/// Whether it is W_o or its bias, in any library.
bool makes_output(const std::string& name);

}  // namespace attn
