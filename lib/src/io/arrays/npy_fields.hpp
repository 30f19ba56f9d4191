// The Python dictionary in the header of an .npy file.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace attn {

/// The Python dictionary in the header of an .npy file.
struct NpyFields {
  std::optional<std::string_view> descr;  ///< "<f8", or a list of fields as it is written
  std::optional<bool> fortran_order;
  std::optional<std::vector<std::ptrdiff_t>> shape;  ///< no size is negative
};

/// All three fields, in any order; nothing if the text is not a dictionary of just them.
std::optional<NpyFields> read_npy_fields(std::string_view text);

}  // namespace attn
