// GGUF, the files of llama.cpp: what they say about themselves, and where their tensors are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "attn/core/array.hpp"
#include "attn/io/tensor_file.hpp"

namespace attn {

/// How the numbers of a tensor are stored: blocks of so many numbers and bytes.
struct GgufType {
  std::uint32_t code;
  std::string_view name;  ///< "Q8_0"
  std::size_t numbers, bytes;
  std::vector<double> (*decode)(std::string_view bytes);
};

struct GgufTensor {
  std::string name;
  std::vector<std::ptrdiff_t> shape;  ///< rows first, as everywhere in attn
  const GgufType* type = nullptr;
  std::size_t begin = 0, size = 0;  ///< of its bytes in the file
};

/// Whole numbers are numbers; lists of lists are refused.
using GgufValue =
    std::variant<double, bool, std::string, std::vector<double>, std::vector<std::string>>;

struct GgufFile {
  std::map<std::string, GgufValue> metadata;
  std::vector<GgufTensor> tensors;
};

/// Reads all but the numbers (versions 2 and 3), and checks every length before memory is taken.
/// Throws Error: "gguf-format"; "dtype" for numbers that are neither F32, F16, BF16 nor Q8_0.
GgufFile read_gguf_header(std::string_view bytes, const std::string& file,
                          const MakeRoom& room = any_size);

/// The numbers of one tensor, from the bytes of the file.
Array read_gguf_numbers(const GgufTensor& tensor, const std::string& file, std::string_view bytes);

}  // namespace attn
