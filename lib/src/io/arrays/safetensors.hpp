// .safetensors files: the header, and where the bytes of each tensor are.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "attn/io/tensor_file.hpp"

namespace attn {

/// A tensor of a .safetensors file and where its bytes are.
struct StoredTensor {
  std::string name;
  std::vector<std::ptrdiff_t> shape;
  std::string dtype;
  std::string_view bytes;
};

/// All tensors in the order of the header, which is checked as a whole: the bytes of the tensors
/// tile the file. Makes room for the header itself, too. Throws Error (id "safetensors-format").
std::vector<StoredTensor> read_safetensors_header(std::string_view bytes, const std::string& file,
                                                  const MakeRoom& room);

}  // namespace attn
