// Errors about files of arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "attn/error.hpp"

namespace attn {

/// Where errors about an array point: its file (empty: nowhere, when writing), and its name if the
/// file holds several.
struct Origin {
  std::string file;
  std::string array = {};
};

/// The fix for a file that is cut off or damaged.
inline constexpr const char* kCopyAgain =
    "Create or copy the file again; it is cut off or damaged.";

Error tensor_error(const Origin& origin, std::string id, std::string what, std::string fix,
                   std::vector<Change> changes = {});

/// The id "rank": an array without axes.
Error scalar_error(const Origin& origin);

/// Text from a file in quotation marks, cut to fit into a message.
std::string excerpt(std::string_view text);

/// "1 byte", "48 bytes"
std::string bytes_text(std::uint64_t count);

/// product(shape), which is 0 if any size is 0; nothing for more than 32 axes (NumPy 1's limit)
/// or more numbers than a std::vector<double> could ever hold. No size is negative.
std::optional<std::size_t> number_count(const std::vector<std::ptrdiff_t>& shape);

/// The error for a shape that number_count refuses.
Error shape_error(const Origin& origin, std::string id, const std::vector<std::ptrdiff_t>& shape);

}  // namespace attn
