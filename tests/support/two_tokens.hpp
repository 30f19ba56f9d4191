// The arrays of a small file of tensors.
#pragma once

#include <vector>

#include "attn/io/tensor_file.hpp"

namespace attn::testing {

using Arrays = std::vector<NamedArray>;

inline const Array kSquare{{2, 2}, {1, 0, 0, 1}};

/// Two tokens with weights, and more.
inline Arrays two_tokens_with(const Arrays& more) {
  Arrays all{{"embeddings", kSquare, ""},
             {"w_q", kSquare, ""},
             {"w_k", kSquare, ""},
             {"w_v", kSquare, ""}};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace attn::testing
