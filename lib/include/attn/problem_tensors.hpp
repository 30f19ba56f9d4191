#pragma once

#include <span>
#include <string>
#include <vector>

#include "attn/problem.hpp"
#include "attn/tensor_file.hpp"

namespace attn {

/// The prefixes of tensors that are attention layers: what stands in front of names that
/// attn knows as weights ("h.0.attn." of "h.0.attn.c_attn.weight"), in order, each once.
std::vector<std::string> layer_prefixes(const std::vector<std::string>& tensor_names);

/// A problem from the arrays of an .npz or .safetensors file: "embeddings", "memory.embeddings",
/// "q", "k", "v", "past.k", "past.v", "allowed", "bias", "key_lengths", and weights under any name
/// that attn knows, with `prefix` in front of all. Settings stand in the array "attn.problem", as
/// the bytes of a problem file without matrices, if there is one. With a prefix, other tensors that
/// begin so are left out, and a note says which.
/// Throws Error: "unknown-tensor" for a name that means nothing, "prefix-needed" with the layers
/// there are.
ProblemDraft draft_from_tensors(const std::vector<NamedArray>& arrays, const std::string& prefix,
                                const std::string& file_name);

/// The way back: every array of the draft, and "attn.problem" with all the rest.
std::vector<NamedArray> tensors_of(const ProblemDraft& draft);

}  // namespace attn
