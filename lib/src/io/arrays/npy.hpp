// .npy files: the header, and the numbers after it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "attn/io/tensor_file.hpp"
#include "io/arrays/number_type.hpp"
#include "io/arrays/tensor_error.hpp"

namespace attn {

/// What an .npy file has before its numbers.
struct NpyHeader {
  std::string dtype;  // "<f8"
  const NumberType* type = nullptr;
  bool big_endian = false;
  bool columns_first = false;  // Fortran order: the first axis is fastest
  std::vector<std::ptrdiff_t> shape;
  std::size_t size = 0;  // bytes of the file before the numbers
};

/// Throws Error, ids "npy-format" and "dtype".
NpyHeader read_npy_header(std::string_view bytes, const Origin& origin);

/// The beginning of an .npy file, version 1.0, for row-major float64 numbers.
std::string npy_header(const std::vector<std::ptrdiff_t>& shape);

/// The array of a whole .npy file; its name is that of the origin.
NamedArray read_npy_array(std::string_view bytes, const Origin& origin, const MakeRoom& room);

}  // namespace attn
