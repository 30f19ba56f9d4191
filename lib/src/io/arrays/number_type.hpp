// The number types of array files.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace attn {

/// A number type that files use, and how it is converted to float64.
struct NumberType {
  std::string_view numpy;        ///< NumPy's code without the byte order, "f8"; empty if none
  std::string_view safetensors;  ///< "F64"
  std::size_t size;              ///< bytes of one number

  /// The numbers in `bytes`, whose size is a multiple of `size`.
  std::vector<double> (*decode)(std::string_view bytes, bool big_endian);
};

/// nullptr if there is no such type.
const NumberType* find_numpy_type(std::string_view code);
const NumberType* find_safetensors_type(std::string_view name);

}  // namespace attn
