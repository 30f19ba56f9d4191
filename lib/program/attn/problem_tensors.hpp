// Problems in files of tensors, and the layers of checkpoints.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "attn/io/tensor_file.hpp"
#include "attn/problem.hpp"

namespace attn {

/// Whether a problem may have a part of that name: "embeddings", "w_q", "in_proj_weight".
bool is_problem_tensor(const std::string& name);

/// Whether attn wrote the file: it holds a whole problem.
bool is_problem_file(const std::vector<std::string>& tensor_names);

/// The prefixes of the attention layers among these tensors: whatever comes before a name that attn
/// knows as query weights ("h.0.attn." in "h.0.attn.c_attn.weight"). Each once, sorted by name,
/// with numbers compared as numbers ("h.2." before "h.10.").
std::vector<std::string> layer_prefixes(const std::vector<std::string>& tensor_names);

/// Which layer of a checkpoint: by its prefix, or by its number in layer_prefixes.
struct LayerChoice {
  std::string prefix;           ///< empty: not chosen
  std::optional<Index> number;  ///< from 0
};

/// The prefix of the chosen tensors; empty if the whole file is one problem or layer. Throws Error
/// (input), with a list of the layers: "prefix-needed" if none is chosen, "no-such-layer".
std::string chosen_prefix(const std::vector<std::string>& tensor_names, const LayerChoice& choice,
                          const std::string& file_name);

/// A problem from the arrays of an .npz or .safetensors file: those of a problem file by their keys
/// ("embeddings", "memory.values", "past.k", "allowed", "vocabulary.w" …), and weights under any
/// name that attn knows, each with `prefix` in front. Settings are in the array "attn.problem", if
/// present: the bytes of a problem file without matrices. With a prefix, a note names the buffers
/// that begin with it and change nothing, such as a causal mask.
/// Throws Error (input): "unknown-tensor" for a name with no meaning; "not-supported" for tensors
/// of the layer that attn does not compute with, or an output projection beside it.
ProblemDraft draft_from_tensors(const std::vector<NamedArray>& arrays, const std::string& prefix,
                                const std::string& file_name);

/// The way back: every array of the draft, and "attn.problem" with all the rest.
std::vector<NamedArray> tensors_of(const ProblemDraft& draft);

}  // namespace attn
