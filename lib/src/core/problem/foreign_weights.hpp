// Weights under the names and layouts of other libraries.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "attn/problem.hpp"
#include "core/text/complaints.hpp"

namespace attn {

/// Weights under attn's own names and in its layout (d_in × d_out), whatever they were called.
struct AdoptedWeights {
  WeightArrays arrays;                          ///< w_q … b_o, bias_k, bias_v
  std::map<std::string, std::string> pointers;  ///< own name → JSON pointer of what was given
  std::vector<std::string> notes;               ///< what was converted
};

/// Recognises the names of nn.MultiheadAttention, Llama, BERT, DistilBERT, GPT-2 and ViT, unpacks
/// and transposes where they store things otherwise. Complains about names it does not know, parts
/// given twice and packed matrices that do not split into three.
AdoptedWeights adopt_weights(const WeightArrays& given, Complaints& complaints);

/// Whether a tensor of that name is part of an attention layer, in any library's words.
bool is_weight_name(const std::string& name);

/// Whether queries are made with it, alone or packed with keys and values: every attention layer
/// has one such tensor, and nothing else has.
bool makes_queries(const std::string& name);

}  // namespace attn
