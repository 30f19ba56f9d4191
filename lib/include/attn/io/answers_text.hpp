// Matrices as answers in JSON, as attn check reads them.
#pragma once

#include <span>
#include <string>

#include "attn/io/tensor_file.hpp"

namespace attn {

/// {"_what": remark, "output": [[…]]}, with one matrix for each array, under its name.
std::string answers_json(std::span<const NamedArray> arrays, const std::string& remark);

}  // namespace attn
