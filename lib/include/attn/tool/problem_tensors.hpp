// Problems in files of tensors, and the layers of checkpoints.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "attn/problem.hpp"
#include "attn/tensor_file.hpp"

namespace attn {

/// Whether a problem has a part of that name: "embeddings", "w_q", "in_proj_weight".
bool is_problem_tensor(const std::string& name);

/// The prefixes of the attention layers among these tensors: what stands in front of a name that
/// attn knows as the weights of queries ("h.0.attn." of "h.0.attn.c_attn.weight"). In the order of
/// their names, numbers in them as numbers ("h.2." before "h.10."), each once.
std::vector<std::string> layer_prefixes(const std::vector<std::string>& tensor_names);

/// Which layer of a checkpoint: the one of that prefix, or of that number in layer_prefixes.
struct LayerChoice {
  std::string prefix;           ///< empty: not chosen
  std::optional<Index> number;  ///< from 0
};

/// The prefix of the tensors that are meant; empty where the file itself is one problem or layer.
/// Throws Error (input), with the layers there are: "prefix-needed" if none is chosen,
/// "no-such-layer".
std::string chosen_prefix(const std::vector<std::string>& tensor_names, const LayerChoice& choice,
                          const std::string& file_name);

/// A problem from the arrays of an .npz or .safetensors file: "embeddings", "memory.embeddings",
/// "q", "k", "v", "past.k", "past.v", "allowed", "bias", "key_lengths", and weights under any name
/// that attn knows, with `prefix` in front of all. Settings stand in the array "attn.problem", as
/// the bytes of a problem file without matrices, if there is one. With a prefix, other tensors that
/// begin so are left out, whatever they hold, and a note names them.
/// Throws Error (input), "unknown-tensor", for a name that means nothing.
ProblemDraft draft_from_tensors(const std::vector<NamedArray>& arrays, const std::string& prefix,
                                const std::string& file_name);

/// The way back: every array of the draft, and "attn.problem" with all the rest.
std::vector<NamedArray> tensors_of(const ProblemDraft& draft);

}  // namespace attn
