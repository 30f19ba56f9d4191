// The tensors of a checkpoint, which may be spread over several files.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "attn/io/problem_file.hpp"
#include "attn/model.hpp"

namespace attn {

/// ".npz", ".safetensors", ".safetensors.index.json"
std::vector<std::string> checkpoint_endings();

/// Whether the file only says which tensors are in which files.
bool is_checkpoint_index(std::string_view path);

/// The tensors of the file at `path`, or of all files that an index names, without those that no
/// model computes with; no numbers are read until a tensor is. Throws Error for what is missing or
/// damaged.
ModelTensors checkpoint_tensors(const std::string& path,
                                const std::function<TensorFile(const std::string& path)>& open);

}  // namespace attn
